/** The lock of an update with installed builds under the ids to which they moved. */
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import type { Warning } from '../plan/plan.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { endOfMoves, hasVersion, movedNote } from './follow-moves.ts';

export interface MovedLock {
  readonly lock: Lock;
  readonly requests: readonly BuildRequest[];
  /** New id to the id that the project has. */
  readonly moved: ReadonlyMap<string, string>;
  readonly notes: readonly Warning[];
}

/**
 * Moves what `requests` name, or everything. A build that another installed build requires under its old id stays, as
 * one whose range has no version at the new id.
 * @throws {ClientError} those of the registry
 */
export async function moveLock(
  registry: Registries,
  lock: Lock,
  requests: readonly BuildRequest[],
): Promise<MovedLock> {
  const builds: Record<string, LockedBuild> = { ...lock.builds };
  const moved = new Map<string, string>();
  const notes: Warning[] = [];
  const asked = new Map(requests.map((request) => [request.id, request.range]));
  for (const [id, build] of Object.entries(lock.builds)) {
    if (build.source !== undefined || (asked.size > 0 && !asked.has(id))) continue;
    const end = await endOfMoves(registry, id);
    if (end === undefined || Object.hasOwn(builds, end.id)) continue;
    const note = movedNote(id, end.id);
    const range = asked.get(id) ?? build.requested;
    const requirers = Object.entries(lock.builds).filter(([, other]) => {
      return Object.hasOwn(other.builds, id);
    });
    const [requirer] = requirers;
    if (requirer !== undefined || !hasVersion(end, range)) {
      const why =
        requirer === undefined
          ? `where no version is in ${range}: "stackyard update ${id}@<range>"`
          : `and stays, as "${requirer[0]}" requires it under this id`;
      notes.push({ ...note, message: `${note.message}, ${why}` });
      continue;
    }
    delete builds[id];
    builds[end.id] = build;
    moved.set(end.id, id);
    notes.push(note);
  }
  if (moved.size === 0) return { lock, requests, moved, notes };
  const newIds = new Map([...moved].map(([to, from]) => [from, to]));
  return {
    lock: { ...lock, builds: renamed(builds, newIds) },
    requests: requests.map((request) => ({
      ...request,
      id: newIds.get(request.id) ?? request.id,
    })),
    moved,
    notes,
  };
}

/** `required_by` names builds by their new ids. */
function renamed(
  builds: Readonly<Record<string, LockedBuild>>,
  newIds: ReadonlyMap<string, string>,
): Lock['builds'] {
  const entries = Object.entries(builds).map(([id, build]) => {
    const required_by = build.required_by.map((other) => newIds.get(other) ?? other).sort();
    return [id, { ...build, required_by }] as const;
  });
  return Object.fromEntries(entries);
}
