/**
 * A set of terms that are not all true of any solution, with the reason. One term forbids versions of a build;
 * `{ a 1.0.0, not b ^2.0.0 }` is a requirement; no terms mean that there is no solution.
 */

export interface Incompatibility {
  /** At most one for each build; the search keeps those that it watches in the first two places. */
  readonly terms: Term[];
  readonly cause: Cause;
  /** Ascending in the order in which incompatibilities were found. */
  readonly serial: number;
}

/** A range that a build must lie in, and its source: a version of a build, or the user. */
export interface Origin {
  /** The number of the build whose versions require it; `undefined` for the user and installed builds. */
  readonly build: number | undefined;
  /** The id of the build that requires it; `undefined` for the user. */
  readonly by: string | undefined;
  /** The version for which the requirement was first found, or the installed one. */
  readonly version: string;
  readonly required: string;
  readonly range: string | undefined;
}

/** A fact of the registry, the project or the request, or a conclusion from two others. */
type Cause =
  | { readonly kind: 'requirement'; readonly origin: Origin }
  /** No version of the required build can be chosen for the range. */
  | { readonly kind: 'no-version'; readonly origin: Origin }
  | { readonly kind: 'missing'; readonly origin: Origin }
  | { readonly kind: 'locked'; readonly origin: Origin; readonly installed: string }
  | { readonly kind: 'self'; readonly origin: Origin }
  | {
      readonly kind: 'stack';
      readonly build: number;
      readonly version: string;
      readonly tag: string;
      readonly range: string;
      /** Chosen builds that provide the tag, at versions outside the range. */
      readonly found: readonly { readonly id: string; readonly version: string }[];
      /** Where the range is what was measured to work, not what the version requires: the version that was measured. */
      readonly measured?: string;
    }
  | Resolvent;

interface Resolvent {
  readonly kind: 'derived';
  readonly conflict: Incompatibility;
  readonly other: Incompatibility;
}

/** Every cause except a conclusion. */
export type ExternalCause = Exclude<Cause, Resolvent>;

/** Joins terms about the same build, and leaves out those that are always true. */
export function normalizeTerms(terms: readonly Term[]): Term[] {
  const joined: Term[] = [];
  for (const term of terms) {
    const at = joined.findIndex(({ build }) => build === term.build);
    if (at === -1) joined.push(term);
    else joined[at] = conjunction(joined[at]!, term);
  }
  return joined.filter((term) => !isTautology(term));
}

/** `root` and all incompatibilities that it was concluded from, each once, lowest serial first. */
export function nodesBelow(root: Incompatibility): Incompatibility[] {
  const found = new Set([root]);
  for (const { cause } of found) {
    if (cause.kind === 'derived') found.add(cause.conflict).add(cause.other);
  }
  return [...found].sort((a, b) => a.serial - b.serial);
}

/**
 * A statement about one build that is true or false of a solution: "a version of this set is chosen", or
 * its negation, which is also true when the build is not chosen at all. Pure.
 */
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

/**
 * A set of versions of one build: sorted, disjoint intervals of positions in the build's list of versions.
 * `[0, 3, 7, 8]` holds the positions 0, 1, 2 and 7. Sets are never changed. Pure.
 */
export type VersionSet = readonly number[];

const NO_VERSIONS: VersionSet = [];

/** The positions from `start` up to `end`, `end` excluded. */
export function interval(start: number, end: number): VersionSet {
  return start < end ? [start, end] : NO_VERSIONS;
}

/** The set of `positions`, which are sorted in ascending order. */
export function setOf(positions: Iterable<number>): VersionSet {
  const set: number[] = [];
  for (const position of positions) {
    if (set.at(-1) === position) set[set.length - 1] = position + 1;
    else set.push(position, position + 1);
  }
  return set;
}

/** The positions that are in both sets. */
export function intersect(a: VersionSet, b: VersionSet): VersionSet {
  const set: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const start = Math.max(a[i]!, b[j]!);
    const end = Math.min(a[i + 1]!, b[j + 1]!);
    if (start < end) set.push(start, end);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return set;
}

/** The positions that are in at least one of the sets. */
export function unite(a: VersionSet, b: VersionSet): VersionSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const set: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const isFromA = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const [start, end] = isFromA ? [a[i]!, a[i + 1]!] : [b[j]!, b[j + 1]!];
    if (isFromA) i += 2;
    else j += 2;
    const last = set.length - 1;
    if (last > 0 && set[last]! >= start) set[last] = Math.max(set[last]!, end);
    else set.push(start, end);
  }
  return set;
}

/** The positions of `a` that are not in `b`. */
export function subtract(a: VersionSet, b: VersionSet): VersionSet {
  if (b.length === 0) return a;
  const set: number[] = [];
  let j = 0;
  for (let i = 0; i < a.length; i += 2) {
    let start = a[i]!;
    const end = a[i + 1]!;
    while (j < b.length && b[j + 1]! <= start) j += 2;
    for (let k = j; k < b.length && b[k]! < end; k += 2) {
      if (b[k]! > start) set.push(start, b[k]!);
      start = Math.max(start, b[k + 1]!);
    }
    if (start < end) set.push(start, end);
  }
  return set;
}

/** Whether every position of `a` is in `b`. */
export function isSubset(a: VersionSet, b: VersionSet): boolean {
  let j = 0;
  for (let i = 0; i < a.length; i += 2) {
    while (j < b.length && b[j + 1]! <= a[i]!) j += 2;
    if (j >= b.length || b[j]! > a[i]! || b[j + 1]! < a[i + 1]!) return false;
  }
  return true;
}

/** Whether no position is in both sets. */
export function isDisjoint(a: VersionSet, b: VersionSet): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i + 1]! <= b[j]!) i += 2;
    else if (b[j + 1]! <= a[i]!) j += 2;
    else return false;
  }
  return true;
}

/** The last position of `set`; `undefined` when it is empty. */
export function lastOf(set: VersionSet): number | undefined {
  return set.length === 0 ? undefined : set[set.length - 1]! - 1;
}

/** The positions of `set`, in ascending order. */
export function* positionsOf(set: VersionSet): Generator<number> {
  for (let i = 0; i < set.length; i += 2) {
    for (let position = set[i]!; position < set[i + 1]!; position += 1) yield position;
  }
}
