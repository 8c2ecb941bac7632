/**
 * Finds the lines of one text that another text replaces, with jsdiff. Equal lines at both ends, and lines
 * that only one text has, are left out first: that bounds the work for hostile texts.
 */
import { diffArrays } from 'diff';

/** `base[baseStart, baseEnd)` became `side[start, end)`; edits are in order and do not touch. */
interface LineEdit {
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
}

/** The edits that turn `base` into `side`, or `undefined` when this takes longer than `timeoutMs`. */
export function lineEdits(
  base: readonly string[],
  side: readonly string[],
  timeoutMs: number,
): LineEdit[] | undefined {
  const prefix = commonPrefix(base, side);
  const suffix = commonSuffix(base, side, prefix);
  const baseEnd = base.length - suffix;
  const end = side.length - suffix;
  const baseKept = shared(base, side, prefix, baseEnd, end);
  const sideKept = shared(side, base, prefix, end, baseEnd);
  // Reversed and with swapped roles: among equally short results this more often gives git's.
  const changes = diffArrays(
    sideKept.map((at) => side[at]).reverse(),
    baseKept.map((at) => base[at]).reverse(),
    { timeout: timeoutMs },
  );
  if (changes === undefined) return undefined;

  const edits: LineEdit[] = [];
  let baseNext = prefix;
  let next = prefix;
  const match = (baseAt: number, at: number) => {
    if (baseAt > baseNext || at > next) {
      edits.push({ baseStart: baseNext, baseEnd: baseAt, start: next, end: at });
    }
    baseNext = baseAt + 1;
    next = at + 1;
  };
  let baseIndex = 0;
  let index = 0;
  for (const change of changes.toReversed()) {
    if (change.added) baseIndex += change.count;
    else if (change.removed) index += change.count;
    else {
      for (let count = change.count; count > 0; count--) {
        match(baseKept[baseIndex++] ?? baseEnd, sideKept[index++] ?? end);
      }
    }
  }
  match(baseEnd, end);
  return slideDown(base, side, edits);
}

/** The number of equal lines at the start of `a` and `b`. */
export function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return length;
}

/** The number of equal lines at the end of `a` and `b`, without the first `prefix` lines. */
export function commonSuffix(a: readonly string[], b: readonly string[], prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix;
  let length = 0;
  while (length < limit && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

/** Indexes of `lines[from, to)` whose lines also occur in `others[from, othersTo)`: only these can match. */
function shared(
  lines: readonly string[],
  others: readonly string[],
  from: number,
  to: number,
  othersTo: number,
): number[] {
  const known = new Set(others.slice(from, othersTo));
  const kept: number[] = [];
  for (let at = from; at < to; at++) if (known.has(lines[at] ?? '')) kept.push(at);
  return kept;
}

/**
 * Moves each pure insertion and deletion down as far as equal lines permit, and joins adjacent edits.
 * Among repeated lines this is the place that `git` chooses; both sides then choose the same one.
 */
function slideDown(
  base: readonly string[],
  side: readonly string[],
  edits: readonly LineEdit[],
): LineEdit[] {
  const slid: LineEdit[] = [];
  // From the last to the first: an edit can only join later ones.
  for (const edit of edits.toReversed()) {
    let { baseStart, baseEnd, start, end } = edit;
    for (;;) {
      const behind = slid.at(-1);
      if (behind !== undefined && behind.baseStart === baseEnd) {
        ({ baseEnd, end } = behind);
        slid.pop();
        continue;
      }
      const added = baseStart === baseEnd && end < side.length && side[start] === side[end];
      const removed = start === end && baseEnd < base.length && base[baseStart] === base[baseEnd];
      if (!added && !removed) break;
      baseStart++;
      baseEnd++;
      start++;
      end++;
    }
    slid.push({ baseStart, baseEnd, start, end });
  }
  return slid.toReversed();
}
