/**
 * Finds builds that a solution holds back, and what a better solution must have. The first solution has the most
 * preferred version of the first build, also where all but an ancient version of a later one conflict with it. uv
 * counts such conflicts and decides on the later build first. Here solutions are compared instead of conflicts: neither the
 * way of the search nor the order in which heads arrive decides.
 */
import type { BuildTable, ResolveInput } from './build-table.ts';
import {
  isTautology,
  intersect,
  interval,
  isDisjoint,
  positionsOf,
  sizeOf,
  subtract,
  unite,
  type Term,
  type VersionSet,
} from './incompatibility.ts';

/** A build is held back when so many newer versions are admitted: the number of conflicts after which uv acts. */
const HELD_BACK_VERSIONS = 5;

/** The position of the version of each build, in the order of decisions. */
type Choice = ReadonlyMap<number, number>;

export class HeldBack {
  readonly #input: ResolveInput;
  readonly #builds: BuildTable;
  readonly #searched = new Set<number>();
  #best: Choice | undefined;

  constructor(input: ResolveInput, builds: BuildTable) {
    this.#input = input;
    this.#builds = builds;
  }

  /** The best solution so far. */
  get best(): Choice | undefined {
    return this.#best;
  }

  /** Takes `choice`, which meets the last assumptions, if it has the build that was held back. */
  compare(choice: Choice): void {
    const build = [...this.#searched].at(-1);
    if (build === undefined || choice.has(build)) this.#best = new Map(choice);
  }

  /**
   * What must hold of a solution that is better for the next build that the best one holds back: the build gets at least
   * half of the newer versions, and no other build loses as many. `undefined`: there is no such build.
   */
  next(isPossible: (term: Term) => boolean): Term[] | undefined {
    for (const [build, position] of this.#best!) {
      const { list } = this.#builds.candidates(build)!.versions;
      // Most builds have their newest version.
      if (position + HELD_BACK_VERSIONS >= list.length || this.#searched.has(build)) continue;
      if (this.#isKept(build, position)) continue;
      let newer = interval(position + 1, list.length);
      // What everything admits is computed only where it may matter.
      if (!this.#isHeldBack(build, newer)) continue;
      newer = intersect(newer, this.#admitted(build));
      if (!this.#isHeldBack(build, newer)) continue;
      this.#searched.add(build);
      const gain = Math.ceil(sizeOf(newer) / 2);
      const [half] = [...positionsOf(newer)].slice(gain - 1);
      const gained = { build, isPositive: false, versions: interval(0, half!) };
      if (!isPossible(gained)) continue;
      const others = [...this.#best!].filter(([other]) => other !== build);
      const kept = others.map(([other, at]): Term => {
        return { build: other, isPositive: false, versions: this.#lost(other, at, gain) };
      });
      return [gained, ...kept.filter((term) => !isTautology(term))];
    }
    return undefined;
  }

  /** Whether five versions of `newer` each require one and the same build that the best solution does not have in that range. */
  #isHeldBack(build: number, newer: VersionSet): boolean {
    const { requirements } = this.#builds.candidates(build)!.versions;
    for (const [id, list] of requirements) {
      const other = this.#builds.numberOf(id);
      if (other === build || this.#input.locked.has(id)) continue;
      // Ranges are read only where enough versions have one.
      let open = list.reduce((count, { by }) => count + sizeOf(by), 0);
      let rejected = 0;
      for (const { range, by } of list) {
        if (open < HELD_BACK_VERSIONS) break;
        const count = sizeOf(intersect(newer, by));
        if (count > 0 && this.#isUnmet(other, range)) rejected += count;
        else open -= sizeOf(by);
        if (rejected >= HELD_BACK_VERSIONS) return true;
      }
    }
    return false;
  }

  /** Whether the best solution has no version of `build` in `range`. */
  #isUnmet(build: number, range: string): boolean {
    const position = this.#best!.get(build);
    if (position === undefined) return true;
    const admitted = this.#builds.candidates(build)!.inRange(range);
    return isDisjoint(admitted, interval(position, position + 1));
  }

  /** The versions of `build` that are `count` or more older than the one at `position`, or must not replace it. */
  #lost(build: number, position: number, count: number): VersionSet {
    const { versions, withdrawn } = this.#builds.candidates(build)!;
    const chosen = interval(position, position + 1);
    if (this.#isKept(build, position)) return subtract(versions.all, chosen);
    const older = [...positionsOf(intersect(this.#wanted(build), interval(0, position + 1)))];
    return unite(interval(0, older.at(-count) ?? 0), subtract(withdrawn, chosen));
  }

  /** The versions of `build` that its requests admit; without requests those in `*`. */
  #wanted(build: number): VersionSet {
    const candidates = this.#builds.candidates(build)!;
    const id = this.#builds.idOf(build);
    const requests = this.#input.requests.filter((request) => request.id === id);
    if (requests.length === 0) return candidates.inRange();
    return requests
      .map(({ range }) => candidates.requested(range))
      .reduce((all, set) => intersect(all, set));
  }

  /** The versions of `build` that its requests, the best solution and the installed builds admit. */
  #admitted(build: number): VersionSet {
    const candidates = this.#builds.candidates(build)!;
    const id = this.#builds.idOf(build);
    const chosen = [...this.#best!].map(([by, at]) => this.#builds.candidates(by)!.at(at));
    return [...chosen, ...this.#input.locked.values()]
      .filter(({ builds }) => Object.hasOwn(builds, id))
      .map(({ builds }) => candidates.inRange(builds[id]))
      .reduce((all, set) => intersect(all, set), this.#wanted(build));
  }

  /** Whether `build` is installed, is to keep its version, and does so. */
  #isKept(build: number, position: number): boolean {
    const installed = this.#input.movable?.get(this.#builds.idOf(build));
    const { version } = this.#builds.candidates(build)!.at(position);
    return installed?.requirement === 'keep' && installed.version === version;
  }
}
