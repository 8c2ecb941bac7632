/** The files into which code downloads something, and where one of them is started. */
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import type { Fact } from '../taint/api.ts';
import { FETCHED } from '../taint/label.ts';
import { UNKNOWN, deepTexts, textValue } from '../taint/value.ts';
import { commandsOf, staysLocal } from './fact-evidence.ts';
import { fileAt } from './fact-finding.ts';
import { commandRequests } from './command-requests.ts';
import { once } from '../once.ts';
import { parseShell } from '../shell/parse-shell.ts';
import { isInterpreter, programOf } from '../shell/shell-program.ts';
import { baseOf } from '../shell/fetched-files.ts';
import { shellPlaces } from '../shell/sources.ts';

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
  return far ?? names.flatMap((name) => shellStarts(build).get(name) ?? [])[0];
}

/** Where code starts a program after it unpacked a downloaded archive with a password. */
export function lockedStartOf(build: ScannedBuild, file: ArrivedFile): StartPlace | undefined {
  if (file.isLarge || !opensLocked(fileAt(build, file))) return undefined;
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
  return startsOf(fact).some(
    (command) =>
      targets.some((target) => command === target || isBelow(command, target)) ||
      names.some((name) => command.includes(name) && !DATA_FILE.test(name)),
  );
}

const startsOf = once((fact: Fact) =>
  commandsOf(fact).filter((text) => fact.action !== 'spawn' || !HANDLES_DATA.test(text)),
);

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
const shellStarts = once((build: ScannedBuild) => {
  const starts = shellPlaces(build)
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
            .map((word): [string, StartPlace] => {
              const end = at + Math.max(1, command.end - command.start);
              return [baseOf(word), { path: file.path, at, end }];
            });
        }),
    );
  return new Map(starts.toReversed());
});

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
