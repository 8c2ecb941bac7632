/** What a build folder must be to be published: in its place, valid, not risky, with a new version, and what it may require. */
import { own } from '../../../format/registry/moves.ts';
import { statusOf, takeDownOf, WHOLE_BUILD } from '../../../format/registry/status.ts';
import { steersGit } from '../../../format/build/build-files.ts';
import { printable } from '../../../format/build/file-path.ts';
import type { Reason } from '../gate-verdict.ts';
import { compareVersions, satisfies } from '../../../format/version/semver-range.ts';
import { roleOf } from '../../git/history.ts';
import type { Change } from './rule.ts';
import { findingReason, reason } from '../reasons.ts';
import { ownerFileAt } from '../registry.ts';

/** Place, presence, form and content of each folder. */
export function checkBuildFolders({ builds, owners }: Change): Reason[] {
  return builds.flatMap(({ id, folder, misplaced, newest, proposal }) => {
    if (misplaced.length > 0) {
      return misplaced.map((found) => findingReason(found, printable(folder)));
    }
    if (proposal === undefined) {
      const [owner, name = ''] = id.split('/');
      const file = owners.find((one) => one.owner === owner);
      const { before = {}, after = before } = file ?? {};
      // Published versions are read from history: without its folder a build is served, and has no further versions.
      const mayGo =
        typeof after === 'object' &&
        !(after instanceof Error) &&
        (takeDownOf(after, name, WHOLE_BUILD) ?? own(after.deprecated, name)) !== undefined;
      return newest === undefined || mayGo ? [] : [reason('gate-build-deleted', folder)];
    }
    const { source, findings } = proposal;
    const steering = source.files.filter((file) => steersGit(file.path));
    const errors = findings.filter(
      (found) => found.level === 'error' && found.waived === undefined,
    );
    return [
      ...steering.map(({ path }) => {
        const name = path.split('/').at(-1) ?? '';
        return reason('gate-attributes', `${folder}/${path}`, { name });
      }),
      ...errors.map((found) => findingReason(found, folder)),
    ];
  });
}

/** A version is published once, above the newest one of its major version. */
export async function checkVersions({ builds }: Change): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { folder, proposal } of builds) {
    if (proposal?.version === undefined) continue;
    const { examined, history } = proposal.version;
    const { version } = examined.build.manifest;
    const file = `${folder}/stackyard.json`;
    const published = await history.findSamePrecedence(version);
    const role = roleOf({ version, tree: proposal.tree }, published);
    if (published !== undefined && role !== 'repeats') {
      const args = { version, commit: published.commit.slice(0, 12), published: published.version };
      const code = role === 'violates' ? 'gate-version-published' : 'gate-version-precedence';
      reasons.push(reason(code, file, args));
      continue;
    }
    const line = version.split('.')[0];
    const newest = await history.highest((one) => one.split('.')[0] === line);
    if (newest !== undefined && compareVersions(version, newest.version) < 0) {
      reasons.push(reason('gate-version-order', file, { version, newest: newest.version }));
    } else if (published !== undefined) reasons.push(reason('gate-restored', file, { version }));
  }
  return reasons;
}

/** The risk that the scan finds, and waivers that do not hold any more. */
export function checkScans({ builds }: Change): Reason[] {
  return builds.flatMap(({ folder, proposal }) => {
    if (proposal === undefined) return [];
    const { version, stale } = proposal;
    const risk = version?.examined.risk;
    return [
      ...(risk === 'danger' ? [reason('gate-danger', folder)] : []),
      ...(risk === 'caution' ? [reason('gate-caution', folder)] : []),
      ...stale.map(({ code, file, version: of }) => {
        return reason('gate-waiver-stale', `${folder}/${file}`, { code, version: of });
      }),
    ];
  });
}

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
  const proposed = (await change.proposed()).get(id);
  const history = await change.history(id);
  const hasVersion = async (isWanted: (version: string) => boolean): Promise<boolean> =>
    (proposed !== undefined && isWanted(proposed)) ||
    (await history.highest(isWanted)) !== undefined;
  // Another account could register a free name, and the users of this build would then trust it.
  if (!(await hasVersion(() => true))) return 'gate-requirement';
  if (!(await hasVersion((version) => satisfies(version, range)))) return 'gate-requirement-range';
  const [owner = '', name = ''] = id.split('/');
  // The file belongs to another owner: its faults are no reason against this build.
  const file = await ownerFileAt(change, change.tree, owner);
  const read = file === undefined || file instanceof Error ? {} : file;
  const isFree = await hasVersion((one) => {
    const isOffered = statusOf(read, name, one).is === 'open';
    return satisfies(one, range) && isOffered;
  });
  return isFree ? undefined : 'gate-requirement-yanked';
}
