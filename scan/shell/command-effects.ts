/** What a command does to the user: sends, connects, deletes. See `find-dangers.ts`. */
import { wordsOf } from '../parse/word-list.ts';
import { hostOf, isAddressLike } from '../taint/address.ts';
import { addressIn, namesSecretPlace } from './shell-danger.ts';
import { isFetcher, isShell, programOf, type Program } from './shell-program.ts';
import { isOwnHost, tokenPrinted } from '../taint/secret-paths.ts';
import { uploadAddress } from './uploads.ts';
import { baseOf, redirected } from './fetched-files.ts';
import type { Pipeline, Script, ShellCommand } from './parsed-shell.ts';

/** What is sent, and where. */
interface Sending {
  readonly url: string;
  /** Secrets, not only the names of user and machine. */
  readonly isSecret: boolean;
}

const SENDERS = /^(?:nc|ncat|netcat|socat|telnet|scp|rsync|sendmail|mail)$/;
export const RESOLVERS = /^(?:nslookup|dig|host|ping|ping6|drill|resolvectl)$/;
const IDENTITY_PROGRAMS = new Set(
  wordsOf(['whoami hostname id uname ifconfig pwd ip who w uptime ls']),
);

export function isNetworkClient(name: string): boolean {
  return isFetcher(name) || SENDERS.test(name) || RESOLVERS.test(name);
}

/** Programs whose output is secret. */
export function readsSecrets({ name, texts: own }: Program, { redirects }: ShellCommand): boolean {
  const texts = [...own, ...redirects.map(({ target }) => target.text)];
  if (/^(?:printenv|env|set|export|history)$/.test(name)) return true;
  if (name === 'security' && texts[0]?.startsWith('find-') === true) return true;
  if (tokenPrinted([name, ...texts].join(' ')) !== undefined) return true;
  return READS.test(name) && texts.some(namesSecretPlace);
}

const READS =
  /^(?:cat|tac|head|tail|less|type|tar|zip|7z|base64|gzip|find|grep|xxd|cp|dd|strings)$/;

/** Whether a pipeline takes one value out of what it reads, or makes a digest of it. */
export function selects(pipeline: Pipeline): boolean {
  return pipeline.some((command) => SELECTS.test(programOf(command)?.name ?? ''));
}

const SELECTS = /^(?:jq|yq|cut|awk|gawk|sed|wc|\w{2,6}sum|cksum|shasum|openssl)$/;
const COPIES = /^(?:cat|tac|head|tail|tar|zip|7z|base64|gzip|xxd|cp|dd|strings|od|hexdump)$/;

/** Whether a script prints the whole environment, or whole files of secrets; a public key is none. */
export function holdsAllSecrets(script: Script): boolean {
  return script.some((pipeline) => {
    if (selects(pipeline)) return false;
    const programs = pipeline.map(programOf);
    return pipeline.some((command, at) => {
      const { name = '', texts = [] } = programs[at] ?? {};
      if (command.words.some((word) => word.scripts.some(holdsAllSecrets))) return true;
      if (/^(?:env|printenv|set|export|declare)$/.test(name))
        return texts.every((text) => /^-(?:p|0|px|-null)$/.test(text));
      const isCopy =
        COPIES.test(name) && texts.some((t) => namesSecretPlace(t) && !/\.pub\b/.test(t));
      return isCopy && !programs.some((one) => one !== undefined && one.name.endsWith('grep'));
    });
  });
}

/** Base names of the files into which a command puts what it reads. */
export function packedFiles(command: ShellCommand, { name, texts }: Program): string[] {
  if (SELECTS.test(name)) return [];
  const named = /^(?:tar|zip|7z|cp|tee|gpg|rsync)$/.test(name)
    ? texts.filter((text) => !text.startsWith('-') && !namesSecretPlace(text))
    : [];
  return [...redirected(command, '>'), ...named]
    .filter((one) => !one.startsWith('/dev/'))
    .map(baseOf)
    .filter((one) => one.length > 2);
}

/** Whether one of the commands in a script, and in the scripts in its words, is such. */
function someCommand(script: Script, isSuch: (command: ShellCommand) => boolean): boolean {
  const isIn = (command: ShellCommand): boolean =>
    isSuch(command) ||
    command.words.some(({ scripts }) => scripts.some((one) => one.flat().some(isIn)));
  return script.flat().some(isIn);
}

function printsIdentity(script: Script): boolean {
  return someCommand(script, (one) => IDENTITY_PROGRAMS.has(programOf(one)?.name ?? ''));
}

/** @param host to which the script's output goes as content, or as the authorization of a request */
function holdsSecrets(script: Script, host: string | undefined, isBody: boolean): boolean {
  return script.flat().some((command) => {
    const program = programOf(command);
    if (/^(?:env|printenv)$/.test(command.words[0]?.text ?? '')) return true;
    const token = tokenPrinted(command.words.map(({ text }) => text).join(' '));
    if (token && host && isOwnHost(token, host, isBody)) return false;
    if (program !== undefined && readsSecrets(program, command)) return true;
    return command.words.some((word) =>
      word.scripts.some((one) => holdsSecrets(one, host, isBody)),
    );
  });
}

const DATA = /^-[TFd]|^--(?:upload-file|(?:post|body)-(?:file|data)|data\S*|form\S*|json)(?:=|$)/;

/** Which words of a network client are content that it sends: all those of one that uploads. */
export function dataWords(program: Program): boolean[] {
  const isUpload = uploadAddress(program) !== undefined;
  const { texts } = program;
  return texts.map((text, at) => isUpload || DATA.test(text) || DATA.test(texts[at - 1] ?? ''));
}

/** A network client whose words hold secrets, or names of the user and the machine. */
export function sends(command: ShellCommand, program: Program): Sending | undefined {
  const upload = uploadAddress(program);
  if (upload === undefined && !isNetworkClient(program.name)) return undefined;
  const scripts = program.args.flatMap((word) => word.scripts);
  const { texts } = program;
  const url = upload ?? addressIn(texts);
  const isData = dataWords(program);
  const isSecret =
    program.args.some((word, at) =>
      word.scripts.some((one) => holdsSecrets(one, hostOf(url), isData[at]!)),
    ) ||
    texts.some(
      (text, at) =>
        namesSecretPlace(text) && (text.includes('@') || (isData[at]! && !/\s/.test(text))),
    ) ||
    redirected(command, '<').some(namesSecretPlace) ||
    (/^(?:scp|rsync)$/.test(program.name) &&
      texts.some(namesSecretPlace) &&
      texts.some((t) => /@[\w.-]+:/.test(t)));
  const isVariables = texts.some(
    (t) =>
      /\$\{?(?:USER|HOSTNAME|HOME|LOGNAME|PWD)\b|%(?:USERNAME|COMPUTERNAME|USERDOMAIN)%/.test(t) &&
      (isAddressLike(t) || RESOLVERS.test(program.name)),
  );
  if (!isSecret && !scripts.some(printsIdentity) && !isVariables) return undefined;
  return { url, isSecret };
}

/** Whether a command prints what it reads in a form in which a log does not hide secrets. */
export function encodes(command: ShellCommand, { name, texts }: Program): boolean {
  return (
    /^(?:g?base(?:64|32)|xxd|od|hexdump|rev)$/.test(name) &&
    !texts.some((text) => /^-(?:-decode|[a-z]*d|D|r)/.test(text)) &&
    redirected(command, '>').length === 0
  );
}

const USERS_DATA =
  /^(?:\/|[a-z]:|(?:~|\$\{?HOME\}?|%USERPROFILE%)(?:[\\/](?:Documents|Desktop|Downloads|Pictures|Music|Movies|Videos|Library|AppData|OneDrive))?)[\\/]?\*{0,2}$/i;

/** Whether a path is all that a user has, or whole folders of it. */
export function isUsersData(path: string): boolean {
  return USERS_DATA.test(path);
}

/** Whether the command deletes all of the user's files. */
export function destroys({ name, texts }: Program): boolean {
  const isRecursive = texts.some((t) => /^-(?:\w*[rR]\w*|-recursive)$|^\/s$/i.test(t));
  if (/^(?:rm|rd|rmdir|del|shred)$/.test(name)) return isRecursive && texts.some(isUsersData);
  return (
    (name === 'dd' && texts.some((t) => /^of=\/dev\/[shn][dv]/.test(t))) ||
    (name.startsWith('mkfs') && texts.some((t) => t.startsWith('/dev/')))
  );
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** A connection by the name of a device (bash); one to this machine checks whether a service answers. */
function isRemoteDevice(path: string): boolean {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]{1,253})\//i.exec(path)?.[1];
  return host !== undefined && !THIS_MACHINE.test(hostOf(`//${host}/`) ?? '');
}

/** Shells that are connected to the network. */
export function connects(command: ShellCommand, program: Program | undefined): boolean {
  const targets = [...command.redirects.map(({ target }) => target), ...command.words];
  const { name = '', texts = [] } = program ?? {};
  // `cat < /dev/null > /dev/tcp/HOST/PORT` sends nothing: it waits for a service.
  const isEmpty = redirected(command, '<').includes('/dev/null');
  const isDevice =
    !isEmpty &&
    targets.some(({ text }) => isRemoteDevice(text)) &&
    (isShell(name) || name === '' || command.words[0]?.text === 'exec' || name === 'cat');
  const isPipe =
    /^(?:nc|ncat|netcat)$/.test(name) &&
    texts.some((t) => /^-(?:\w*[ec]|-exec|-sh-exec)$/.test(t)) &&
    texts.some((t) => /(?:sh|cmd(?:\.exe)?|powershell)$/i.test(t));
  const isSocat =
    name === 'socat' &&
    texts.some((t) => /^(?:exec|system):/i.test(t)) &&
    texts.some((t) => /^(?:tcp|udp|openssl|ssl)/i.test(t));
  // A runner does what its code host is told to.
  const isRunner =
    (/^config\.(?:sh|cmd)$/.test(name) || texts[0] === 'register') &&
    texts.some((t) => /^--(?:url|instance)\b/.test(t)) &&
    texts.some((t) => /^--(?:\w{1,20}-)?(?:token|pat)\b/.test(t));
  return isDevice || isPipe || isSocat || isRunner;
}
