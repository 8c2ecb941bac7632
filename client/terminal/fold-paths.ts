/** Folds a long list of files into folders with counts. */

/** Lists up to this length are shown whole. */
const MAX_SHOWN = 20;
/** A folder with fewer files is not worth a fold. */
const MIN_FOLDED = 4;

/** A path as it is, or a folder (with "/" at its end, "./" is the project's) that stands for `count` files. */
export interface FoldedPath {
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
