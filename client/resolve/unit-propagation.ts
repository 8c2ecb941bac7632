/**
 * Unit propagation: when all terms of an incompatibility except one hold, the negation of that one is derived.
 * Each incompatibility is watched at two of its terms, so that it is examined only when one of these may have
 * become satisfied. Pure.
 */
import { type Incompatibility, negate, type Term } from './incompatibility.ts';
import type { PartialSolution } from './partial-solution.ts';

export class UnitPropagation {
  readonly #solution: PartialSolution;
  /** By build: the incompatibilities that are watched at a term about it. */
  readonly #watched: Incompatibility[][] = [];
  /** Builds with new assignments that were not propagated yet. */
  readonly #changed = new Set<number>();
  /** How many incompatibilities were examined. */
  work = 0;

  constructor(solution: PartialSolution) {
    this.#solution = solution;
  }

  /** Adds `incompatibility`; returns whether it is in conflict with the partial solution. */
  add(incompatibility: Incompatibility): boolean {
    const { terms } = incompatibility;
    // A satisfied term that is watched must be the first that backtracking unsatisfies.
    terms.sort((a, b) => this.#satisfiedAt(b) - this.#satisfiedAt(a));
    for (const { build } of terms.slice(0, 2)) (this.#watched[build] ??= []).push(incompatibility);
    return this.review(incompatibility);
  }

  /** Derives what `incompatibility` forces; returns whether it is in conflict. */
  review(incompatibility: Incompatibility): boolean {
    const open = incompatibility.terms.filter((term) => !this.#solution.isSatisfied(term));
    if (open.length === 0) return true;
    if (open.length === 1) this.#derive(open[0]!, incompatibility);
    return false;
  }

  /** Marks `build` for the next `propagate`. */
  touch(build: number): void {
    this.#changed.add(build);
  }

  /** Derives all that follows; returns an incompatibility that is in conflict, if there is one. */
  propagate(): Incompatibility | undefined {
    for (const build of this.#changed) {
      this.#changed.delete(build);
      const conflict = this.#propagateFrom(build);
      if (conflict === undefined) continue;
      this.#changed.clear();
      return conflict;
    }
    return undefined;
  }

  #propagateFrom(build: number): Incompatibility | undefined {
    const watched = this.#watched[build] ?? [];
    // Newer incompatibilities are more general and force more.
    for (let at = watched.length - 1; at >= 0; at -= 1) {
      this.work += 1;
      const incompatibility = watched[at]!;
      const { terms } = incompatibility;
      const place = terms[0]!.build === build ? 0 : 1;
      if (!this.#solution.isSatisfied(terms[place]!)) continue;
      const other = terms[1 - place];
      if (other === undefined) return incompatibility;
      if (this.#solution.isContradicted(other)) continue;
      if (this.#watchAnother(incompatibility, place)) {
        watched[at] = watched.at(-1)!;
        watched.pop();
      } else if (this.#solution.isSatisfied(other)) {
        return incompatibility;
      } else {
        this.#derive(other, incompatibility);
      }
    }
    return undefined;
  }

  /** Watches a term that does not hold yet, instead of the one at `place`. */
  #watchAnother(incompatibility: Incompatibility, place: number): boolean {
    const { terms } = incompatibility;
    for (let at = 2; at < terms.length; at += 1) {
      const term = terms[at]!;
      if (this.#solution.isSatisfied(term)) continue;
      [terms[at], terms[place]] = [terms[place]!, term];
      (this.#watched[term.build] ??= []).push(incompatibility);
      return true;
    }
    return false;
  }

  #derive(open: Term, cause: Incompatibility): void {
    if (this.#solution.isContradicted(open)) return;
    this.#solution.derive(negate(open), cause);
    this.#changed.add(open.build);
  }

  #satisfiedAt(term: Term): number {
    return this.#solution.satisfier(term)?.level ?? Number.MAX_SAFE_INTEGER;
  }
}
