/**
 * What the search assumes of each build: decisions and the derivations from them, in the order in which they
 * were made. A decision starts a decision level; backtracking to a level removes all later assignments.
 */
import {
  conjunction,
  contradicts,
  satisfies,
  normalizeTerms,
  disjunction,
  isTautology,
  negate,
  type Incompatibility,
  type Term,
} from './incompatibility.ts';

interface Assignment {
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

/**
 * Finds the root cause of a conflict: resolves a satisfied incompatibility with the cause of its newest
 * assignment, until the result depends on an earlier decision.
 */
interface RootCause {
  readonly incompatibility: Incompatibility;
  /** The decision level to backtrack to, where all terms except one hold; `undefined`: there is no solution. */
  readonly level: number | undefined;
  /** The number of resolution steps. */
  readonly steps: number;
}

/**
 * @param conflict an incompatibility that `solution` satisfies
 * @param nextSerial numbers a new incompatibility
 */
export function resolveConflict(
  conflict: Incompatibility,
  solution: PartialSolution,
  nextSerial: () => number,
): RootCause {
  let incompatibility = conflict;
  for (let steps = 1; ; steps += 1) {
    if (incompatibility.terms.length === 0) return { incompatibility, level: undefined, steps };
    const { term, satisfier, previousLevel } = newestTerm(incompatibility, solution);
    const { cause } = satisfier;
    if (cause === undefined || previousLevel < satisfier.level) {
      return { incompatibility, level: previousLevel, steps };
    }
    incompatibility = resolvent(incompatibility, term, cause, nextSerial());
  }
}

interface Newest {
  readonly term: Term;
  readonly satisfier: Assignment;
  /** The lowest level at which all is satisfied except what `satisfier` satisfies. */
  readonly previousLevel: number;
}

function newestTerm({ terms }: Incompatibility, solution: PartialSolution): Newest {
  let [term, satisfier] = [terms[0]!, solution.satisfier(terms[0]!)!];
  let previousLevel = 0;
  for (const other of terms.slice(1)) {
    const assignment = solution.satisfier(other)!;
    const isNewer = assignment.index > satisfier.index;
    previousLevel = Math.max(previousLevel, (isNewer ? satisfier : assignment).level);
    if (isNewer) [term, satisfier] = [other, assignment];
  }
  // Where the newest assignment does not satisfy its term alone, the remainder was satisfied before it.
  const rest = remainder(term, satisfier);
  if (rest !== undefined) {
    previousLevel = Math.max(previousLevel, solution.satisfier(rest)?.level ?? 0);
  }
  return { term, satisfier, previousLevel };
}

/** What must hold in addition to the cause of `satisfier` for `term` to hold; `undefined`: nothing. */
function remainder(term: Term, { build, cause }: Assignment): Term | undefined {
  const forced = cause?.terms.find((other) => other.build === build);
  if (forced === undefined || satisfies(negate(forced), term)) return undefined;
  return disjunction(forced, term);
}

/** The incompatibility that follows from both: `cause` forces `term` unless one of its other terms does not hold. */
function resolvent(
  conflict: Incompatibility,
  term: Term,
  cause: Incompatibility,
  serial: number,
): Incompatibility {
  const forced = cause.terms.find(({ build }) => build === term.build)!;
  const joint = disjunction(forced, term);
  const terms = normalizeTerms([
    ...conflict.terms.filter((other) => other !== term),
    ...cause.terms.filter((other) => other !== forced),
    ...(isTautology(joint) ? [] : [joint]),
  ]);
  return { terms, cause: { kind: 'derived', conflict, other: cause }, serial };
}
