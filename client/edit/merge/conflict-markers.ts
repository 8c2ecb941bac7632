/**
 * Reads the conflicts that `mergeText` wrote into a text:
 *
 *     <<<<<<< yours
 *     ||||||| base 1.0.0
 *     =======
 *     >>>>>>> theirs 1.1.0
 *
 * Pure; keeps every byte outside of the conflicts. Only all four markers in order are a conflict.
 */

type ConflictSide = 'ours' | 'base' | 'theirs';

interface Conflict {
  /** Offsets in the text, markers included. */
  readonly start: number;
  readonly end: number;
  readonly sides: Readonly<Record<ConflictSide, string>>;
}

const MARKERS = [
  /^<{7} yours\r?\n?$/,
  /^\|{7} base\b[^\n]*\n?$/,
  /^={7}\r?\n?$/,
  /^>{7} theirs\b[^\n]*\n?$/,
];
const SIDES: readonly ConflictSide[] = ['ours', 'base', 'theirs'];

/** The number of conflicts in `text`. */
export function countConflicts(text: string): number {
  return text.includes('<<<<<<< yours') ? findConflicts(text).length : 0;
}

/** `text` with `side` instead of every conflict. */
export function takeSide(text: string, side: ConflictSide): string {
  const parts: string[] = [];
  let next = 0;
  for (const { start, end, sides } of findConflicts(text)) {
    parts.push(text.slice(next, start), sides[side]);
    next = end;
  }
  return parts.join('') + text.slice(next);
}

function findConflicts(text: string): Conflict[] {
  const conflicts: Conflict[] = [];
  // The markers of the present conflict that were found so far.
  let marks: Mark[] = [];
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const after = newline === -1 ? text.length : newline + 1;
    // Only a line that begins like a marker is tested completely.
    if ('<|=>'.includes(text[at] ?? '') && text[at] === text[at + 6]) {
      const line = text.slice(at, Math.min(after, at + 300));
      if (MARKERS[0]!.test(line)) marks = [{ at, after }];
      else if (marks.length > 0 && MARKERS[marks.length]!.test(line)) marks.push({ at, after });
    }
    if (marks.length === MARKERS.length) {
      const [start, base, middle, end] = marks as [Mark, Mark, Mark, Mark];
      const pieces = [
        [start, base],
        [base, middle],
        [middle, end],
      ] as const;
      const texts = pieces.map(([from, to]) => text.slice(from.after, to.at));
      const sides = Object.fromEntries(SIDES.map((side, index) => [side, texts[index]]));
      conflicts.push({ start: start.at, end: end.after, sides: sides as Conflict['sides'] });
      marks = [];
    }
    at = after;
  }
  return conflicts;
}

interface Mark {
  readonly at: number;
  readonly after: number;
}
