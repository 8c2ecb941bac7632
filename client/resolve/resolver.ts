/**
 * Chooses one version of each build that the requests need. Pure and synchronous: when a head is missing, it
 * returns its id, and continues when it is called with that head. `solver.ts` has the search, `conflict.ts` the
 * messages about failures.
 */
import type { HeadVersion } from '../../format/index/record.ts';
import { compareText } from '../../format/compare-text.ts';
import { BuildTable, type ResolveInput } from './build-table.ts';
import {
  limitReached,
  lockedConflict,
  missingBuild,
  noCandidate,
  selfConflict,
  stackConflict,
  type Conflict,
  type Requirer,
} from './conflict.ts';
import {
  nodesBelow,
  intersect,
  type Incompatibility,
  type Origin,
  type VersionSet,
} from './incompatibility.ts';
import { singleTagConflict } from './single-tags.ts';
import { Solver } from './solver.ts';
import {
  compareVersions,
  isPrerelease,
  firstPublications,
} from '../../format/version/semver-range.ts';
import type { KnownHead } from './version-age.ts';
import { belowMeasuredTag, isInProject } from './stack-incompatibility.ts';

type Demand = Parameters<typeof selfConflict>[0];

export type { ResolveInput } from './build-table.ts';

export type Resolution =
  | {
      readonly kind: 'solved';
      /** The builds to install; installed ones keep their version and are not among them. */
      readonly versions: ReadonlyMap<string, HeadVersion>;
      /** For each build of the solution and each installed one: the builds that require it, sorted. */
      readonly requiredBy: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'needs-heads'; readonly ids: readonly string[] }
  | Conflict;

/** Limit of the search, in steps: incompatibilities examined, and conclusions. */
const MAX_STEPS = 10_000_000;
/** How many builds the message names when the limit is reached. */
const MAX_HANGING = 5;

/** The solution that `docs/client.md` describes under "Which versions", for the heads that are known. */
export function resolve(input: ResolveInput): Resolution {
  return new Resolver(input).run();
}

/** A search that can be continued. */
export class Resolver {
  readonly #input: ResolveInput;
  readonly #builds: BuildTable;
  readonly #solver: Solver;

  /** @param input read again by each `run`, so that heads and missing builds can be added in between */
  constructor(input: ResolveInput, maxSteps: number = MAX_STEPS) {
    this.#input = input;
    this.#builds = new BuildTable(input);
    this.#solver = new Solver(input, this.#builds, maxSteps);
  }

  /** Steps taken so far. */
  get steps(): number {
    return this.#solver.work;
  }

  /** Searches until there is a result or heads are needed; call it again when these are in the input. */
  run(): Resolution {
    const result = this.#solver.run();
    if (result.kind === 'solved') return this.#solution(result.chosen);
    if (result.kind === 'needs-heads') return result;
    if (result.kind === 'limit') return this.#limit();
    return this.#conflict(result.root);
  }

  #solution(chosen: ReadonlyMap<number, number>): Resolution {
    const versions = [...chosen].map(([build, position]): [string, HeadVersion] => {
      return [this.#builds.idOf(build), this.#builds.candidates(build)!.at(position)];
    });
    const { locked, movable } = this.#input;
    const all = [...locked, ...versions].sort(byKey);
    const conflict = singleTagConflict(new Map(all), (id) => {
      return locked.has(id) || movable?.has(id) === true;
    });
    if (conflict !== undefined) return conflict;
    const requiredBy = new Map<string, string[]>(all.map(([id]) => [id, []]));
    for (const [by, { builds }] of all) {
      for (const id of Object.keys(builds)) requiredBy.get(id)?.push(by);
    }
    return { kind: 'solved', versions: new Map(versions.sort(byKey)), requiredBy };
  }

  #conflict(root: Incompatibility): Conflict {
    const nodes = nodesBelow(root);
    return clashOf(nodes, this.#demands(), this.#input, this.#builds);
  }

  #limit(): Conflict {
    const { learned } = this.#solver;
    const counts = new Map<number, number>();
    for (const { terms } of learned) {
      for (const { build } of terms) counts.set(build, (counts.get(build) ?? 0) + 1);
    }
    const hanging = [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_HANGING)
      .map(([build]) => this.#builds.idOf(build));
    return limitReached(this.steps, hanging);
  }

  /** By build: the demands that the search found, earliest first. */
  #demands(): Map<string, Demand[]> {
    const demands = new Map<string, Demand[]>();
    for (const { by, version, required, range } of this.#solver.origins) {
      const demand = {
        id: required,
        range,
        by: by === undefined ? undefined : requirerOf(demands, by, version),
      };
      const list = demands.get(required);
      if (list === undefined) demands.set(required, [demand]);
      else list.push(demand);
    }
    return demands;
  }
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return compareText(a[0], b[0]);
}

// Selects the failure to report from a derivation: the first one that the search met with the highest
// versions. The derivation lists all failures.

/** How many requirements of one build, the first ones, are compared with a new one. */
const MAX_COMPARED = 100;

/**
 * @param nodes the incompatibilities of a derivation, lowest serial first
 * @param demands all demands that the search found, from which the chain to a build is derived
 */
function clashOf(
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
  {
    build,
    version,
    tag,
    range,
    found,
    measured,
  }: Extract<Incompatibility['cause'], { kind: 'stack' }>,
  demands: ReadonlyMap<string, readonly Demand[]>,
  input: ResolveInput,
  builds: BuildTable,
): Conflict {
  const id = builds.idOf(build);
  const installed = [...input.locked]
    .filter(([, { provides }]) => provides.includes(tag))
    .map(([by, { version: at }]) => ({ id: by, version: at }));
  const fitting = firstPublications(builds.candidates(build)!.versions.list)
    .filter((v) => v.status.is === 'open' && !isPrerelease(v.version))
    .filter(({ requires }) =>
      Object.entries(requires).every(([need, wanted]) => isInProject(input, need, wanted)),
    )
    .filter((v) => belowMeasuredTag(input, v) === undefined)
    .map((v) => v.version)
    .sort((a, b) => compareVersions(b, a))[0];
  return stackConflict({
    build: requirerOf(demands, id, version),
    requests: input.requests,
    tag,
    range,
    fact: input.stack.get(tag),
    measured,
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

/**
 * The build `id` at `version`. Its chain is computed when it is read: most are not.
 * @param demands by id: the demands on each chosen build
 */
function requirerOf(
  demands: ReadonlyMap<string, readonly Demand[]>,
  id: string,
  version: string,
): Requirer {
  return {
    id,
    version,
    get chain() {
      return chainOf(demands, id);
    },
  };
}

function chainOf(demands: ReadonlyMap<string, readonly Demand[]>, id: string): string[] {
  const chain: string[] = [];
  const seen = new Set([id]);
  for (let at: string | undefined = id; at !== undefined;) {
    const ofThis: readonly Demand[] = demands.get(at) ?? [];
    if (ofThis.some(({ by }) => by === undefined)) break;
    at = ofThis.find(({ by }) => by !== undefined && !seen.has(by.id))?.by?.id;
    if (at === undefined) break;
    seen.add(at);
    chain.push(at);
  }
  return chain;
}
