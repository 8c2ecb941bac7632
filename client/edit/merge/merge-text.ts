/**
 * Three-way merge of one text by lines, as `git merge-file` does it: separate edits are joined, equal
 * edits are taken once, everything else is a conflict. Pure; bounded in time for every text.
 */
import { freeMarkerSize } from './conflict-markers.ts';
import { commonPrefix, commonSuffix, lineEdits } from './line-edits.ts';
import { BYTE_ORDER_MARK, type LineEnd, splitLines, type TextLines } from './text-lines.ts';

type LineEdit = NonNullable<ReturnType<typeof lineEdits>>[number];

/** Time limit of each of the two comparisons. */
export const MERGE_TIMEOUT_MS = 1000;

/** Labels of the conflict markers. */
interface MergeLabels {
  readonly ours: string;
  readonly base: string;
  readonly theirs: string;
}

export interface MergeOptions {
  /** Default `yours`, `base`, `theirs`. */
  readonly labels?: MergeLabels;
  /** The side to take when both edited a place; otherwise a conflict. */
  readonly favor?: 'ours' | 'theirs' | undefined;
  /** For each of the two comparisons; default `MERGE_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
}

export type TextMerge =
  | { readonly kind: 'clean'; readonly text: string }
  | { readonly kind: 'conflict'; readonly conflicts: number; readonly text: string };

/**
 * Merges the edits from `base` to `ours` and from `base` to `theirs`; all three may be hostile. Conflicts
 * are written between markers in `diff3` style. A comparison that times out gives one conflict. Line ends,
 * final newline and byte order mark are merged separately: the user's line end is kept.
 */
export function mergeText(
  base: string,
  ours: string,
  theirs: string,
  options: MergeOptions = {},
): TextMerge {
  if (ours === base) return { kind: 'clean', text: theirs };
  if (theirs === base || ours === theirs) return { kind: 'clean', text: ours };

  const texts = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  const regions = findRegions(texts, options.timeoutMs ?? MERGE_TIMEOUT_MS);
  const writer = new LineWriter(texts);
  const labels = options.labels ?? { ours: 'yours', base: 'base', theirs: 'theirs' };
  const size = freeMarkerSize([base, ours, theirs]);
  let conflicts = 0;
  let next = 0;
  for (const region of regions) {
    writer.copy('ours', { start: next, end: region.ours.start });
    next = region.ours.end;
    const taken = takenSide(texts, region) ?? options.favor;
    if (taken !== undefined) {
      writer.copy(taken, region[taken]);
      continue;
    }
    conflicts++;
    writer.mark(`${'<'.repeat(size)} ${labels.ours}`);
    writer.copy('ours', region.ours);
    writer.mark(`${'|'.repeat(size)} ${labels.base}`);
    writer.copy('base', region.base);
    writer.mark('='.repeat(size));
    writer.copy('theirs', region.theirs);
    writer.mark(`${'>'.repeat(size)} ${labels.theirs}`);
  }
  writer.copy('ours', { start: next, end: texts.ours.lines.length });
  const text = writer.text();
  return conflicts === 0 ? { kind: 'clean', text } : { kind: 'conflict', conflicts, text };
}

type Side = 'base' | 'ours' | 'theirs';
type Texts = Readonly<Record<Side, TextLines>>;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Lines that at least one side edited. */
type Region = Readonly<Record<Side, Range>>;

function findRegions({ base, ours, theirs }: Texts, timeoutMs: number): Region[] {
  const ourEdits = lineEdits(base.lines, ours.lines, timeoutMs);
  const theirEdits = ourEdits && lineEdits(base.lines, theirs.lines, timeoutMs);
  if (ourEdits === undefined || theirEdits === undefined)
    return [wholeRegion({ base, ours, theirs })];

  const regions: Region[] = [];
  // Lines that our and their edits before this one added, minus those that they removed.
  let ourShift = 0;
  let theirShift = 0;
  let ourNext = 0;
  let theirNext = 0;
  for (;;) {
    const first = earlier(ourEdits[ourNext], theirEdits[theirNext]);
    if (first === undefined) return regions;
    const start = first.baseStart;
    const ourStart = start + ourShift;
    const theirStart = start + theirShift;
    let end = first.baseEnd;
    for (;;) {
      const ourEdit = ourEdits[ourNext];
      const theirEdit = theirEdits[theirNext];
      // Adjacent edits are one region, as in git: their order is not known.
      if (ourEdit !== undefined && ourEdit.baseStart <= end) {
        end = Math.max(end, ourEdit.baseEnd);
        ourShift = ourEdit.end - ourEdit.baseEnd;
        ourNext++;
      } else if (theirEdit !== undefined && theirEdit.baseStart <= end) {
        end = Math.max(end, theirEdit.baseEnd);
        theirShift = theirEdit.end - theirEdit.baseEnd;
        theirNext++;
      } else break;
    }
    regions.push({
      base: { start, end },
      ours: { start: ourStart, end: end + ourShift },
      theirs: { start: theirStart, end: end + theirShift },
    });
  }
}

/** One region of everything except the lines at both ends that all three texts share. */
function wholeRegion({ base, ours, theirs }: Texts): Region {
  const start = Math.min(
    commonPrefix(base.lines, ours.lines),
    commonPrefix(base.lines, theirs.lines),
  );
  const suffix = Math.min(
    commonSuffix(base.lines, ours.lines, start),
    commonSuffix(base.lines, theirs.lines, start),
  );
  const middle = ({ lines }: TextLines) => ({ start, end: lines.length - suffix });
  return { base: middle(base), ours: middle(ours), theirs: middle(theirs) };
}

function earlier(a: LineEdit | undefined, b: LineEdit | undefined): LineEdit | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.baseStart <= b.baseStart ? a : b;
}

/** The side to take for a region: the only side that edited it, or either one if both are equal. */
function takenSide(texts: Texts, region: Region): 'ours' | 'theirs' | undefined {
  if (sameLines(texts, region, 'theirs', 'base')) return 'ours';
  if (sameLines(texts, region, 'ours', 'base')) return 'theirs';
  return sameLines(texts, region, 'ours', 'theirs') ? 'ours' : undefined;
}

function sameLines(texts: Texts, region: Region, a: Side, b: Side): boolean {
  const length = region[a].end - region[a].start;
  if (length !== region[b].end - region[b].start) return false;
  for (let at = 0; at < length; at++) {
    const line = texts[a].lines[region[a].start + at];
    if (line !== texts[b].lines[region[b].start + at]) return false;
  }
  return true;
}

/** Joins lines, each with its line end. */
class LineWriter {
  readonly #texts: Texts;
  readonly #parts: string[] = [];
  readonly #lineEnd: LineEnd;
  #marked = false;

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#lineEnd = texts.ours.lineEnd ?? texts.theirs.lineEnd ?? texts.base.lineEnd ?? '\n';
  }

  copy(side: Side, { start, end }: Range): void {
    const { lines, ends } = this.#texts[side];
    const { mixed, lineEnd } = this.#texts.ours;
    // If the user's copy has one kind of line end, new lines get it; a mixed copy is not unified.
    const keepsEnds = side === 'ours' || mixed || lineEnd === undefined;
    for (let at = start; at < end; at++) {
      this.#parts.push(lines[at] ?? '', (keepsEnds ? ends[at] : undefined) ?? this.#lineEnd);
    }
    if (end > start) this.#marked = false;
  }

  mark(marker: string): void {
    this.#parts.push(marker, this.#lineEnd);
    this.#marked = true;
  }

  text(): string {
    const { base, ours, theirs } = this.#texts;
    const finalNewline = threeWay(base.finalNewline, ours.finalNewline, theirs.finalNewline);
    if (!finalNewline && !this.#marked) this.#parts.pop();
    const mark = threeWay(base.byteOrderMark, ours.byteOrderMark, theirs.byteOrderMark);
    return (mark ? BYTE_ORDER_MARK : '') + this.#parts.join('');
  }
}

/** Merges a boolean: the value that a side changed to, otherwise the common one. */
function threeWay(base: boolean, ours: boolean, theirs: boolean): boolean {
  return ours === base ? theirs : ours;
}
