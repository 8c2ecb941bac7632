/**
 * Characters that people do not see and programs do: where they are in a text, and whether they belong there.
 *
 *     "admin\u200b"     U+200B inside a word: no spelling needs it
 *     "نیم\u200cفاصله"   U+200C between Arabic letters: Persian spelling
 */

type HiddenKind = 'bidi' | 'tag' | 'encoded' | 'filler' | 'invisible';

interface HiddenRun {
  readonly kind: HiddenKind;
  readonly start: number;
  readonly end: number;
  /** Characters in the run, counted as code points. */
  readonly count: number;
}

/** This many invisible characters in a row encode data: spelling needs one, emoji at most a few. */
const MIN_ENCODED_RUN = 8;
/** Selectors in a row: a character takes one. */
const MIN_SELECTOR_RUN = 4;
/** Private use characters in a row; icon fonts need one at a time. */
const MIN_PRIVATE_RUN = 24;

/** Every character that this module examines, in one linear pass; most texts have none. */
const HIDDEN =
  // oxlint-disable-next-line no-misleading-character-class
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]+|[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]{24,}/gu;
const BIDI = /[\u202A-\u202E\u2066-\u2069]/;
const TAGS = /[\u{E0001}\u{E0020}-\u{E007F}]/u;
const SELECTORS = /^[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+$/u;
const FILLERS = /[\u115F\u1160\u3164\uFFA0]/;
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Scripts whose spelling uses joiners, and emoji, whose sequences do. */
const JOINING =
  // oxlint-disable-next-line no-misleading-character-class
  /[\u0590-\u08FF\u0900-\u109F\u1780-\u18AF\u1A20-\u1AAF\uA840-\uA87F\uFB1D-\uFDFF\uFE70-\uFEFC\uFE0F\u{11000}-\u{11FFF}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const HANGUL = /[\u1100-\u11FF\u3130-\u318F\uA960-\uA97F\uAC00-\uD7FF\uFFA1-\uFFDC]/;
const FLAG_BASE = '\u{1F3F4}';
const CANCEL_TAG = '\u{E007F}';
const PRIVATE_START = /^[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/u;

/** The hidden characters of `text` that no spelling explains, in order. */
export function findHidden(text: string): HiddenRun[] {
  const found: HiddenRun[] = [];
  for (const match of text.matchAll(HIDDEN)) {
    const [run] = match;
    const kind = kindOf(text, match.index, run);
    if (kind === undefined) continue;
    const end = match.index + run.length;
    found.push({ kind, start: match.index, end, count: Array.from(run).length });
  }
  return found;
}

function kindOf(text: string, start: number, run: string): HiddenKind | undefined {
  const characters = Array.from(run);
  if (PRIVATE_START.test(run)) return characters.length >= MIN_PRIVATE_RUN ? 'encoded' : undefined;
  const before = characterBefore(text, start);
  const after = characterAt(text, start + run.length);
  if (TAGS.test(run)) return isFlag(before, characters) ? undefined : 'tag';
  if (SELECTORS.test(run)) return characters.length >= MIN_SELECTOR_RUN ? 'encoded' : undefined;
  if (BIDI.test(run)) {
    const isBeside = RIGHT_TO_LEFT.test(before) || RIGHT_TO_LEFT.test(after);
    const isNeeded = isNeededBidi(text, start, isBeside) || isInClass(text, start, run.length);
    return isNeeded ? undefined : 'bidi';
  }
  if (characters.length >= MIN_ENCODED_RUN && new Set(characters).size > 1) return 'encoded';
  if (FILLERS.test(run) && !HANGUL.test(before) && !HANGUL.test(after)) return 'filler';
  return isSpelling(start, run, before, after) ? undefined : 'invisible';
}

/** Flags of regions: a black flag, tags, and the tag that ends them. */
function isFlag(before: string, characters: readonly string[]): boolean {
  return before === FLAG_BASE && characters.length <= 8 && characters.at(-1) === CANCEL_TAG;
}

/** Directional controls are needed where a line has letters written from right to left. */
function isNeededBidi(text: string, at: number, isBeside: boolean): boolean {
  // Cut first: a search for the ends of a long line, from each of its characters, takes the square of its length.
  const before = text.slice(Math.max(0, at - 500), at);
  const [after = ''] = text.slice(at, at + 500).split('\n', 1);
  const line = before.slice(before.lastIndexOf('\n') + 1) + after;
  if (!RIGHT_TO_LEFT.test(line)) return false;
  // An override reverses even Latin letters; spelling needs only embeddings and isolates that are closed in their line.
  if (/[\u202D\u202E]/.test(line)) return false;
  // Next to such a letter nothing else is reversed, so a missing end is allowed: translations are often cut and joined.
  if (isBeside) return true;
  const opened = line.match(/[\u202A\u202B\u2066-\u2068]/g)?.length ?? 0;
  const closed = line.match(/[\u202C\u2069]/g)?.length ?? 0;
  return opened <= closed;
}

/** The end of a range in a class of characters, such as `[\u2028-\u202f]`: not text for readers. */
function isInClass(text: string, start: number, length: number): boolean {
  const end = start + length;
  const before = text.slice(Math.max(0, start - 100), start).replaceAll(/\\+./g, '__');
  const after = text.slice(end, end + 100).replaceAll(/\\+./g, '__');
  const isRange = before.endsWith('-') || after.startsWith('-');
  return isRange && /\[[^\]]*$/.test(before) && /^[^[\n]*\]/.test(after);
}

function isSpelling(start: number, run: string, before: string, after: string): boolean {
  if (run === '\uFEFF') return start === 0;
  if (/^[\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u180B-\u180F]{1,2}$/u.test(run)) return true;
  if (/^\uFE0F?[\u200C\u200D]$/u.test(run) || /^[\u200E\u200F\u061C]$/.test(run)) {
    return JOINING.test(before) || JOINING.test(after);
  }
  return false;
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff;
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}
