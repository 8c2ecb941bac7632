/**
 * Finds the root cause of a conflict: resolves a satisfied incompatibility with the cause of its newest
 * assignment, until the result depends on an earlier decision.
 */
import type { Incompatibility } from './incompatibility.ts';
import { normalizeTerms } from './incompatibility.ts';
import type { Assignment, PartialSolution } from './partial-solution.ts';
import type { Term } from './term.ts';
import { disjunction, isTautology, negate, satisfies } from './term.ts';

export interface RootCause {
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
