/** What an update asks the resolver for. Pure. */
import type { Lock } from '../../format/project/lock.ts';
import type { Movable } from './candidates.ts';
import type { BuildRequest } from './request.ts';

interface UpdateRequirements {
  readonly lock: Pick<Lock, 'builds'>;
  /** Builds to update; empty: all. A range replaces the one that the lock records. */
  readonly requests: readonly BuildRequest[];
  /** Whether the recorded ranges of the builds to update count no more. */
  readonly latest: boolean;
}

/** All that the user asked for once, with new ranges for what is to be updated. */
export function updateRequests({ lock, requests, latest }: UpdateRequirements): {
  requests: BuildRequest[];
  movable: Map<string, Movable>;
} {
  const asked = new Map(requests.map((request) => [request.id, request]));
  const isTarget = (id: string): boolean => asked.size === 0 || asked.has(id);
  const solveFor: BuildRequest[] = [];
  const movable = new Map<string, Movable>();
  for (const [id, { version, requested }] of Object.entries(lock.builds)) {
    const range = asked.get(id)?.range;
    const requirement = !isTarget(id) ? 'keep' : range === undefined ? 'raise' : 'free';
    movable.set(id, { version, requirement });
    if (range !== undefined) solveFor.push({ id, range });
    else if (requested !== undefined) {
      // "*" lets prereleases out, which a prerelease that is installed need not leave.
      solveFor.push({ id, range: latest && isTarget(id) ? '*' : requested });
    }
  }
  return { requests: solveFor, movable };
}
