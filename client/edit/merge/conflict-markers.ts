/**
 * Reads the conflicts that `mergeText` wrote into a text, whose markers are longer than every such line of its own:
 *
 *     <<<<<<< yours
 *     ||||||| base 1.0.0
 *     =======
 *     >>>>>>> theirs 1.1.0
 *
 * Pure; keeps every byte outside of the conflicts.
 */

export type ConflictSide = 'ours' | 'base' | 'theirs';

const MIN_SIZE = 7;
const MARKERS = ['<', '|', '=', '>'] as const;

/** The length of markers that no line of `texts` begins with. */
export function freeMarkerSize(texts: readonly string[]): number {
  const longest = texts.flatMap((text) =>
    [...text.matchAll(/^([<|=>])\1{6,}/gm)].map(([mark]) => mark.length + 1),
  );
  return longest.reduce((a, b) => Math.max(a, b), MIN_SIZE);
}

/** The length of the markers that were written into `bytes`. */
export function markerSize(bytes: Uint8Array): number {
  const marks = Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/^<+(?= yours)/gm);
  return [...marks].reduce((size, [mark]) => Math.max(size, mark.length), MIN_SIZE);
}

/** A line that begins with a marker. */
interface Mark {
  readonly kind: (typeof MARKERS)[number];
  /** From 1. */
  readonly line: number;
  /** Offsets in the text: the line, and the one behind it. */
  readonly at: number;
  readonly after: number;
}

/** The lines of `text` that begin with a marker of `size`. */
export function findMarks(text: string, size: number): Mark[] {
  const [ours, base, middle, theirs] = MARKERS.map((mark) => mark.repeat(size));
  const starts = [`${ours} yours`, `${base} base`, middle!, `${theirs} theirs`];
  const marks: Mark[] = [];
  let line = 1;
  for (let at = 0; at < text.length; line++) {
    const newline = text.indexOf('\n', at);
    const after = newline === -1 ? text.length : newline + 1;
    const kind = MARKERS[starts.findIndex((start) => text.startsWith(start, at))];
    const isLonger = kind === '=' && text[at + size] === '=';
    if (kind !== undefined && !isLonger) marks.push({ kind, line, at, after });
    at = after;
  }
  return marks;
}

/** `text` with `side` instead of every conflict; `undefined` where a conflict does not have all markers in order. */
export function takeSide(text: string, side: ConflictSide, size: number): string | undefined {
  const marks = findMarks(text, size);
  if (marks.some(({ kind }, at) => kind !== MARKERS[at % 4]) || marks.length % 4 > 0) return;
  const first = (['ours', 'base', 'theirs'] as const).indexOf(side);
  const parts: string[] = [];
  let next = 0;
  for (let at = 0; at < marks.length; at += 4) {
    const [from, to] = [marks[at + first]!, marks[at + first + 1]!];
    parts.push(text.slice(next, marks[at]!.at), text.slice(from.after, to.at));
    next = marks[at + 3]!.after;
  }
  return parts.join('') + text.slice(next);
}
