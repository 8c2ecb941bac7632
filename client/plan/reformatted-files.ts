/**
 * Which files of installed builds differ from those that were placed only in their formatting. The lock has digests
 * alone, so that the shipped texts come from the cache or the registry.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { type Lock, type LockedBuild, placedIntegrity } from '../../format/project/lock.ts';
import { compareSources, isComparable } from '../edit/compare/compare-sources.ts';
import { hasOnlyOtherLineEnds } from './file-removal.ts';
import { targetPath } from './files.ts';
import type { FetchedBuild } from './plan.ts';

/** What one command compares at most, beyond which files are compared by their bytes. */
const REFORMATTED_FILES_MAX_COMPARED_BYTES = 64 * 1024 * 1024;

/** A file of an installed build whose bytes differ. */
interface ChangedFile {
  readonly build: string;
  readonly path: string;
  /** Path within the build. */
  readonly from: string;
  /** Digest of the file as it was shipped. */
  readonly integrity: string;
  readonly bytes: Uint8Array;
}

/**
 * The paths of files that are only reformatted.
 * @param shipped the installed versions, each with the imports of its place
 */
export async function findReformatted(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
  shipped: ReadonlyMap<string, FetchedBuild>,
): Promise<Set<string>> {
  const reformatted = new Set<string>();
  let left = REFORMATTED_FILES_MAX_COMPARED_BYTES;
  for (const { build, path, from, integrity, bytes } of changedFiles(installed, present)) {
    const file = shipped.get(build)?.files.get(from);
    if (file === undefined) continue;
    const { bytes: text, rewrite } = file;
    if ((rewrite?.shipped ?? integrityOf(text)) !== integrity) continue;
    left -= text.length + bytes.length;
    if (left < 0) break;
    if ((await compareSources(path, text, bytes)).kind === 'same') reformatted.add(path);
  }
  return reformatted;
}

/**
 * The paths of files that the project has where `builds` place new ones, and that differ from these only in their
 * formatting. Files of installed builds are none.
 */
export async function findAdoptable(
  builds: Iterable<FetchedBuild>,
  lock: Lock | undefined,
  present: ReadonlyMap<string, Uint8Array>,
): Promise<Set<string>> {
  const adoptable = new Set<string>();
  const installed = new Set(
    Object.values(lock?.builds ?? {}).flatMap(({ files }) => Object.keys(files)),
  );
  let left = REFORMATTED_FILES_MAX_COMPARED_BYTES;
  for (const build of builds) {
    for (const [from, { bytes }] of build.files) {
      const path = targetPath(build, from);
      const ours = present.get(path);
      if (ours === undefined || installed.has(path) || !isComparable(path)) continue;
      if (Buffer.compare(ours, bytes) === 0) continue;
      left -= ours.length + bytes.length;
      if (left < 0) return adoptable;
      if ((await compareSources(path, bytes, ours)).kind === 'same') adoptable.add(path);
    }
  }
  return adoptable;
}

/** Ids of the builds that have changed files which can be compared: their shipped texts tell formatting from edits. */
export function changedBuilds(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
): Set<string> {
  const changed = [...changedFiles(installed, present)].filter(({ path }) => isComparable(path));
  return new Set(changed.map(({ build }) => build));
}

/** A file whose line ends alone differ is known without its text. */
function* changedFiles(
  installed: Iterable<readonly [string, LockedBuild]>,
  present: ReadonlyMap<string, Uint8Array>,
): Generator<ChangedFile> {
  for (const [build, locked] of installed) {
    for (const [path, { from, integrity }] of Object.entries(locked.files)) {
      const bytes = present.get(path);
      const placed = placedIntegrity(locked, path) ?? '';
      if (bytes === undefined || integrityOf(bytes) === placed) continue;
      if (!hasOnlyOtherLineEnds(bytes, placed)) yield { build, path, from, integrity, bytes };
    }
  }
}
