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

/** How many positions `set` has. */
export function sizeOf(set: VersionSet): number {
  let size = 0;
  for (let i = 0; i < set.length; i += 2) size += set[i + 1]! - set[i]!;
  return size;
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
