/** Finds dangerous shell text by the flow of data between commands rather than by words. */
import { parseShell } from './parse-shell.ts';
import {
  connects,
  dataWords,
  destroys,
  encodes,
  holdsAllSecrets,
  isNetworkClient,
  packedFiles,
  readsSecrets,
  selects,
  sends,
} from './command-effects.ts';
import { hostOf, hostsIn, isLocal, suspicionOf } from '../taint/address.ts';
import { isDistributor, isPublisher, isShared } from '../taint/known-hosts.ts';
import { isOwnHost, toolToken } from '../taint/secret-paths.ts';
import { uploadAddress } from './uploads.ts';
import {
  inlineCode,
  isDecoder,
  isFetcher,
  isInterpreter,
  isShell,
  programOf,
  shellText,
  type Program,
} from './shell-program.ts';
import { baseOf, fetchedFiles } from './fetched-files.ts';
import type { Pipeline, Script, ShellCommand, Word } from './parsed-shell.ts';
import {
  addressIn,
  inlineTraits,
  namesSecretPlace,
  type Danger,
  type DangerKind,
} from './shell-danger.ts';
import { findWindowsDangers } from './windows-dangers.ts';

/** Longer shell text is not read to its end. */
export const MAX_SHELL_LENGTH = 1_000_000;
const MAX_NESTED_SCRIPTS = 8;

/**
 * The dangers in `text`, in order.
 *
 * @param secrets variables that hold a secret, and its name; `*` for all of them
 * @param isLogged others read what the commands print
 */
export function findShellDangers(
  text: string,
  secrets?: ReadonlyMap<string, string>,
  isLogged = false,
): Danger[] {
  const cut = text.slice(0, MAX_SHELL_LENGTH);
  const read = new Finder(secrets, isLogged).script(parseShell(cut), 0);
  // Of one command, that whose address was read.
  const known = read.filter(({ url }) => url !== '');
  const ends = new Set(
    known.map(({ kind, end }) => `${kind} ${cut[end - 1] === '\n' ? end - 1 : end}`),
  );
  const others = findWindowsDangers(cut).filter(
    ({ kind, url, end }) => url !== '' || !ends.has(`${kind} ${end}`),
  );
  const found = [...read, ...others];
  return found.sort((a, b) => a.start - b.start);
}

class Finder {
  /** Files that received fetched or decoded content, by name. */
  readonly #arrived = new Map<string, Arrived>();

  /** The address of an archive that was fetched, and unpacked with a password. */
  #unlocked: string | undefined;

  /** Variables that hold secrets, and which; and files that do, by their base names after a slash. */
  readonly #secrets: Map<string, string>;

  readonly #isLogged: boolean;

  /** Addresses of remotes that the text names; and whether a file with all secrets was added to the repository. */
  readonly #remotes = new Map<string, string>();
  #isAdded = false;

  constructor(secrets: ReadonlyMap<string, string> = new Map(), isLogged = false) {
    this.#secrets = new Map(secrets);
    this.#isLogged = isLogged;
  }

  script(script: Script, depth: number): Danger[] {
    if (depth > MAX_NESTED_SCRIPTS) return [];
    return script.flatMap((pipeline) => this.#pipeline(pipeline, depth));
  }

  #pipeline(pipeline: Pipeline, depth: number): Danger[] {
    const found: Danger[] = [];
    let source: Arrived | undefined;
    let carriesSecret = false;
    // The names of secrets that commands up to here got.
    const carried: string[] = [];
    let isRemote = false;
    let isInteractive = false;
    found.push(...this.#scheduled(pipeline, depth));
    for (const command of pipeline) {
      const program = programOf(command);
      const texts = command.words.map((word) => word.text);
      found.push(...this.#inside(command, program, depth));
      if (source !== undefined && program !== undefined && readsInput(program)) {
        found.push(danger(source.kind, pipeline[0]!, command, source.url));
      }
      const upload = program && uploadAddress(program);
      const pushed = program && this.#pushed(program);
      if (pushed !== undefined) found.push(danger('send', command, command, pushed, true));
      const isClient = program && (upload !== undefined || isNetworkClient(program.name));
      const url = upload ?? (isClient ? addressIn(texts.slice(1)) : '');
      if (program !== undefined) {
        const isPiped = carried.length > 0;
        carried.push(...this.#held(command));
        if (carried.length > MAX_CARRIED) carried.splice(0, Infinity, ALL);
        if (isClient) {
          const isBody =
            isPiped ||
            dataWords(program).some((is, at) => is && this.#heldBy(program.args[at]!.text)[0]);
          if (carriesSecret) found.push(danger('send', pipeline[0]!, command, url, true));
          else if (isForeign(carried, url, isBody))
            found.push(danger('send', pipeline[0]!, command, url, carried.includes(ALL)));
        }
        const isHeld = (carriesSecret || carried.includes(ALL)) && command === pipeline.at(-1);
        if (this.#isLogged && isHeld && encodes(command, program))
          found.push(danger('send', pipeline[0]!, command, 'the log', true));
        const address = installedAddress(program);
        if (address !== undefined) found.push(danger('install', command, command, address));
        const sending = sends(command, program);
        if (sending !== undefined) {
          found.push(danger('send', command, command, sending.url, sending.isSecret));
        }
        if (isRemote && isShell(program.name))
          found.push(danger('connect', pipeline[0]!, command, ''));
        const isLine = /^(?:nc|ncat|netcat|telnet)$/.test(program.name) && program.args.length > 1;
        if (isLine && isInteractive) found.push(danger('connect', pipeline[0]!, command, ''));
        isInteractive ||= isShell(program.name) && texts.includes('-i');
        isRemote ||= isLine;
        isRemote ||= program.name === 'openssl' && texts.includes('s_client');
        if (isFetcher(program.name)) source = { kind: 'fetch-run', url };
        else if (isDecoder(program) && source === undefined)
          source = { kind: 'decode-run', url: '' };
        carriesSecret ||= readsSecrets(program, command);
        this.#fill(program, carriesSecret);
        const [secret] = carriesSecret ? [ALL] : carried;
        for (const file of secret === undefined ? [] : packedFiles(command, program))
          this.#secrets.set(`/${file}`, secret!);
        this.#keep(command, program, url);
        found.push(...this.#runsArrived(command, program));
      } else if (command.body !== undefined && fetchIn(command.body) !== undefined) {
        source = { kind: 'fetch-run', url: fetchIn(command.body) ?? '' };
      }
      this.#assign(command);
      if (connects(command, program)) found.push(danger('connect', command, command, ''));
      if (program !== undefined && destroys(program))
        found.push(danger('destroy', command, command, ''));
    }
    return found;
  }

  /** The address to which `git push` sends files with all secrets that were added to a repository. */
  #pushed({ name, texts }: Program): string | undefined {
    if (name !== 'git') return undefined;
    const [verb, ...rest] = texts.filter((text) => !/^[-./~$]/.test(text));
    if (verb === 'clone') this.#remotes.set('origin', rest[0] ?? '');
    if (verb === 'remote') this.#remotes.set(rest[1] ?? '', rest[2] ?? '');
    if (verb === 'add')
      this.#isAdded = [...this.#secrets].some(([key, held]) => held === ALL && key.startsWith('/'));
    if (verb !== 'push' || !this.#isAdded) return undefined;
    return rest.find((text) => /:\/\/|^git@/.test(text)) ?? this.#remotes.get(rest[0] ?? 'origin');
  }

  /** `name=$(env)`, also behind `export` and the like. */
  #assign({ words }: ShellCommand): void {
    for (const { text, scripts } of words) {
      const name = /^(\w{1,60})\+?=/.exec(text)?.[1];
      if (name === undefined) continue;
      const held = scripts.flatMap((script) => this.#heldIn(script)).concat(this.#heldBy(text));
      const secret = scripts.some(holdsAllSecrets)
        ? ALL
        : (held.find((one) => one === ALL) ?? held[0]);
      if (secret !== undefined) this.#secrets.set(name, secret);
    }
  }

  /** Those that a script prints, unless it takes one value out of them. */
  #heldIn(script: Script): string[] {
    return script.flatMap((pipeline) => {
      const held = pipeline.flatMap((command) => [
        ...this.#held(command),
        ...command.words.flatMap(({ scripts }) => scripts.flatMap((one) => this.#heldIn(one))),
      ]);
      return selects(pipeline) ? held.filter((one) => one !== ALL) : held;
    });
  }

  /** `env | while read line`, `for line in $(env)` */
  #fill({ name, args }: Program, carriesSecret: boolean): void {
    const isLoop = name === 'for' && args.some(({ scripts }) => scripts.some(holdsAllSecrets));
    const isRead = carriesSecret && /^(?:read|mapfile|readarray)$/.test(name);
    const names = isRead ? args : isLoop ? args.slice(0, 1) : [];
    for (const { text } of names) this.#secrets.set(text, ALL);
    // `for file in ~/.npmrc ~/.aws/credentials`, whose content `@$file` stands for
    const isFiles = name === 'for' && args.slice(1).some(({ text }) => namesSecretPlace(text));
    if (isFiles) this.#secrets.set(`@${args[0]!.text}`, ALL);
  }

  /** The names of the secrets that a command gets in its words and its input. */
  #held({ words, redirects }: ShellCommand): string[] {
    const inputs = redirects.filter(({ operator }) => operator.startsWith('<'));
    const texts = [...words, ...inputs.map(({ target }) => target)].map(({ text }) => text);
    return texts.flatMap((text) => this.#heldBy(text));
  }

  #heldBy(text: string): string[] {
    const found = Array.from(text.matchAll(EXPRESSION), ([, name = ALL]) =>
      name.replace(/_+$/, ''),
    );
    if (this.#secrets.size === 0) return found;
    const names = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name);
    const file = baseOf(text.slice(Math.max(text.lastIndexOf('@'), text.lastIndexOf('=')) + 1));
    const sent = Array.from(text.matchAll(/@\$\{?(\w{1,60})/g), ([, name]) => `@${name}`);
    const known = [...names, ...sent, `/${file}`].map((name) => this.#secrets.get(name));
    return [...found, ...known.filter((name) => name !== undefined)];
  }

  /** The dangers of scripts within words, here-documents and inline code. */
  #inside(command: ShellCommand, program: Program | undefined, depth: number): Danger[] {
    const scripts = [command.body ?? [], ...command.words.flatMap((word) => word.scripts)];
    const found = scripts.flatMap((script) => this.script(script, depth + 1));
    if (program === undefined) return found;
    // `found=( $(curl URL) )` stores the answer.
    const isStored = /^\w+\+?=/.test(command.words[0]?.text ?? '');
    const feeds = runsItsWords(program) && !isStored ? command.words : [];
    for (const script of feeds.flatMap((word) => word.scripts)) {
      const url = fetchIn(script);
      if (url !== undefined) found.push(danger('fetch-run', command, command, url));
      else if (decodes(script)) found.push(danger('decode-run', command, command, ''));
    }
    const here = hereText(command);
    const code = inlineCode(program) ?? (isShell(program.name) ? undefined : here);
    if (code !== undefined && isInterpreter(program.name)) {
      const isSecret = WHOLE_ENVIRONMENT.test(code.text) || this.#heldBy(code.text).includes(ALL);
      if (isSecret && inlineTraits(code.text).network)
        found.push(danger('send', command, command, addressIn([code.text]), true));
      if (code !== here) found.push(...inline(command, code));
    }
    const text = shellText(program) ?? (isShell(program.name) ? here : undefined);
    if (text !== undefined)
      found.push(...moved(this.script(parseShell(text.text), depth + 1), text));
    return found;
  }

  /** `(crontab -l; echo "* * * * * COMMAND") | crontab -`: the scheduled command will run. */
  #scheduled(pipeline: Pipeline, depth: number): Danger[] {
    const last = pipeline.at(-1);
    if (last === undefined || pipeline.length < 2 || programOf(last)?.name !== 'crontab') return [];
    const commands = pipeline.flatMap(({ body, ...command }) => [command, ...(body?.flat() ?? [])]);
    return commands
      .flatMap(({ words }) => words)
      .flatMap((word) => {
        const line = word.text.replace(/^(?:@\w+|(?:[\d*/,-]+[ \t]+){4}[\d*/,-]+)[ \t]+/, '');
        return line === word.text ? [] : moved(this.script(parseShell(line), depth + 1), word);
      });
  }

  /** Remembers the file that a fetch or decoder writes. */
  #keep(command: ShellCommand, program: Program, url: string): void {
    if (!isFetcher(program.name) && !isDecoder(program)) return;
    const kind = isFetcher(program.name) ? 'fetch-run' : 'decode-run';
    for (const name of fetchedFiles(command, program, url)) this.#arrived.set(name, { url, kind });
  }

  #runsArrived(command: ShellCommand, program: Program): Danger[] {
    if (this.#arrived.size === 0 || isFetcher(program.name)) return [];
    if (unlocks(program)) {
      const archive = program.texts.map((text) => this.#arrived.get(baseOf(text)));
      this.#unlocked ??= archive.find((one) => one !== undefined)?.url;
      return [];
    }
    const isRun =
      /^(?:chmod|source|\.|start|open|xdg-open|rundll32|msiexec|dpkg|installer)$/.test(
        program.name,
      ) || isInterpreter(program.name);
    const first = command.words.find((word) => baseOf(word.text).toLowerCase() === program.name);
    const texts = isRun
      ? startedOf(program)
      : /[/\\]/.test(first?.text ?? '')
        ? [first?.text ?? '']
        : [];
    if (program.name === 'chmod' && !texts.some((t) => /x|[1357]\d\d$/.test(t))) return [];
    if (this.#unlocked !== undefined && !isRun && texts[0] !== '')
      return [danger('fetch-run', command, command, this.#unlocked)];
    const name = texts.map(baseOf).find((text) => this.#arrived.has(text));
    const arrived = name === undefined ? undefined : this.#arrived.get(name);
    return arrived === undefined ? [] : [danger(arrived.kind, command, command, arrived.url)];
  }
}

/** What was fetched or decoded. */
type Arrived = Pick<Danger, 'kind' | 'url'>;

/** All secrets of a workflow, or of the environment. */
const ALL = '*';
/** Commands of a pipeline that hold more secrets hold all. */
const MAX_CARRIED = 50;
/** An expression of a workflow; `yamlShell` makes a word of it. */
const EXPRESSION = /\$\{\{_*(?:toJSON_)?secrets(?:\.(\w{1,80}))?(?=_|\})/gi;
/** In shell text, and in the inline code of other languages. */
const VARIABLE =
  /(?:\$\{?|%|\$env:|\benv(?:iron)?[.[]["']{0,2}|\b(?:environ\.get|getenv)\(["'])(\w{1,60})/g;

/** In inline code; not one variable. */
const WHOLE_ENVIRONMENT =
  /\bos\.environ\b(?!\.get|\[|\.\w*default)|\bprocess\.env\b(?![.[]\S)|\bENV\.to_/;

/** All secrets go nowhere; one goes to its own service, and none to a host of nobody. */
function isForeign(held: readonly string[], url: string, isBody: boolean): boolean {
  const host = hostOf(url);
  if (held.includes(ALL)) return host === undefined || !isLocal(host);
  const suspicion = suspicionOf(url);
  if (suspicion === 'unread') return held.length > 0;
  if (host === undefined || isLocal(host)) return false;
  return held.some((name) => {
    if (suspicion !== undefined && suspicion !== 'webhook' && suspicion !== 'address') return true;
    const token = toolToken(`env.${name}`);
    return token !== undefined && !isOwnHost(token, host, isBody);
  });
}

/** The address from which a package manager installs, where nobody publishes packages. */
function installedAddress({ name, texts }: Program): string | undefined {
  const isManager =
    /^(?:npm|pnpm|yarn|bun|pipx?3?|pip3\.\d+|uv)$/.test(name) ||
    (texts[0] === '-m' && texts[1] === 'pip') ||
    (name === '-m' && texts[0] === 'pip');
  if (!isManager || !texts.some((text) => /^(?:install|i|add)$/.test(text))) return undefined;
  return texts.find((text, at) => {
    // The address of an index, a proxy or the like.
    const isOption = OPTION_OF_ADDRESS.test(texts[at - 1] ?? '');
    const url = /^(?:[\w.[\]-]{1,80}\s?@\s?)?(?:git\+)?(https?:.*)$/.exec(text)?.[1];
    const hosts = url === undefined || isOption ? [] : hostsIn(url);
    const isKnown = [isLocal, isDistributor, isShared, isPublisher];
    return hosts.some((host) => !isKnown.some((is) => is(host)));
  });
}

const OPTION_OF_ADDRESS = /^-(?:i|f|c)$|^--(?:index|extra|find|proxy|registry|cache|constraint)/;

/** Unpacks an archive with a password in the command, which only hides a program from scanners. */
function unlocks({ name, texts }: Program): boolean {
  if (!/^(?:unzip|7z|7za|7zz|unrar|bsdtar|openssl)$/.test(name)) return false;
  return texts.some((text) => /^(?:-[pP]\S*|--passphrase\S*|-pass|-k)$/.test(text));
}

function danger(
  kind: DangerKind,
  first: ShellCommand,
  last: ShellCommand,
  url: string,
  isSecret = false,
): Danger {
  return { kind, start: first.start, end: last.end, url, isSecret };
}

/** The arguments that a program runs; those after a script belong to the script. */
function startedOf({ name, texts }: Program): readonly string[] {
  const script = isShell(name) ? -1 : texts.findIndex((t) => SCRIPT_FILE.test(t));
  return script === -1 ? texts : texts.slice(0, script + 1);
}

const SCRIPT_FILE = /^[^-].{0,300}\.(?:py|[mc]?[jt]s|pl|rb|php|lua)$/i;

/** Programs that run code from their standard input. */
function readsInput({ name, texts }: Program): boolean {
  if (name === 'source' || name === '.' || name === 'eval') return true;
  if (!isInterpreter(name)) return false;
  // `| python -m json.tool` and `| node script.js` read data, not code.
  if (texts.some((t) => t === '-' || t === '/dev/stdin' || /^-\w*s$/.test(t))) return true;
  if (isShell(name)) return !texts.includes('-c') || texts.some((t) => /\b(?:cat|read)\b/.test(t));
  return texts.every(
    (t) => t.startsWith('-') && !/^-{1,2}(?:[a-z]*[mecprn]\w*|eval|print)$/i.test(t),
  );
}

/** Programs whose arguments are code: substituted text is run. */
function runsItsWords({ name, args }: Program): boolean {
  if (name === 'eval' || name === 'source' || name === '.' || name === '') return true;
  return isInterpreter(name) && args.length > 0;
}

function hereText(command: ShellCommand): Word | undefined {
  return command.redirects.find(({ operator }) => operator === '<<' || operator === '<<<')?.target;
}

/** Offsets within a word's text differ from those in the file, because of quotes and escapes. */
function moved(found: readonly Danger[], { start, end }: Word): Danger[] {
  return found.map((one) => ({ ...one, start, end }));
}

/** The address that a script fetches from, `undefined` when it fetches nothing. */
function fetchIn(script: Script): string | undefined {
  for (const command of script.flat()) {
    const program = programOf(command);
    if (program !== undefined && isFetcher(program.name)) {
      const texts = command.words.map((word) => word.text);
      return DISCARDED.test(texts.join(' ')) ? undefined : addressIn(texts);
    }
    for (const one of [...command.words.flatMap((word) => word.scripts), command.body ?? []]) {
      const url = fetchIn(one);
      if (url !== undefined) return url;
    }
  }
  return undefined;
}

const DISCARDED = /(?:^| )(?:-o|-O|--output|--output-document)[ =]\/dev\/null\b/;

function decodes(script: Script): boolean {
  return script.flat().some((command) => {
    const program = programOf(command);
    if (program === undefined || !isDecoder(program)) return false;
    return !/^(?:printf|tr|gzip|od|hexdump)$/.test(program.name);
  });
}

function inline(command: ShellCommand, code: Word): Danger[] {
  const { network, execution, hiding } = inlineTraits(code.text);
  if (/socket/.test(code.text) && /dup2|pty|\/bin\/(?:ba)?sh|cmd\.exe/.test(code.text))
    return [danger('connect', command, command, '')];
  if ((network && execution) || (hiding && execution))
    return [danger(network ? 'fetch-run' : 'decode-run', command, command, '')];
  return network || execution || hiding ? [danger('inline', command, command, '')] : [];
}
