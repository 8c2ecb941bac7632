/** Where a build starts a downloaded file: code, commands, and shell text in any of its files. */
import { once } from '../text/once.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { parseShell } from '../shell/parse-shell.ts';
import { isInterpreter, programOf } from '../shell/shell-program.ts';
import { shellPlaces } from '../shell/sources.ts';
import type { Fact } from '../taint/fact.ts';
import type { ArrivedFile } from './arrived-file.ts';
import { commandsOf } from './fact-evidence.ts';

/** The place of a start. */
export type StartPlace = Pick<Fact, 'path' | 'at' | 'end'>;

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
      targets.includes(command) ||
      names.some((name) => !DATA_FILE.test(name) && command.includes(name))
    );
  });
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
