/** Folders that are created for builds, as entries of the lock (`src/`), and which of them can be removed. Pure. */
import type { LockedBuild } from '../../format/lock/lock.ts';
import type { FileChange } from './plan.ts';

/** Entries for the folders of `missing` that the files of `changes` create. */
export function createdFolders(
  changes: readonly FileChange[],
  missing: ReadonlySet<string>,
): string[] {
  const created = changes
    .filter((change) => change.bytes !== undefined)
    .flatMap(({ path }) => parentsOf(path).filter((folder) => missing.has(folder)));
  return [...new Set(created)].map((folder) => `${folder}/`);
}

/** Created folders that contain no file of `staying`; without `/` at the end. */
export function emptiedFolders(
  created: Iterable<string>,
  staying: Iterable<LockedBuild>,
): string[] {
  const used = new Set<string>();
  for (const { files, wiring = [] } of staying) {
    const paths = [...Object.keys(files), ...wiring.map(({ file }) => file)];
    for (const path of paths) for (const folder of parentsOf(path)) used.add(folder);
  }
  return [...created]
    .filter((mark) => mark.endsWith('/'))
    .map((mark) => mark.slice(0, -1))
    .filter((folder) => !used.has(folder));
}

/** `a/b/c.ts` has the parents `a` and `a/b`. */
function parentsOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'));
}
