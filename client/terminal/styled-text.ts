/** A line for people: plain text, or spans with the role that each plays. Colours are chosen here, in one place. */
import pico from 'picocolors';
import { printable } from './printable.ts';

/** What a span means; the colour follows from it. */
export type Role =
  | 'added'
  | 'changed'
  | 'removed'
  | 'good'
  | 'bad'
  | 'path'
  | 'command'
  | 'number'
  | 'strong'
  | 'faint';

interface Span {
  readonly role: Role;
  readonly text: string;
}

/** One line; a string has no role. */
export type StyledText = string | readonly (string | Span)[];

/** `text` with a role. */
export function span(role: Role, text: string | number): Span {
  return { role, text: String(text) };
}

/** The role of a rating of risk. */
export function riskRole(risk: string): Role {
  return risk === 'ok' ? 'good' : risk === 'caution' ? 'changed' : 'bad';
}

/** The line without roles. */
export function plainText(line: StyledText): string {
  if (typeof line === 'string') return line;
  return line.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/**
 * The line without control characters, coloured by its roles if `hasColor`.
 * @param name how commands of this client are written
 */
export function paintText(
  line: StyledText,
  hasColor: boolean,
  name: NameCommands = (text) => text,
): string {
  if (typeof line === 'string') return printable(line);
  const colors = pico.createColors(hasColor);
  const paints: Readonly<Record<Role, (text: string) => string>> = {
    added: colors.green,
    changed: colors.yellow,
    removed: colors.red,
    good: colors.green,
    bad: colors.red,
    path: colors.cyan,
    command: colors.cyan,
    number: colors.magenta,
    strong: colors.bold,
    faint: colors.dim,
  };
  const textOf = ({ role, text }: Span): string => (role === 'command' ? name(text) : text);
  return line
    .map((part) =>
      typeof part === 'string' ? printable(part) : paints[part.role](printable(textOf(part))),
    )
    .join('');
}

/** Changes the commands in a text. */
export type NameCommands = (text: string) => string;

/**
 * Writes `start` instead of `stackyard` where a text has a command of this client.
 * @param start what the user types before the name of a command
 * @param names of the commands
 */
export function nameCommands(start: string, names: readonly string[]): NameCommands {
  if (start === 'stackyard') return (text) => text;
  const words = [...names, '--help', '--version', 'help', '<command>'].join('|');
  // Ids such as stackyard/account, and sentences about the program, stay.
  const command = new RegExp(`(?<![\\w/@:.-])stackyard (?=(?:${words})(?![\\w/-]))`, 'g');
  return (text) => text.replace(command, () => `${start} `);
}

/** Lists up to this length are shown whole. */
const MAX_SHOWN = 12;
/** A folder with fewer files is not worth a fold. */
const MIN_FOLDED = 4;

/** A path as it is, or a folder (with "/" at its end, "./" is the project's) that stands for `count` files. */
interface FoldedPath {
  readonly path: string;
  readonly count: number;
  /** The first of its files. */
  readonly first: string;
}

/**
 * `paths` in their order; where they are many, those of one folder become one entry, at the place of the first.
 * A folder with few files of its own is counted with the folder above it.
 */
export function foldPaths(paths: readonly string[]): FoldedPath[] {
  if (paths.length <= MAX_SHOWN) return paths.map(single);
  const folded: FoldedPath[] = [];
  for (const [folder, files] of groupByFolder(paths)) {
    if (files.length < MIN_FOLDED) folded.push(...files.map(single));
    else
      folded.push({
        path: folder === '' ? './' : `${folder}/`,
        count: files.length,
        first: files[0]!,
      });
  }
  return folded;
}

/** Files by folder; small folders are joined with the nearest folder above that has files or siblings. */
function groupByFolder(paths: readonly string[]): Map<string, string[]> {
  const groups = Map.groupBy(paths, folderOf);
  const folders = [...groups.keys()].sort((a, b) => depthOf(b) - depthOf(a));
  for (const folder of folders) {
    const files = groups.get(folder)!;
    if (folder === '' || files.length >= MIN_FOLDED) continue;
    const above = folderOf(folder);
    // The root is no fold for everything below it.
    if (above === '') continue;
    const joined = groups.get(above);
    if (joined === undefined) continue;
    joined.push(...files);
    groups.delete(folder);
  }
  return groups;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function single(path: string): FoldedPath {
  return { path, count: 1, first: path };
}

/** A list of files, each with what happens to it; where many are treated alike, folded by folder. */
export interface FileLine {
  /** `+` new, `~` and `!` changed, `x` removed, `?` with conflicts, `=` and `-` kept. */
  readonly mark: string;
  readonly path: string;
  /** What happens to it, where the mark does not say all. */
  readonly note?: string;
  /** Lines about this file alone, which stand below it: such a file is never folded. */
  readonly below?: readonly StyledText[];
}

const ROLES: Readonly<Partial<Record<string, Role>>> = {
  '+': 'added',
  '~': 'changed',
  '!': 'changed',
  '?': 'bad',
  x: 'removed',
};
const FOLDABLE = new Set(['+', '~', '!', 'x']);

/**
 * One line for each file, or for a folder of files with the same mark and note, at the place of the first.
 * @param isVerbose whether to list each file
 */
export function fileLines(files: readonly FileLine[], isVerbose: boolean): StyledText[] {
  const plain = files.filter(({ mark, below = [] }) => FOLDABLE.has(mark) && below.length === 0);
  const alike = Map.groupBy(isVerbose ? [] : plain, ({ mark, note = '' }) => `${mark}${note}`);
  const counts = new Map<FileLine, { path: string; count: number }>();
  const hidden = new Set<FileLine>();
  for (const group of alike.values()) {
    const folds = new Map(foldPaths(group.map(({ path }) => path)).map((f) => [f.first, f]));
    for (const file of group) {
      const fold = folds.get(file.path);
      if (fold === undefined) hidden.add(file);
      else if (fold.count > 1) counts.set(file, fold);
    }
  }
  return files.flatMap((file): StyledText[] => {
    if (hidden.has(file)) return [];
    const { mark, path, note = '', below = [] } = file;
    const fold = counts.get(file);
    if (fold === undefined) return [lineOf(mark, path, note === '' ? [] : [`  ${note}`]), ...below];
    const rest = note === '' ? '' : ` ${note}`;
    return [lineOf(mark, fold.path, ['  ', span('number', fold.count), ` files${rest}`])];
  });
}

function lineOf(mark: string, path: string, rest: Exclude<StyledText, string>): StyledText {
  const role = ROLES[mark];
  return ['  ', role === undefined ? mark : span(role, mark), ' ', span('path', path), ...rest];
}
