/** The folders that are made for builds, as marks of the lock (`src/`), and those that can go. Pure. */
import type { LockedBuild } from '../../format/lock.ts';
import type { FileChange } from '../install/stage.ts';

/** Marks for the folders of `missing` that the files of `changes` make. */
export function madeFolders(
  changes: readonly FileChange[],
  missing: ReadonlySet<string>,
): string[] {
  const made = changes
    .filter((change) => change.bytes !== undefined)
    .flatMap(({ path }) => parentsOf(path).filter((folder) => missing.has(folder)));
  return [...new Set(made)].map((folder) => `${folder}/`);
}

/** Folders that were made for builds and in which none of `staying` has a file; without `/` at the end. */
export function emptiedFolders(made: Iterable<string>, staying: Iterable<LockedBuild>): string[] {
  const used = new Set<string>();
  for (const { files } of staying) {
    for (const path of Object.keys(files)) for (const folder of parentsOf(path)) used.add(folder);
  }
  return [...made]
    .filter((mark) => mark.endsWith('/'))
    .map((mark) => mark.slice(0, -1))
    .filter((folder) => !used.has(folder));
}

/** `a/b/c.ts` has `a` and `a/b`. */
function parentsOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'));
}
