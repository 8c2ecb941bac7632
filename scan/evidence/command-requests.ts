/**
 * What the commands in code request from the network: `os.system("curl URL")` contacts an address as `fetch(URL)`
 * does. Rules about addresses judge both.
 */
import { once } from '../once.ts';
import { byPath } from '../parse/by-path.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import type { Fact } from '../taint/api.ts';
import { OUTPUT } from '../taint/label.ts';
import { NOTHING, UNKNOWN, deepContent, join, textValue, type Value } from '../taint/value.ts';
import { commandsOf, inlineCode } from './fact-evidence.ts';
import { RESOLVERS, dataWords, isNetworkClient } from '../shell/command-effects.ts';
import { uploadAddress } from '../shell/uploads.ts';
import { isFetcher, programOf, shellText } from '../shell/shell-program.ts';
import { baseOf, fetchedFiles } from '../shell/fetched-files.ts';
import type { Script, ShellCommand } from '../shell/parsed-shell.ts';
import { parseShell } from '../shell/parse-shell.ts';
import { addressIn } from '../shell/shell-danger.ts';

/** One request of a command. */
interface ShellRequest {
  /** The name of the program: `curl`, `nslookup`. */
  readonly program: string;
  readonly url: string;
  /** Only looks up the name, or checks that the host answers. */
  readonly isLookup: boolean;
  /** Sends what it is given, not only an address and its authorization. */
  readonly isUpload: boolean;
  /** Base names of the files that receive the answer; none when it is printed. */
  readonly files: readonly string[];
}

/** In a command, of a shell or of batch. */
const VARIABLE = /\$\{?\w{1,60}\}?|%[a-z_]{3,60}%/gi;
const MAX_TEXT = 20_000;
const MAX_DEPTH = 6;
const MAX_REQUESTS = 50;
/** Methods of .NET that no command line shows as a program. */
const DOTNET = /\b(?:download(?:string|file|data)|net\.webclient|start-bitstransfer)\b/i;
const DOTNET_ADDRESS =
  /["'(](https?:[^\s"')]{1,300})["')](?:\s{0,5},\s{0,5}["']([^"']{1,200})["'])?/gi;

/** The requests with a visible address, in the order of the text. */
export function shellRequests(text: string): ShellRequest[] {
  // No address, no request; most commands have none.
  if (!/[a-z\d]\.[a-z\d]|[a-z]:|\/\/|^gh |^glab |^az /i.test(text)) return [];
  const cut = text.slice(0, MAX_TEXT);
  const found = inScript(parseShell(cut), 0);
  if (DOTNET.test(cut)) {
    for (const [, url = '', path = ''] of cut.matchAll(DOTNET_ADDRESS)) {
      const files = path === '' ? [] : [baseOf(path)];
      found.push({ program: 'powershell', url, isLookup: false, isUpload: false, files });
    }
  }
  return found.slice(0, MAX_REQUESTS);
}

function inScript(script: Script, depth: number): ShellRequest[] {
  if (depth > MAX_DEPTH) return [];
  return script.flat().flatMap((command) => inCommand(command, depth));
}

function inCommand(command: ShellCommand, depth: number): ShellRequest[] {
  const scripts = [command.body ?? [], ...command.words.flatMap((word) => word.scripts)];
  const program = programOf(command);
  const nested = program === undefined ? undefined : shellText(program);
  if (nested !== undefined) scripts.push(parseShell(nested.text));
  const found = scripts.flatMap((script) => inScript(script, depth + 1));
  if (program === undefined) return found;
  const { texts } = program;
  const isTls = program.name === 'openssl' && texts.includes('s_client');
  const isCode = /^(?:gh|glab)$/.test(program.name);
  const upload = uploadAddress(program);
  if (!isTls && !isCode && upload === undefined && !isNetworkClient(program.name)) return found;
  const isLookup = RESOLVERS.test(program.name);
  // `dig $data.host`
  const name = isLookup ? texts.find((text) => /^[^-].*\.[a-z]{2,}$/i.test(text)) : undefined;
  const url = upload ?? (addressIn(texts) || (isCode ? 'https://api.github.com/' : (name ?? '')));
  if (url === '') return found;
  const files = isFetcher(program.name) ? fetchedFiles(command, program, url) : [];
  // What code puts into the command, or into its input: `-d @-`.
  const isData = dataWords(program);
  const isUpload =
    !isFetcher(program.name) || texts.some((text, at) => isData[at] && /\0|^@?-$|@-$/.test(text));
  return [{ program: program.name, url, isLookup, isUpload, files }, ...found];
}

/** A request of a command, as a fact at the place of the command, and the files that receive the answer. */
interface CommandRequest {
  readonly fact: Fact;
  /** Base names. */
  readonly files: readonly string[];
}

/** A command, or a script that the code writes. */
const isCommand = ({ action, operand: { texts } }: Fact): boolean =>
  /^(?:spawn|feed)$/.test(action) ||
  (action === 'write' && texts.some((text) => SCRIPT.test(text)));
const SCRIPT = /\.(?:bat|cmd|ps1|sh)$/i;

/** The requests of all commands in the code of a build. */
export const commandRequests = once((build: ScannedBuild): readonly CommandRequest[] => {
  const read = byPath(shellRequests);
  return build.taint.facts.filter(isCommand).flatMap((fact) => requestsOf(fact, read));
});

/** The facts of the code and of its commands that contact an address. */
export const contactsOf = once((build: ScannedBuild): readonly Fact[] => [
  ...build.taint.facts.filter(({ action }) => action === 'send' || action === 'resolve'),
  ...commandRequests(build).map(({ fact }) => fact),
]);

const fetchingPlaces = once(
  (build: ScannedBuild): ReadonlySet<string> =>
    new Set(
      commandRequests(build)
        .filter(({ fact, files }) => fact.action === 'send' && files.length === 0)
        .map(({ fact }) => placeOf(fact)),
    ),
);

/** Whether a value is the output of a command that prints what it fetches. */
export function isFetchedOutput(build: ScannedBuild, { labels, origins }: Value): boolean {
  if ((labels & OUTPUT) === 0) return false;
  return origins.some((o) => o.label === OUTPUT && fetchingPlaces(build).has(placeOf(o)));
}

function requestsOf(fact: Fact, read: typeof shellRequests): CommandRequest[] {
  const inline = inlineCode(fact)?.texts ?? [];
  const written = fact.action === 'write' ? fact.args.flatMap(({ texts }) => texts) : [];
  const commands = [inline, written, commandsOf(fact)].find((one) => one.length > 0) ?? [];
  const content = fact.action === 'feed' ? fact.content : wordsOf(fact);
  return commands.flatMap(read).map(({ program, url, isLookup, isUpload, files }) => ({
    fact: {
      ...fact,
      action: isLookup ? ('resolve' as const) : ('send' as const),
      // What a program of a code host sends is a text for others.
      api: /^(?:gh|glab)$/.test(program) ? `$cloud.${program}` : program,
      operand: textValue(url.replaceAll(VARIABLE, UNKNOWN)),
      content,
      body: isUpload ? content : NOTHING,
      args: [],
    },
    files,
  }));
}

/** What the words and the input of the command hold; not its options, such as the environment of the process. */
function wordsOf({ operand, args, body = NOTHING }: Fact): Value {
  const isList = args[1]?.objects.every(({ fields }) => fields.has('0')) === true;
  const words = join(deepContent(operand), isList ? deepContent(args[1]!) : NOTHING);
  return join(words, body);
}

function placeOf({ path, at }: { readonly path: string; readonly at: number }): string {
  return `${at} ${path}`;
}
