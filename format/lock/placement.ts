/** Where a locked build is in its project, and what was placed there when its imports were rewritten. */
import type { LockedBuild } from './lock.ts';

type Placed = Pick<LockedBuild, 'base' | 'files' | 'placement'>;

/** The folder of the files in the project; "" is the root. */
export function placeOf({ base, placement }: Pick<Placed, 'base' | 'placement'>): string {
  return placement?.to ?? base;
}

/** The digest of a file as it was placed: that of the shipped file, unless its imports were rewritten. */
export function placedIntegrity({ files, placement }: Placed, path: string): string | undefined {
  const rewritten = placement?.rewritten ?? {};
  return Object.hasOwn(rewritten, path) ? rewritten[path] : files[path]?.integrity;
}
