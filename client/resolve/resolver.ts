/**
 * Chooses one version of each build that the requests need. Pure and synchronous: when a head is missing, it
 * returns its id, and continues when it is called with that head. `solver.ts` has the search, `clash.ts` and
 * `explain.ts` the messages about failures.
 */
import type { HeadVersion } from '../../format/index/head.ts';
import { compareText } from '../../format/compare-text.ts';
import { BuildTable } from './build-table.ts';
import { clashOf } from './clash.ts';
import type { Conflict, Demand } from './conflict.ts';
import { limitReached } from './conflict.ts';
import type { Explanation } from './derivation.ts';
import { explain } from './explain.ts';
import type { Incompatibility } from './incompatibility.ts';
import { nodesBelow } from './incompatibility.ts';
import { requirerOf } from './requirer.ts';
import type { ResolveInput } from './resolve-input.ts';
import { Solver } from './solver.ts';

export type { ResolveInput } from './resolve-input.ts';

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
    const all = [...this.#input.locked, ...versions].sort(byKey);
    const requiredBy = new Map<string, string[]>(all.map(([id]) => [id, []]));
    for (const [by, { builds }] of all) {
      for (const id of Object.keys(builds)) requiredBy.get(id)?.push(by);
    }
    return { kind: 'solved', versions: new Map(versions.sort(byKey)), requiredBy };
  }

  #conflict(root: Incompatibility): Conflict {
    const nodes = nodesBelow(root);
    const clash = clashOf(nodes, this.#demands(), this.#input, this.#builds);
    return this.#explained(this.#checked(clash), root);
  }

  /** `conflict` with its alternative in the hint if that resolves with the heads that are known. */
  #checked(conflict: Conflict): Conflict {
    const { alternative, ...rest } = conflict;
    if (alternative === undefined) return conflict;
    const { kind } = resolve({ ...this.#input, requests: alternative.requests });
    if (kind === 'needs-heads') return conflict;
    const hint = `${rest.hint}; ${alternative.text}`;
    return kind === 'solved' ? { ...rest, hint, isHintChecked: true } : rest;
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
    const conflict = limitReached(this.steps, hanging);
    // The conclusion about the fewest builds is the most informative.
    const [first] = [...learned].sort((a, b) => a.terms.length - b.terms.length);
    return first === undefined ? conflict : this.#explained(conflict, first);
  }

  #explained(conflict: Conflict, root: Incompatibility): Conflict {
    const [builds, input] = [this.#builds, this.#input];
    let explanation: Explanation | undefined;
    return {
      ...conflict,
      get explanation() {
        return (explanation ??= explain(root, builds, input));
      },
    };
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
