/** Builds that moved to another id: their heads name it. What the registry does not lead to its end is not followed. */
import type { Head } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { MAX_MOVES } from '../../format/registry/moves.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import type { Warning } from '../plan/plan.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';

/**
 * The requests with the ids at which builds are now, and a note for each that was followed. A request whose range has no version at the new id stays.
 * @throws {ClientError} those of the registry
 */
export async function followMoves<Request extends BuildRequest>(
  registry: Registries,
  requests: readonly Request[],
  lock: Pick<Lock, 'builds'> | undefined,
): Promise<{ readonly requests: readonly Request[]; readonly notes: readonly Warning[] }> {
  registry.assign(requests);
  const notes: Warning[] = [];
  const followed: Request[] = [];
  for (const request of requests) {
    const end =
      lock?.builds[request.id] === undefined ? await endOfMoves(registry, request.id) : undefined;
    if (end === undefined || !hasVersion(end, request.range)) followed.push(request);
    else {
      notes.push(movedNote(request.id, end.id));
      followed.push({ ...request, id: end.id });
    }
  }
  return { requests: followed, notes };
}

/** The head of the build at which the way of `id` ends; `undefined` for one that did not move, or leads nowhere. */
export async function endOfMoves(registry: Registries, id: string): Promise<Head | undefined> {
  const seen = new Set([id]);
  let head = await registry.head(id);
  const start = head;
  while (head?.moved !== undefined) {
    const { to } = head.moved;
    if (seen.has(to) || seen.size > MAX_MOVES) return undefined;
    // The new owner belongs to the registry that names it.
    registry.assign([{ id: to, registry: registry.entryOf(head.id).name }]);
    seen.add(to);
    head = await registry.head(to);
  }
  return head === start ? undefined : head;
}

/** Whether the build has a version in `range` that can be chosen. */
export function hasVersion({ versions }: Head, range: string | undefined): boolean {
  return versions.some(({ version, status }) => {
    return status.is === 'open' && (range === undefined || satisfies(version, range));
  });
}

export function movedNote(id: string, to: string): Warning {
  return { code: 'build-moved', message: `"${id}" moved to "${to}"`, path: '' };
}
