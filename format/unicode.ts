/**
 * Letter case, normal forms and properties of characters by one version of Unicode, that of `unicode-tables.ts`, so
 * that a build is judged alike on every Node.js. Nothing else in `format`, `checks`, `examine`, `generator` and `client`
 * uses those of the engine: the lint rule `stackyard/one-unicode` (`tools/lint/one-unicode.js`) refuses them.
 *
 *     lowerCase('ÀB')               'àb'
 *     normalize('e\u0301', 'NFC')   'é'
 *     characterClass('L', 'N')      '\u{30}-\u{39}\u{41}-\u{5a}...', for a pattern with flag u: `[${...}]`
 */
import {
  CANONICAL,
  CLASSES,
  COMPATIBLE,
  LOWER,
  MARKS,
  UNCOMPOSED,
  UPPER,
} from './unicode-tables.ts';

/** A property as `\p{...}` names it in a pattern with flag `u`. */
type CharacterProperty = keyof typeof CLASSES;

type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** The first and the last code point. */
type Range = readonly [number, number];

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;
/** Composed already: the first combining character is U+0300. */
// oxlint-disable-next-line no-control-regex
const COMPOSED = /^[\0-\u02ff]*$/;

/** Hangul syllables, which are computed: The Unicode Standard, section 3.12. */
const [FIRST_SYLLABLE, FIRST_L, FIRST_V, FIRST_T] = [0xac00, 0x1100, 0x1161, 0x11a7];
const [L_COUNT, V_COUNT, T_COUNT] = [19, 21, 28];
const SYLLABLES = L_COUNT * V_COUNT * T_COUNT;

/** Of each combining character its place in the order of combining classes; 0 for other characters. */
const markOrder = once(() => {
  const groups = MARKS.split(';').map(rangesOf);
  const order = groups.flatMap((group, at) =>
    group.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, n) => [first + n, at + 1] as const),
    ),
  );
  return new Map(order);
});
const canonical = once(() => mapOf(CANONICAL));
const compatible = once(() => new Map([...canonical(), ...mapOf(COMPATIBLE)]));
const composites = once(pairsOf);
const lower = once(() => caseOf(LOWER));
const upper = once(() => caseOf(UPPER));
/** U+03A3 at the end of a word, which lower case writes in another way: SpecialCasing.txt, `Final_Sigma`. */
const finalSigma = once(() => {
  const ignorable = `[${characterClass('Case_Ignorable')}]`;
  // Some characters are both; as context they are ignored.
  const cased = `(?!${ignorable})[${characterClass('Cased')}]`;
  return new RegExp(`(?<=${cased}${ignorable}*)\u03A3(?!${ignorable}*${cased})`, 'gu');
});
const classes = new Map<CharacterProperty, string>();

/** Whether `text` is of ASCII alone: its normal forms are equal. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** `text` in lower case, with the rules of no language. */
export function lowerCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const sigma = text.includes('\u03A3') ? text.replace(finalSigma(), '\u03C2') : text;
  const { pattern, map } = lower();
  return sigma.replace(pattern, (letter) => map.get(letter) ?? letter);
}

/** `text` in upper case, with the rules of no language. */
export function upperCase(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  const { pattern, map } = upper();
  return text.replace(pattern, (letter) => map.get(letter) ?? letter);
}

/** `text` in a normal form: Unicode Standard Annex 15. Linear, except for the order of many combining characters in a row. */
export function normalize(text: string, form: NormalForm): string {
  const isComposed = form === 'NFC' || form === 'NFKC';
  if ((form === 'NFC' ? COMPOSED : ASCII).test(text)) return text;
  const points = decompose(text, form === 'NFC' || form === 'NFD' ? canonical() : compatible());
  order(points);
  if (isComposed) compose(points);
  let result = '';
  for (let at = 0; at < points.length; at += 4096) {
    result += String.fromCodePoint(...points.slice(at, at + 4096));
  }
  return result;
}

/** The inside of a class of characters with any of the properties, for a pattern with flag `u`. */
export function characterClass(...properties: readonly CharacterProperty[]): string {
  return properties.map(classOf).join('');
}

function classOf(property: CharacterProperty): string {
  const known = classes.get(property);
  if (known !== undefined) return known;
  const text = rangesOf(CLASSES[property])
    .map(([first, last]) => (first === last ? escape(first) : `${escape(first)}-${escape(last)}`))
    .join('');
  classes.set(property, text);
  return text;
}

function escape(point: number): string {
  return `\\u{${point.toString(16)}}`;
}

function decompose(text: string, map: ReadonlyMap<number, readonly number[]>): number[] {
  const points: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    const syllable = point - FIRST_SYLLABLE;
    if (syllable >= 0 && syllable < SYLLABLES) {
      points.push(FIRST_L + Math.floor(syllable / (V_COUNT * T_COUNT)));
      points.push(FIRST_V + (Math.floor(syllable / T_COUNT) % V_COUNT));
      if (syllable % T_COUNT > 0) points.push(FIRST_T + (syllable % T_COUNT));
      continue;
    }
    const parts = point < 0x80 ? undefined : map.get(point);
    if (parts === undefined) points.push(point);
    else points.push(...parts);
  }
  return points;
}

/** Sorts combining characters in a row by their classes, those of one class as they were. */
function order(points: number[]): void {
  const orders = markOrder();
  for (let at = 0; at < points.length; at += 1) {
    if (!orders.has(points[at]!)) continue;
    const start = at;
    while (at < points.length && orders.has(points[at]!)) at += 1;
    if (at - start === 1) continue;
    const marks = points.slice(start, at).sort((a, b) => orders.get(a)! - orders.get(b)!);
    for (const [n, mark] of marks.entries()) points[start + n] = mark;
  }
}

/** Composes in place, as the canonical composition algorithm of The Unicode Standard, section 3.11. */
function compose(points: number[]): void {
  const [orders, pairs] = [markOrder(), composites()];
  let length = 0;
  let starter = -1;
  // The order of the last character after the starter that was not composed with it; -1 for none.
  let last = -1;
  for (const point of points) {
    const own = orders.get(point) ?? 0;
    const isBlocked = last >= own && last !== -1;
    const whole =
      starter === -1 || isBlocked ? undefined : compositeOf(pairs, points[starter]!, point);
    if (whole !== undefined) {
      points[starter] = whole;
      continue;
    }
    if (own === 0) starter = length;
    last = own === 0 ? -1 : own;
    points[length] = point;
    length += 1;
  }
  points.length = length;
}

function compositeOf(
  pairs: ReadonlyMap<number, ReadonlyMap<number, number>>,
  first: number,
  second: number,
): number | undefined {
  const [l, v, t] = [first - FIRST_L, second - FIRST_V, second - FIRST_T];
  if (l >= 0 && l < L_COUNT && v >= 0 && v < V_COUNT) {
    return FIRST_SYLLABLE + (l * V_COUNT + v) * T_COUNT;
  }
  const syllable = first - FIRST_SYLLABLE;
  const isOpen = syllable >= 0 && syllable < SYLLABLES && syllable % T_COUNT === 0;
  if (isOpen && t > 0 && t < T_COUNT) return first + t;
  return pairs.get(second)?.get(first);
}

/** Of second characters the first ones, with the composite of both. */
function pairsOf(): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const pairs = new Map<number, Map<number, number>>();
  const excluded = rangesOf(UNCOMPOSED);
  const several = [...canonical()]
    .filter(([point, parts]) => parts.length > 1 && !excluded.some((range) => isIn(point, range)))
    // What all characters but the last one compose to is shorter, and known then.
    .sort(([, a], [, b]) => a.length - b.length);
  for (const [point, parts] of several) {
    const second = parts.at(-1)!;
    let first = parts[0]!;
    for (const part of parts.slice(1, -1)) first = pairs.get(part)!.get(first)!;
    const firsts = pairs.get(second) ?? new Map<number, number>();
    pairs.set(second, firsts.set(first, point));
  }
  return pairs;
}

function isIn(point: number, [first, last]: Range): boolean {
  return point >= first && point <= last;
}

function caseOf(row: string): { pattern: RegExp; map: ReadonlyMap<string, string> } {
  const map = new Map(
    [...mapOf(row)].map(([point, parts]) => [
      String.fromCodePoint(point),
      String.fromCodePoint(...parts),
    ]),
  );
  return { pattern: new RegExp(`[${[...map.keys()].join('')}]`, 'gu'), map };
}

/** Reads `<gap> <length less one>` of each range, in base 36: the gap to the end of the last one. */
function rangesOf(row: string): Range[] {
  const numbers = row.split(' ').map((word) => parseInt(word, 36));
  const ranges: Range[] = [];
  let end = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    const first = end + numbers[at]!;
    end = first + numbers[at + 1]! + 1;
    ranges.push([first, end - 1]);
  }
  return ranges;
}

/**
 * Reads `<gap>[*<count>[/<step>]]:<parts>` of each run of characters, in base 36: the gap to the last start, how
 * many follow at the distance `step`, and what the first becomes; each following one becomes that of the last
 * plus `step`.
 */
function mapOf(row: string): Map<number, readonly number[]> {
  const map = new Map<number, readonly number[]>();
  let start = 0;
  for (const word of row.split(' ')) {
    const [run = '', parts = ''] = word.split(':');
    const [gap = '', count = '1', step = '1'] = run.split(/[*/]/);
    start += parseInt(gap, 36);
    const to = parts.split('.').map((part) => parseInt(part, 36));
    for (let n = 0; n < parseInt(count, 36); n += 1) {
      const far = n * Number(step);
      map.set(start + far, far === 0 ? to : [to[0]! + far]);
    }
  }
  return map;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
