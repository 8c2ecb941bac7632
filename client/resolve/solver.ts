/**
 * The search for versions, with the PubGrub algorithm: propagate units; after a conflict, learn its root cause
 * and backtrack; otherwise decide on the next build. Synchronous: when a head is missing, `run` returns, and the
 * next call continues at the same place.
 *
 * Builds are decided in the order in which the solution adds them: requests first, then the requirements of the
 * first of them, and so on. A version is rejected only when no solution contains it together with all earlier
 * decisions, so the first solution is the best one in that order.
 */
import {
  installedFacts,
  requestFact,
  requirementFact,
  type BuildTable,
  type Fact,
  type ResolveInput,
} from './build-table.ts';
import type { Candidates } from './candidates.ts';
import { UnitPropagation } from './unit-propagation.ts';
import { resolveConflict, PartialSolution } from './partial-solution.ts';
import { requiredIds } from './head-versions.ts';
import {
  intersect,
  interval,
  isSubset,
  unite,
  type Incompatibility,
  type Origin,
  type VersionSet,
} from './incompatibility.ts';
import { belowMeasured, missingTag, unreachableTag } from './stack-incompatibility.ts';

type OpenRequirement = Parameters<typeof requirementFact>[1];

type SearchResult =
  /** The position of the version of each build, in the order of decisions. */
  | { readonly kind: 'solved'; readonly chosen: ReadonlyMap<number, number> }
  | { readonly kind: 'needs-heads'; readonly ids: readonly string[] }
  /** The incompatibility without terms. */
  | { readonly kind: 'failed'; readonly root: Incompatibility }
  | { readonly kind: 'limit' };

export class Solver {
  readonly #input: ResolveInput;
  readonly #builds: BuildTable;
  readonly #maxWork: number;
  readonly #solution = new PartialSolution();
  readonly #propagation = new UnitPropagation(this.#solution);
  /** Builds in the order of decisions: one for each level, then the undecided ones. */
  readonly #order: number[] = [];
  readonly #isOrdered = new Set<number>();
  /** By level: the length of `#order` before its decision. */
  readonly #orderedBefore: number[] = [];
  /** By decided build: the position of its version. */
  readonly #chosen = new Map<number, number>();
  /** Incompatibilities that were in conflict when they were added, and were not reviewed since. */
  readonly #conflicts: Incompatibility[] = [];
  /** By build without a head: the requirements for it. */
  readonly #waiting = new Map<number, OpenRequirement[]>();
  /** By required build: requirements that were stated after their builds were decided. */
  readonly #late = new Map<number, Incompatibility[]>();
  readonly #prepared = new Set<number>();
  readonly #stated = new Set<string>();
  #isBegun = false;
  #conflictSteps = 0;
  #serial = 0;
  /** Conclusions learned from conflicts. */
  readonly learned: Incompatibility[] = [];
  /** All requirements and requests that were stated, in that order. */
  readonly origins: Origin[] = [];

  constructor(input: ResolveInput, builds: BuildTable, maxWork: number) {
    this.#input = input;
    this.#builds = builds;
    this.#maxWork = maxWork;
  }

  /** The number of incompatibilities examined and of steps of conflict resolution. */
  get work(): number {
    return this.#propagation.work + this.#conflictSteps;
  }

  /** Continues until there is a result. */
  run(): SearchResult {
    const unknown = this.#begin();
    if (unknown.length > 0) return { kind: 'needs-heads', ids: unknown };
    this.#takeHeads();
    for (;;) {
      this.#reviewConflicts();
      const conflict = this.#conflicts.at(-1) ?? this.#propagation.propagate();
      if (conflict !== undefined) {
        const root = this.#learn(conflict);
        if (root !== undefined) return { kind: 'failed', root };
      } else {
        const result = this.#decideNext();
        if (result !== undefined) return result;
      }
      if (this.work > this.#maxWork) return { kind: 'limit' };
    }
  }

  /** States the requests; returns the ids whose heads are missing. */
  #begin(): string[] {
    if (this.#isBegun) return [];
    const { requests } = this.#input;
    const unknown = requests.filter(
      ({ id }) => this.#builds.known(this.#builds.numberOf(id)) === undefined,
    );
    if (unknown.length > 0) return [...new Set(unknown.map(({ id }) => id))];
    this.#isBegun = true;
    for (const request of requests) {
      this.#state(requestFact(this.#builds, request));
      const build = this.#builds.numberOf(request.id);
      if (this.#builds.candidates(build) !== undefined) this.#enqueue(build);
    }
    return [];
  }

  /** States the requirements whose heads have arrived. */
  #takeHeads(): void {
    for (const [build, requirements] of this.#waiting) {
      const known = this.#builds.known(build);
      if (known === undefined) continue;
      this.#waiting.delete(build);
      // An installed build that the registry no longer has needs no decision.
      if (known.kind === 'locked') this.#dequeue(build);
      const late = requirements.flatMap((requirement) => {
        return this.#state(requirementFact(this.#builds, requirement)) ?? [];
      });
      this.#late.set(build, late);
    }
  }

  #dequeue(build: number): void {
    const at = this.#order.indexOf(build);
    if (at === -1) return;
    this.#order.splice(at, 1);
    this.#isOrdered.delete(build);
    for (const [level, length] of this.#orderedBefore.entries()) {
      if (length > at) this.#orderedBefore[level] = length - 1;
    }
  }

  /** Learns the root cause of `conflict` and backtracks; returns the cause when there is no solution. */
  #learn(conflict: Incompatibility): Incompatibility | undefined {
    const found = resolveConflict(conflict, this.#solution, () => (this.#serial += 1));
    const { incompatibility, level, steps } = found;
    this.#conflictSteps += steps;
    if (level === undefined) return incompatibility;
    this.#backtrack(level);
    if (incompatibility !== conflict) {
      this.learned.push(incompatibility);
      this.#propagation.add(incompatibility);
    }
    if (this.#conflicts.length === 0) this.#conflicts.push(conflict);
    return undefined;
  }

  /** Derives what follows from resolved conflicts. */
  #reviewConflicts(): void {
    for (let last = this.#conflicts.at(-1); last !== undefined; last = this.#conflicts.at(-1)) {
      if (this.#propagation.review(last)) return;
      this.#conflicts.pop();
    }
  }

  #backtrack(level: number): void {
    for (let at = level; at < this.#solution.level; at += 1) {
      const build = this.#order[at];
      if (build !== undefined) this.#chosen.delete(build);
    }
    const length = this.#orderedBefore[level];
    if (length !== undefined) {
      for (const build of this.#order.splice(length)) this.#isOrdered.delete(build);
    }
    this.#orderedBefore.length = Math.min(this.#orderedBefore.length, level);
    this.#solution.backtrack(level);
  }

  /** Decides on the next build, or states a new fact about it; returns a result at the end of the search. */
  #decideNext(): SearchResult | undefined {
    const build = this.#order[this.#solution.level];
    if (build === undefined) return this.#complete();
    const candidates = this.#builds.candidates(build);
    if (candidates === undefined) return { kind: 'needs-heads', ids: this.#neededHeads() };
    if (this.#stateInstalled(build, candidates) || this.#reviewLate(build)) return undefined;
    const position = candidates.first(this.#solution.known(build)!.versions);
    if (this.#stateVersion(build, candidates, position)) return undefined;
    this.#orderedBefore.push(this.#order.length);
    this.#chosen.set(build, position);
    this.#solution.decide({ build, isPositive: true, versions: interval(position, position + 1) });
    this.#propagation.touch(build);
    for (const id of requiredIds(candidates.at(position))) {
      const other = this.#builds.numberOf(id);
      if (this.#builds.known(other)?.kind !== 'locked') this.#enqueue(other);
    }
    return undefined;
  }

  /** Heads that the search needs to continue, and those that all remaining versions of a build require. */
  #neededHeads(): string[] {
    const open = this.#order.slice(this.#solution.level);
    const needed = new Set(open);
    for (const build of open) {
      const known = this.#solution.known(build);
      const requirements = this.#builds.candidates(build)?.versions.requirements;
      if (known?.isPositive !== true || requirements === undefined) continue;
      for (const [id, list] of requirements) {
        const by = list.reduce<VersionSet>((set, requirement) => unite(set, requirement.by), []);
        if (isSubset(known.versions, by)) needed.add(this.#builds.numberOf(id));
      }
    }
    return [...needed]
      .filter((build) => this.#builds.known(build) === undefined)
      .map((build) => this.#builds.idOf(build));
  }

  /** Derives again what late requirements force of `build`: backtracking removed it. */
  #reviewLate(build: number): boolean {
    const before = this.#solution.known(build);
    for (const late of this.#late.get(build) ?? []) {
      if (this.#propagation.review(late)) this.#conflicts.push(late);
    }
    return this.#conflicts.length > 0 || this.#solution.known(build) !== before;
  }

  /** States what installed builds require of `build`; returns whether a fact was added. */
  #stateInstalled(build: number, candidates: Candidates): boolean {
    if (this.#prepared.has(build)) return false;
    this.#prepared.add(build);
    const facts = installedFacts(this.#input, this.#builds, build, candidates);
    for (const fact of facts) this.#state(fact);
    return facts.length > 0;
  }

  /** States what one version requires; returns whether a fact was added. */
  #stateVersion(build: number, candidates: Candidates, position: number): boolean {
    const wanted = candidates.at(position);
    const { version, builds, requires } = wanted;
    let isNew = false;
    for (const required of requiredIds(wanted)) {
      const range = builds[required]!;
      const key = `${build} ${required} ${range}`;
      if (this.#stated.has(key)) continue;
      this.#stated.add(key);
      const same = candidates.versions.requirements.get(required)!.find((r) => r.range === range)!;
      const by = intersect(same.by, candidates.eligible);
      const origin = { build, by: this.#builds.idOf(build), version, required, range };
      const other = this.#builds.numberOf(required);
      const fact =
        this.#builds.known(other) === undefined
          ? this.#wait(other, { origin, by })
          : requirementFact(this.#builds, { origin, by });
      if (fact === undefined) continue;
      this.#state(fact);
      isNew = true;
    }
    const unproven = belowMeasured(this.#input, this.#builds, build, position);
    if (unproven !== undefined) this.#state(unproven);
    if (isNew || unproven !== undefined) return true;
    if (Object.keys(requires).length === 0) return false;
    if (this.#builds.unknownInReach().length > 0) return false;
    const fact = unreachableTag(this.#input, this.#builds, this.#chosen, build, position);
    if (fact !== undefined) this.#state(fact);
    return fact !== undefined;
  }

  #wait(build: number, requirement: OpenRequirement): undefined {
    const waiting = this.#waiting.get(build);
    if (waiting === undefined) this.#waiting.set(build, [requirement]);
    else waiting.push(requirement);
  }

  #state(fact: Fact | undefined): Incompatibility | undefined {
    if (fact === undefined) return undefined;
    this.#serial += 1;
    if ('origin' in fact.cause) this.origins.push(fact.cause.origin);
    const incompatibility = { ...fact, serial: this.#serial };
    if (this.#propagation.add(incompatibility)) this.#conflicts.push(incompatibility);
    return incompatibility;
  }

  #enqueue(build: number): void {
    if (this.#isOrdered.has(build)) return;
    this.#isOrdered.add(build);
    this.#order.push(build);
  }

  /** Checks that every stack tag is provided. */
  #complete(): SearchResult | undefined {
    let unknown: string[] = [];
    const fact = missingTag(this.#input, this.#builds, this.#chosen, () => {
      unknown = this.#builds.unknownInReach();
      return unknown.length === 0;
    });
    if (fact === 'unknown') return { kind: 'needs-heads', ids: unknown };
    if (fact === undefined) return { kind: 'solved', chosen: this.#chosen };
    this.#state(fact);
    return undefined;
  }
}
