/**
 * What the search assumes of each build: decisions and the derivations from them, in the order in which they
 * were made. A decision starts a decision level; backtracking to a level removes all later assignments.
 */
import type { Incompatibility } from './incompatibility.ts';
import type { Term } from './term.ts';
import { conjunction, contradicts, satisfies } from './term.ts';

export interface Assignment {
  readonly build: number;
  /** Place in the order of all assignments. */
  readonly index: number;
  readonly level: number;
  /** What forced it; `undefined` for a decision. */
  readonly cause: Incompatibility | undefined;
  /** What is known of the build with this assignment and those before it. */
  readonly known: Term;
}

export class PartialSolution {
  readonly #trail: Assignment[] = [];
  /** By build: its assignments. */
  readonly #byBuild: Assignment[][] = [];
  /** By level, without level 0: where its assignments begin. */
  readonly #levels: number[] = [];

  /** The number of decisions. */
  get level(): number {
    return this.#levels.length;
  }

  /** What is known of `build`; `undefined` for nothing. */
  known(build: number): Term | undefined {
    return this.#byBuild[build]?.at(-1)?.known;
  }

  /** Chooses one version, on a new decision level. */
  decide(term: Term): void {
    this.#levels.push(this.#trail.length);
    this.#assign(term, undefined);
  }

  /** Adds what `cause` forces. */
  derive(term: Term, cause: Incompatibility): void {
    this.#assign(term, cause);
  }

  isSatisfied(term: Term): boolean {
    const known = this.known(term.build);
    return known !== undefined && satisfies(known, term);
  }

  isContradicted(term: Term): boolean {
    const known = this.known(term.build);
    return known !== undefined && contradicts(known, term);
  }

  /** The first assignment with which `term` is satisfied; `undefined` while it is not. */
  satisfier(term: Term): Assignment | undefined {
    const assignments = this.#byBuild[term.build] ?? [];
    let [low, high] = [0, assignments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (satisfies(assignments[middle]!.known, term)) high = middle;
      else low = middle + 1;
    }
    return assignments[low];
  }

  /** Removes every assignment of a level above `level`. */
  backtrack(level: number): void {
    const start = this.#levels[level];
    if (start === undefined) return;
    for (let index = this.#trail.length - 1; index >= start; index -= 1) {
      this.#byBuild[this.#trail[index]!.build]!.pop();
    }
    this.#trail.length = start;
    this.#levels.length = level;
  }

  #assign(term: Term, cause: Incompatibility | undefined): void {
    const { build } = term;
    const assignments = (this.#byBuild[build] ??= []);
    const before = assignments.at(-1)?.known;
    const assignment = {
      build,
      index: this.#trail.length,
      level: this.level,
      cause,
      known: before === undefined ? term : conjunction(before, term),
    };
    assignments.push(assignment);
    this.#trail.push(assignment);
  }
}
