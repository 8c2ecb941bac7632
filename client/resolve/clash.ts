/**
 * The one failure of a derivation that says most, in words: the first on the way of the highest versions.
 * The derivation has all of them.
 */
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import type { BuildTable } from './build-table.ts';
import type { Conflict, Demand, KnownHead } from './conflict.ts';
import {
  lockedConflict,
  missingBuild,
  noCandidate,
  selfConflict,
  stackConflict,
} from './conflict.ts';
import type { Cause, Incompatibility, Origin } from './incompatibility.ts';
import { requirerOf } from './requirer.ts';
import type { ResolveInput } from './resolve-input.ts';
import { isInProject } from './stack-tags.ts';
import type { VersionSet } from './version-set.ts';
import { intersect } from './version-set.ts';

/** Conclusions in which a clash is looked for, the first ones: most are the first or the second. */
const MAX_CONCLUSIONS = 500;

/**
 * @param nodes what a derivation consists of, lowest serial first
 * @param demands all that was found to be demanded, to tell how a build came in
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
  const leaves = new Map<Incompatibility, ReadonlySet<Incompatibility>>();
  const leavesOf = (node: Incompatibility): Iterable<Incompatibility> => leaves.get(node) ?? [node];
  for (const node of nodes) {
    const { cause } = node;
    if (cause.kind === 'missing') return missingBuild([demandOf(cause.origin)]);
    if (cause.kind === 'locked') return lockedConflict(demandOf(cause.origin), cause.installed);
    if (cause.kind === 'self') return selfConflict(demandOf(cause.origin));
    if (cause.kind === 'no-version') {
      return noCandidate(headOf(cause.origin.required), [demandOf(cause.origin)]);
    }
    if (cause.kind === 'stack') return tagConflict(cause, demands, input, builds);
    if (cause.kind !== 'derived' || leaves.size >= MAX_CONCLUSIONS) continue;
    const below = new Set([...leavesOf(cause.conflict), ...leavesOf(cause.other)]);
    leaves.set(node, below);
    const clash = clashAmong(below, builds);
    if (clash !== undefined) return noCandidate(headOf(clash[0]!.required), clash.map(demandOf));
  }
  return noneTogether(input);
}

/** Origins in `leaves` that no version of the required build meets together. */
function clashAmong(
  leaves: ReadonlySet<Incompatibility>,
  builds: BuildTable,
): readonly Origin[] | undefined {
  const byBuild = new Map<string, Origin[]>();
  for (const { cause } of leaves) {
    if (cause.kind !== 'requirement') continue;
    const origins = byBuild.get(cause.origin.required);
    if (origins === undefined) byBuild.set(cause.origin.required, [cause.origin]);
    else origins.push(cause.origin);
  }
  for (const origins of byBuild.values()) {
    for (const [at, first] of origins.entries()) {
      // Two versions of one build are never chosen together, so they do not clash.
      const second = origins
        .slice(at + 1)
        .find((other) => !isSame(first, other) && versionsFor([first, other], builds).length === 0);
      if (second !== undefined) return [first, second];
    }
    const isDistinct = origins.every(
      (one, at) => !origins.slice(0, at).some((o) => isSame(o, one)),
    );
    if (isDistinct && versionsFor(origins, builds).length === 0) return origins;
  }
  return undefined;
}

function isSame(a: Origin, b: Origin): boolean {
  return a.build !== undefined && a.build === b.build;
}

/** The versions that meet all of `origins`, which are about one build. */
function versionsFor(origins: readonly Origin[], builds: BuildTable): VersionSet {
  const candidates = builds.candidates(builds.numberOf(origins[0]!.required))!;
  return origins.reduce<VersionSet>(
    (set, { range }) => intersect(set, candidates.inRange(range)),
    candidates.eligible,
  );
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
  const fitting = builds
    .candidates(build)!
    .versions.list.filter((v) => v.yanked === false && !isPrerelease(v.version))
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
