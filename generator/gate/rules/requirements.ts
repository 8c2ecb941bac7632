/**
 * What a build may require: a build of the registry, or of the same pull request, in a version that is in the
 * range and is not yanked.
 */
import type { Reason } from '../../../format/registry/gate-verdict.ts';
import { takeDownOf, yanksOf } from '../../../format/registry/withdrawals.ts';
import { satisfies } from '../../../format/version/semver-range.ts';
import type { Change } from './rule.ts';
import { ownerFileAt } from '../registry.ts';
import { reason } from '../reasons.ts';

export async function checkRequirements(change: Change): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { folder, proposal } of change.builds) {
    const { builds = {} } = proposal?.version?.examined.build.manifest ?? {};
    const file = `${folder}/stackyard.json`;
    for (const [id, range] of Object.entries(builds)) {
      const code = await problemOf(change, id, range);
      if (code === 'gate-requirement') reasons.push(reason(code, file, { id }));
      else if (code !== undefined) reasons.push(reason(code, file, { id, range }));
    }
  }
  return reasons;
}

async function problemOf(
  change: Change,
  id: string,
  range: string,
): Promise<'gate-requirement' | 'gate-requirement-range' | 'gate-requirement-yanked' | undefined> {
  const own = (await change.proposed()).get(id);
  // Another account could register a free name, and the users of this build would then trust it.
  if (own === undefined && !(await change.names()).ids.has(id)) return 'gate-requirement';
  const history = await change.history(id);
  const hasVersion = async (isWanted: (version: string) => boolean): Promise<boolean> =>
    (own !== undefined && isWanted(own)) || (await history.highest(isWanted)) !== undefined;
  if (!(await hasVersion((version) => satisfies(version, range)))) return 'gate-requirement-range';
  const [owner = '', name = ''] = id.split('/');
  // The file belongs to another owner: its faults are no reason against this build.
  const file = await ownerFileAt(change, change.tree, owner);
  const read = file === undefined || file instanceof Error ? {} : file;
  const yanked = yanksOf(read, name);
  const isFree = await hasVersion((one) => {
    const isOffered = !Object.hasOwn(yanked, one) && takeDownOf(read, name, one) === undefined;
    return satisfies(one, range) && isOffered;
  });
  return isFree ? undefined : 'gate-requirement-yanked';
}
