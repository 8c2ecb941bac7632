/** Runs code from the network: fetches and evaluates it, pipes it to a shell, or downloads and starts it. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { DECODED, FETCHED, SPELLED } from '../../taint/label.ts';
import { UNKNOWN, deepTexts, textValue, type Value } from '../../taint/value.ts';
import {
  LOADERS,
  PICKLES,
  found,
  quote,
  addressesOf,
  hostsOf,
  inlineCode,
  suspicionsOf,
  commandsOf,
  staysLocal,
} from '../../evidence/fact-evidence.ts';
import { goFindings } from '../../evidence/go-code.ts';
import { hostOf, isDistributor, isLocal } from '../../taint/host.ts';
import { isOwnHost, isTrustedPlace } from '../../evidence/trusted-place.ts';
import { filesAtInstall, commandFindings } from '../../evidence/commands.ts';
import { isFetchedOutput, commandRequests } from '../../evidence/command-requests.ts';
import { isTestPath } from '../../text/decode-text.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { once } from '../../text/language-needs.ts';
import { parseShell } from '../../shell/parse-shell.ts';
import { isInterpreter, programOf, baseOf } from '../../shell/shell-program.ts';
import { shellPlaces } from '../../shell/sources.ts';

/** The place of a start. */
type StartPlace = Pick<Fact, 'path' | 'at' | 'end'>;

/** Shorter names, and those of many programs, are in other files by chance. */
const MIN_DISTINCT_NAME = 5;
const STARTERS = /^(?:chmod|source|\.|start|open|xdg-open|rundll32|msiexec|start-process)$/;
/** Only a program that must not be examined is packed with a password that its reader knows. */
const LOCKED_ARCHIVE =
  /\bextract(?:all)?\([^)\n]{0,200}\bpwd\s{0,3}=|\bSevenZipFile\([^)\n]{0,200}\bpassword\s{0,3}=|\bsetpassword\(|\b(?:unzip|7za?|7zz|unrar)\b[^\n]{0,100}["'\s]-[pP]["'\s]?\S/;

/** Where code or shell text starts `file`; `undefined` when nothing does. */
export function startOf(build: ScannedBuild, file: ArrivedFile): StartPlace | undefined {
  const near = build.taint.facts.find(
    (f) =>
      f.path === file.path &&
      (f.action === 'spawn' || (f.action === 'load' && f.operand.texts.length > 0)) &&
      isStarted(f, file),
  );
  if (near !== undefined || file.isLarge) return near;
  const names = file.names.filter((name) => name.length >= MIN_DISTINCT_NAME);
  if (names.length === 0) return undefined;
  const far = build.taint.facts.find(
    (f) =>
      f.path !== file.path &&
      f.action === 'spawn' &&
      !f.isLarge &&
      isStarted(f, { targets: [], names }),
  );
  return far ?? shellStarts(build).find(({ name }) => names.includes(name))?.place;
}

/** Where code starts a program after it unpacked a downloaded archive with a password. */
export function lockedStartOf(build: ScannedBuild, file: ArrivedFile): StartPlace | undefined {
  const own = build.files.find(({ path }) => path === file.path);
  if (file.isLarge || own === undefined || !opensLocked(own)) return undefined;
  return build.taint.facts.find((f) => {
    if (f.path !== file.path || f.action !== 'spawn') return false;
    const commands = commandsOf(f);
    return commands.length === 0 || !commands.every((command) => HANDLES_DATA.test(command));
  });
}

const opensLocked = once(({ text = '' }: ScannedFile) => LOCKED_ARCHIVE.test(text));

function isStarted(
  fact: Fact,
  { targets, names }: Pick<ArrivedFile, 'targets' | 'names'>,
): boolean {
  return commandsOf(fact).some((command) => {
    if (fact.action === 'spawn' && HANDLES_DATA.test(command)) return false;
    return (
      targets.some((target) => command === target || isBelow(command, target)) ||
      names.some((name) => !DATA_FILE.test(name) && command.includes(name))
    );
  });
}

/** Whether a command names a file in the folder `target`, such as one into which an archive was unpacked. */
function isBelow(command: string, target: string): boolean {
  const at = target.length > 4 && /[/\\]/.test(target) ? command.indexOf(`${target}/`) : -1;
  return at !== -1 && !/[\w.]/.test(command[at - 1] ?? '');
}

/** One command that fetches, unpacks or reads, and no other after it. */
const HANDLES_DATA =
  /^\s{0,9}(?:curl|wget|tar|unzip|gunzip|7z\w?|unrar|git|pip\d?|npm|cat|rm|cp|mv|ls|sha\d+sum|md5sum|gpg)\b[^;&|\n]*$/;
const DATA_FILE =
  /\.(?:zip|tar|t?gz|bz2|xz|zst|rar|json|csv|tsv|txt|md|png|jpe?g|gif|svg|pdf|html?|xml|ya?ml|wav|mp[34]|sqlite|parquet|safetensors|onnx|gguf)$/i;

/** What the shell text of the build starts by a path, by base name. */
const shellStarts = once((build: ScannedBuild) =>
  shellPlaces(build)
    .filter(({ runner }) => runner !== 'reader')
    .flatMap(({ file, text, start }) =>
      parseShell(text.slice(0, 100_000))
        .flat()
        .flatMap((command) => {
          const program = programOf(command);
          if (program === undefined) return [];
          const isStarter = STARTERS.test(program.name) || isInterpreter(program.name);
          const words = isStarter ? program.args : command.words.slice(0, 1);
          const at = start + command.start;
          return words
            .map((word) => word.text)
            .filter((word) => isStarter || /[/\\]/.test(word))
            .map((word) => ({
              name: word.slice(word.search(/[^/\\]*$/)),
              place: { path: file.path, at, end: at + Math.max(1, command.end - command.start) },
            }));
        }),
    ),
);

/** A file that receives downloaded content. */
interface ArrivedFile {
  /** The file of code that writes it. */
  readonly path: string;
  /** Where it is written, unknown parts as `UNKNOWN`. */
  readonly targets: readonly string[];
  /** The constant base names of the targets. */
  readonly names: readonly string[];
  /** The requests for its content, and others of the same file of code. */
  readonly sends: readonly Fact[];
  readonly isLarge: boolean;
}

/** APIs that fetch an address into a file, which is their second argument. */
const FETCH_TO_FILE = /urlretrieve|wget\.download/;

/** Every file that the code of a build downloads. */
export const arrivedFiles = once((build: ScannedBuild): readonly ArrivedFile[] => {
  const files = [
    ...build.taint.facts.flatMap((fact) => writtenBy(build, fact)),
    ...build.taint.facts.flatMap(clonedBy),
    ...commandRequests(build)
      .filter(({ fact, files }) => files.length > 0 && !staysLocal(fact))
      .map(({ fact, files }) => arrived(fact, files, [fact])),
  ];
  const folders = build.taint.facts.flatMap((fact) => {
    const given = UNPACKERS.test(fact.api) ? fact.args.flatMap(deepTexts) : [];
    return files
      .filter(({ path, targets }) => path === fact.path && targets.some((t) => given.includes(t)))
      .map((file) =>
        arrived(
          fact,
          given.filter((t) => !file.targets.includes(t)),
          file.sends,
        ),
      );
  });
  return [...files, ...folders];
});

const UNPACKERS = /^(?:tar\.(?:x|extract)|extract-zip|decompress|shutil\.unpack_archive)$/;
const CLONE =
  /\bgit\s+clone\b[^;&|\n]{0,60}?\s((?:https?:\/\/|git@)[\w.@:/~-]{4,200})(?:\s+([^\s;&|-]\S{0,200}))?/;

/** The folder that `git clone` writes. */
function clonedBy(fact: Fact): ArrivedFile[] {
  const [, url = '', folder] =
    (fact.action === 'spawn' ? commandsOf(fact) : [])
      .map((command) => CLONE.exec(command))
      .find((match) => match !== null) ?? [];
  if (url === '') return [];
  const target = folder ?? `./${baseOf(url).replace(/\.git$/, '')}`;
  return [arrived(fact, [target], [{ ...fact, operand: textValue(url), args: [] }])];
}

function writtenBy({ taint }: ScannedBuild, fact: Fact): ArrivedFile[] {
  const isFetch = FETCH_TO_FILE.test(fact.api);
  if (!isFetch && (fact.action !== 'write' || (fact.content.labels & FETCHED) === 0)) return [];
  const targets = isFetch ? (fact.args[1]?.texts ?? []) : fact.operand.texts;
  const sources = new Set(fact.content.origins.map(({ path }) => path));
  const sends = taint.facts.filter(
    (f) => f.action === 'send' && (f.path === fact.path || sources.has(f.path)) && !staysLocal(f),
  );
  return [arrived(fact, targets, sends)];
}

export function arrived(
  { path, isLarge }: Fact,
  texts: readonly string[],
  sends: readonly Fact[],
): ArrivedFile {
  const targets = texts.filter((text) => text.length > 2);
  const names = targets.map(baseOf).filter((name) => name.length > 2 && !name.includes(UNKNOWN));
  return { path, targets, names, sends, isLarge };
}

export const remoteCode: Rule = {
  name: 'remote-code',
  run: (build) => {
    const { facts } = build.taint;
    return [
      ...facts.flatMap((fact) => evaluated(build, fact)).map((one) => inTest(build, one)),
      ...downloads(build),
      ...commandFindings(build, 'remote-code'),
      ...goFindings(build).filter(({ code }) => code === 'remote-code-download'),
    ];
  },
};

/** A test that nothing names talks to programs that it starts itself. */
function inTest(build: ScannedBuild, one: Finding): Finding {
  return isTestPath(one.file) && isIdleFile(build, one.file) ? { ...one, level: 'info' } : one;
}

function evaluated(build: ScannedBuild, fact: Fact): Finding[] {
  const { action, operand, content } = fact;
  if ((action === 'execute' || action === 'spawn') && !fact.isLarge) {
    const code = action === 'spawn' ? (inlineCode(fact) ?? operand) : operand;
    const isWhole = action === 'execute' || code.texts.every((t) => /^\0?$/.test(t));
    if (isWhole && isFetchedOutput(build, code))
      return [found(build, 'remote-code', fact, { how: fact.api })];
  }
  const isTimer = fact.api.startsWith('set') && operand.texts.length === 0;
  if (action === 'execute' && (operand.labels & FETCHED) !== 0 && !isTimer) {
    const isOwn = isFromOwnAddress(build, operand);
    if (LOADERS.test(fact.api)) {
      // Programs exchange pickles over sockets, which is usual; a pickle from a web page is not.
      const isFromWeb = operand.origins.some((o) => /^(?:requests|urllib|httpx)/.test(o.what));
      if (!isFromWeb || !isOwn || fact.isLarge) return [];
    }
    if (fact.isLarge && !isNear(fact, FETCHED)) return [];
    return [
      found(
        build,
        'remote-code',
        fact,
        { how: fact.api },
        isOwn && !fact.isLarge && !PICKLES.test(fact.api) && !isByHand(build, fact, operand)
          ? 'error'
          : 'warn',
      ),
    ];
  }
  // `Function.constructor(names, code)`: the code is its last argument.
  const isMadeFunction = action === 'execute' && fact.api === '$constructor' && !fact.isLarge;
  // The text of the function must come from the network, not only what it is called with.
  const code = fact.args.at(-1) ?? content;
  if (isMadeFunction && (code.labels & FETCHED) !== 0 && operand.texts.includes('require')) {
    return [found(build, 'remote-code', fact, { how: 'a constructor of functions' })];
  }
  if (
    action === 'load' &&
    operand.texts.some((t) => /^https?:\/\//.test(t)) &&
    fact.api === 'import'
  ) {
    return [found(build, 'remote-code', fact, { how: 'import of an address' }, 'warn')];
  }
  const isCommand =
    action === 'spawn' &&
    (operand.labels & FETCHED) !== 0 &&
    operand.texts.every((t) => t === '' || t.startsWith(UNKNOWN));
  if (isCommand && !fact.isLarge && fact.api !== 'child_process.fork') {
    return [found(build, 'remote-code', fact, { how: fact.api })];
  }
  const inline = action === 'spawn' ? inlineCode(fact) : undefined;
  if (inline !== undefined && (inline.labels & FETCHED) !== 0 && !fact.isLarge) {
    const level = isFromOwnAddress(build, inline) ? 'error' : 'warn';
    return [found(build, 'remote-code', fact, { how: fact.api }, level)];
  }
  const isFed =
    !fact.isLarge &&
    action === 'feed' &&
    (content.labels & FETCHED) !== 0 &&
    !fact.api.startsWith('os.');
  if (
    isFed &&
    operand.texts.some((t) =>
      /(?:^|\/)(?:(?:ba|z)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|node|python3?)$/.test(t),
    )
  ) {
    return [found(build, 'remote-code', fact, { how: 'the input of a shell' })];
  }
  return [];
}

/** In a bundle, facts that are farther apart are connected by chance. */
const NEAR = 20_000;

export function isNear({ path, at, operand }: Fact, label: number): boolean {
  return operand.origins.some(
    (o) => (o.label & label) !== 0 && o.path === path && Math.abs(o.at - at) < NEAR,
  );
}

/** Whether the code contains or computes the address that it fetches from; otherwise its caller passes it. */
function isFromOwnAddress(build: ScannedBuild, value: Value): boolean {
  return requestsFor(build, value).some(namesHost);
}

function requestsFor({ taint }: ScannedBuild, { origins }: Value): Fact[] {
  const fetched = origins.filter((o) => (o.label & FETCHED) !== 0);
  return taint.facts.filter(
    (f) => f.action === 'send' && fetched.some((o) => o.path === f.path && o.at === f.at),
  );
}

/** A script of the maintainers, which runs what the places serve from which packages are published. */
function isByHand(build: ScannedBuild, { path }: Fact, value: Value): boolean {
  if (!/(?:^|\/)(?:tools|scripts)\//.test(path) || filesAtInstall(build).has(path)) return false;
  const hosts = requestsFor(build, value).map(hostsOf);
  return hosts.every((all) => all.length > 0 && all.every(isDistributor));
}

function namesHost(fact: Fact): boolean {
  const isMadeUp = (fact.operand.labels & (DECODED | SPELLED)) !== 0;
  return (
    isMadeUp ||
    hostsOf(fact).length > 0 ||
    addressesOf(fact).some((a) => /[a-z\d]{4}/i.test(a.replace(/^\w{2,8}:/, '')))
  );
}

/** A file into which downloaded content is written, and which is then started. */
function downloads(build: ScannedBuild): Finding[] {
  return arrivedFiles(build).flatMap((file) => {
    const { path, names, targets, sends } = file;
    const locked = lockedStartOf(build, file);
    const start = startOf(build, file) ?? locked;
    if (start === undefined) return [];
    const isSuspicious = sends.some((f) => suspicionsOf(f).length > 0);
    // In a bundle only an address that is visible connects the two.
    const hosts = sends.flatMap(hostsOf).filter((one) => !isLocal(one) && one.includes('.'));
    if (file.isLarge && !isSuspicious && hosts.length === 0) return [];
    const addresses = sends.flatMap(addressesOf).filter((a) => hostOf(a) !== undefined);
    if (!isSuspicious && addresses.every((a) => isTrustedPlace(build, a))) return [];
    const isProgram = /\.(?:exe|bat|ps1|vbs|scr|dll)$/i.test(names[0] ?? '');
    const isOfMaker =
      hosts.length > 0 &&
      addresses.every((a) => a.startsWith('https:')) &&
      (hosts.every((one) => isOwnHost(build, one)) || comparesDigest(build, path));
    const level =
      isSuspicious ||
      locked !== undefined ||
      ((filesAtInstall(build).has(path) || isProgram) && !isOfMaker)
        ? 'error'
        : 'warn';
    const [host = 'an address'] = hosts;
    const args = { file: quote(names[0] ?? targets[0] ?? ''), host: quote(host) };
    return [found(build, 'remote-code-download', start, args, level)];
  });
}

/** Whether the code compares a digest of what it downloads with one that is known. */
function comparesDigest({ files }: ScannedBuild, path: string): boolean {
  const text = files.find((one) => one.path === path)?.text ?? '';
  return /\b(?:createHash|hashlib)\b/.test(text) && COMPARED.test(text);
}

const COMPARED =
  /(?:checksum|sha256|digest|hash)\w{0,20}\s{0,3}[!=]==?|[!=]==?\s{0,3}[\w.]{0,40}(?:checksum|sha256|digest|hash)/i;
