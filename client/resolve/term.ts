/**
 * A statement about one build that is true or false of a solution: "a version of this set is chosen", or
 * its negation, which is also true when the build is not chosen at all. Pure.
 */
import type { VersionSet } from './version-set.ts';
import { intersect, isDisjoint, isSubset, subtract, unite } from './version-set.ts';

export interface Term {
  /** The number of the build in the search. */
  readonly build: number;
  readonly isPositive: boolean;
  readonly versions: VersionSet;
}

export function negate({ build, isPositive, versions }: Term): Term {
  return { build, isPositive: !isPositive, versions };
}

/** The term that is true when both are; both are about the same build. */
export function conjunction(a: Term, b: Term): Term {
  const { build } = a;
  if (a.isPositive && b.isPositive) {
    return { build, isPositive: true, versions: intersect(a.versions, b.versions) };
  }
  if (a.isPositive) return { build, isPositive: true, versions: subtract(a.versions, b.versions) };
  if (b.isPositive) return { build, isPositive: true, versions: subtract(b.versions, a.versions) };
  return { build, isPositive: false, versions: unite(a.versions, b.versions) };
}

/** The term that is true when at least one of both is; both are about the same build. */
export function disjunction(a: Term, b: Term): Term {
  return negate(conjunction(negate(a), negate(b)));
}

/** Whether `term` is true of every solution. */
export function isTautology({ isPositive, versions }: Term): boolean {
  return !isPositive && versions.length === 0;
}

/** Whether `b` is true whenever `a` is: `a` satisfies `b`. */
export function satisfies(a: Term, b: Term): boolean {
  if (a.isPositive) {
    return b.isPositive ? isSubset(a.versions, b.versions) : isDisjoint(a.versions, b.versions);
  }
  return !b.isPositive && isSubset(b.versions, a.versions);
}

/** Whether no solution has both: `a` contradicts `b`. */
export function contradicts(a: Term, b: Term): boolean {
  if (a.isPositive) {
    return b.isPositive ? isDisjoint(a.versions, b.versions) : isSubset(a.versions, b.versions);
  }
  return b.isPositive && isSubset(b.versions, a.versions);
}
