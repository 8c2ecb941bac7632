/** Tags that one build of a project provides: what imports "the accounts" or "the database" must find one. Pure. */
import type { LockedBuild } from '../../format/project/lock.ts';
import type { Conflict } from './conflict.ts';

const SINGLE_TAGS = ['auth', 'database'];

type Provider = Pick<LockedBuild, 'provides' | 'builds'>;

/**
 * The conflict of a build that provides such a tag beside another one; `undefined` where there is none. A build that requires another
 * provider stands in its place. Builds that are installed already are left alone.
 * @param all what the project would have, sorted by id
 */
export function singleTagConflict(
  all: ReadonlyMap<string, Provider>,
  isInstalled: (id: string) => boolean,
): Conflict | undefined {
  for (const tag of SINGLE_TAGS) {
    const providers = [...all].filter(([, { provides }]) => provides.includes(tag));
    const ids = providers.map(([id]) => id);
    const apart = ids.filter((id) => !ids.some((by) => by !== id && requires(all, by, id)));
    if (apart.length < 2 || apart.every(isInstalled)) continue;
    const names = apart.map((id) => nameOf(all, id)).join(' and ');
    const present = apart.filter(isInstalled).map((id) => `"stackyard remove ${id}"`);
    return {
      kind: 'conflict',
      code: 'ERR_RESOLVE',
      message: `Only one build of a project can provide "${tag}": ${names} do`,
      hint:
        present.length === 0
          ? 'leave out one of them'
          : `to change to the other one, run ${present.join(' and ')} first`,
    };
  }
  return undefined;
}

/** With a build that requires it: the user may not have asked for it. */
function nameOf(all: ReadonlyMap<string, Provider>, id: string): string {
  const by = [...all].find(([, { builds }]) => Object.hasOwn(builds, id))?.[0];
  return by === undefined ? `"${id}"` : `"${id}" (needed by ${by})`;
}

/** Whether `by` requires `id`, itself or through others. */
function requires(all: ReadonlyMap<string, Provider>, by: string, id: string): boolean {
  const found = new Set([by]);
  // The set grows during the loop.
  for (const one of found) {
    for (const required of Object.keys(all.get(one)?.builds ?? {})) found.add(required);
  }
  return found.has(id);
}
