/** A list of files, each with what happens to it; where many are treated alike, folded by folder. */
import { span, type Role, type StyledText } from './styled-text.ts';

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

/** A file of the list. */
export interface FileLine {
  /** `+` new, `~` and `!` changed, `x` removed, `?` with conflicts, `=` kept; all but new and changed have a note. */
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
