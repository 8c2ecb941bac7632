/** Matches the files of an installed version with those of a new one: by their path in the build, then by renames. */
import { collisionKey } from '../../format/build/file-path.ts';
import type { LockedBuild } from '../../format/lock/lock.ts';
import { placedIntegrity } from '../../format/lock/placement.ts';
import type { Overlay } from './overlay.ts';
import { targetPath } from './files.ts';
import { findRenames } from './renames.ts';
import type { BuildFile, FetchedBuild } from './plan.ts';

interface FileVersions {
  readonly build: FetchedBuild;
  readonly old: LockedBuild;
  /** The old version; `undefined` when the registry no longer has it. */
  readonly base: FetchedBuild | undefined;
}

/** The old and the new place of one file; one of the two may be missing. */
export interface FilePair {
  readonly was: { readonly path: string; readonly entry: LockedBuild['files'][string] } | undefined;
  readonly goes:
    | { readonly path: string; readonly from: string; readonly file: BuildFile }
    | undefined;
}

/** The files of both versions, matched, sorted by path. */
export function pairFiles({ build, old, base }: FileVersions, overlay: Overlay): FilePair[] {
  const was = new Map(
    Object.entries(old.files).map(([path, entry]) => [entry.from, { path, entry }]),
  );
  const goes = new Map(
    [...build.files].map(([from, file]) => [from, { path: targetPath(build, from), from, file }]),
  );
  const pairs: FilePair[] = [];
  for (const [from, target] of goes) {
    const source = was.get(from);
    if (source === undefined) continue;
    pairs.push({ was: source, goes: target });
    was.delete(from);
    goes.delete(from);
  }
  const oldTexts = [...was].map(([from, { path, entry }]) => {
    const bytes = base?.files.get(from)?.bytes ?? overlay.get(path);
    return { from, bytes, integrity: placedIntegrity(old, path) ?? entry.integrity };
  });
  for (const [oldFrom, newFrom] of findRenames(oldTexts, [...goes.values()])) {
    pairs.push({ was: was.get(oldFrom), goes: goes.get(newFrom) });
    was.delete(oldFrom);
    goes.delete(newFrom);
  }
  for (const source of was.values()) pairs.push({ was: source, goes: undefined });
  for (const target of goes.values()) pairs.push({ was: undefined, goes: target });
  const key = ({ was: source, goes: target }: FilePair): string =>
    collisionKey(target?.path ?? source?.path ?? '');
  return pairs.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
