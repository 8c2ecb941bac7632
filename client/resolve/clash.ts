/**
 * Selects the failure to report from a derivation: the first one that the search met with the highest
 * versions. The derivation lists all failures.
 */
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import type { BuildTable } from './build-table.ts';
import type { Conflict, Demand } from './conflict.ts';
import {
  lockedConflict,
  missingBuild,
  noCandidate,
  selfConflict,
  stackConflict,
} from './conflict.ts';
import { firstPublications } from './first-publications.ts';
import type { Cause, Incompatibility, Origin } from './incompatibility.ts';
import type { KnownHead } from './known-head.ts';
import { requirerOf } from './requirer.ts';
import type { ResolveInput } from './resolve-input.ts';
import { isInProject } from './stack-tags.ts';
import type { VersionSet } from './version-set.ts';
import { intersect } from './version-set.ts';

/** How many requirements of one build, the first ones, are compared with a new one. */
const MAX_COMPARED = 100;

/**
 * @param nodes the incompatibilities of a derivation, lowest serial first
 * @param demands all demands that the search found, from which the chain to a build is derived
 */
export function clashOf(
  nodes: readonly Incompatibility[],
  demands: ReadonlyMap<string, readonly Demand[]>,
  input: ResolveInput,
  builds: BuildTable,
): Conflict {
  const demandOf = ({ by, version, required: id, range }: Origin): Demand => {
    return { id, range, by: by === undefined ? undefined : requirerOf(demands, by, version) };
  };
  const headOf = (id: string): KnownHead => input.heads.get(id)!;
  const byBuild = new Map<string, Origin[]>();
  for (const { cause } of nodes) {
    if (cause.kind === 'missing') return missingBuild([demandOf(cause.origin)]);
    if (cause.kind === 'locked') return lockedConflict(demandOf(cause.origin), cause.installed);
    if (cause.kind === 'self') return selfConflict(demandOf(cause.origin));
    if (cause.kind === 'no-version') {
      const { required, by } = cause.origin;
      const requests = by === undefined ? input.requests : [];
      const same = requests.filter(({ id }) => id === required);
      const asked = same.map(({ id, range }): Demand => ({ id, range, by: undefined }));
      return noCandidate(headOf(required), asked.length > 1 ? asked : [demandOf(cause.origin)]);
    }
    if (cause.kind === 'stack') return tagConflict(cause, demands, input, builds);
    if (cause.kind === 'derived') continue;
    const { origin } = cause;
    const earlier = byBuild.get(origin.required) ?? [];
    // Two versions of one build are never chosen together, so they do not clash.
    const other = earlier.find((o) => !isSame(o, origin) && isUnmet([o, origin], builds));
    if (other !== undefined) {
      return noCandidate(headOf(origin.required), [other, origin].map(demandOf));
    }
    if (earlier.length < MAX_COMPARED) byBuild.set(origin.required, [...earlier, origin]);
  }
  for (const [id, origins] of byBuild) {
    const isDistinct = origins.every(
      (one, at) => !origins.slice(0, at).some((o) => isSame(o, one)),
    );
    if (isDistinct && isUnmet(origins, builds)) {
      return noCandidate(headOf(id), origins.map(demandOf));
    }
  }
  return noneTogether(input);
}

function isSame(a: Origin, b: Origin): boolean {
  return a.build !== undefined && a.build === b.build;
}

/** Whether no version meets all of `origins`, which are about one build. */
function isUnmet(origins: readonly Origin[], builds: BuildTable): boolean {
  const candidates = builds.candidates(builds.numberOf(origins[0]!.required))!;
  const met = origins.reduce<VersionSet>(
    (set, { by, range }) =>
      intersect(set, by === undefined ? candidates.requested(range) : candidates.inRange(range)),
    candidates.eligible,
  );
  return met.length === 0;
}

function tagConflict(
  { build, version, tag, range, found }: Extract<Cause, { kind: 'stack' }>,
  demands: ReadonlyMap<string, readonly Demand[]>,
  input: ResolveInput,
  builds: BuildTable,
): Conflict {
  const id = builds.idOf(build);
  const installed = [...input.locked]
    .filter(([, { provides }]) => provides.includes(tag))
    .map(([by, { version: at }]) => ({ id: by, version: at }));
  const fitting = firstPublications(builds.candidates(build)!.versions.list)
    .filter((v) => v.yanked === false && !isPrerelease(v.version))
    .filter(({ requires }) =>
      Object.entries(requires).every(([need, wanted]) => isInProject(input, need, wanted)),
    )
    .map((v) => v.version)
    .sort((a, b) => compareVersions(b, a))[0];
  return stackConflict({
    build: requirerOf(demands, id, version),
    requests: input.requests,
    tag,
    range,
    fact: input.stack.get(tag),
    providers: [...found, ...installed].map((giver) => `${giver.version} of "${giver.id}"`).sort(),
    fitting,
  });
}

function noneTogether({ requests }: ResolveInput): Conflict {
  const ids = [...new Set(requests.map(({ id }) => `"${id}"`))];
  return {
    kind: 'conflict',
    code: 'ERR_RESOLVE',
    message: `No versions of ${ids.join(', ')} and of what they need go together`,
    hint: 'ask for other ranges',
  };
}
