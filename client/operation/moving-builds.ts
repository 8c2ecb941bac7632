/** Which installed builds get other places or imports, although their version stays. Pure. */
import type { Lock } from '../../format/lock/lock.ts';
import { placeOf } from '../../format/lock/placement.ts';
import type { PlacingWish } from '../plan/plan.ts';

/**
 * The builds that `placing` moves, those that require them, whose imports follow, and the requested builds
 * whose imports are to be written in another way.
 */
export function movingBuilds(
  { builds }: Pick<Lock, 'builds'>,
  placing: PlacingWish | undefined,
  requests: readonly { readonly id: string }[],
): ReadonlySet<string> {
  const moving = new Set<string>();
  for (const [id, folder] of placing?.to ?? []) {
    const build = builds[id];
    if (build !== undefined && placeOf(build) !== folder) moving.add(id);
  }
  // The set grows during the loop, so that those that require them indirectly are found too.
  for (const id of moving) {
    for (const [other, build] of Object.entries(builds)) {
      if (Object.hasOwn(build.builds, id)) moving.add(other);
    }
  }
  if (placing?.imports === undefined) return moving;
  const wanted = requests.length === 0 ? Object.keys(builds) : requests.map(({ id }) => id);
  for (const id of wanted) {
    const { imports, alias } = builds[id]?.placement ?? {};
    if (imports !== placing.imports || alias !== placing.alias) moving.add(id);
  }
  return moving;
}
