/**
 * Names that people mistake for another: one typing error, words in another order, another separator,
 * letters that look alike, an ending that sounds official.
 *
 *     lodahs ~ lodash     crossenv ~ cross-env     babel-core ~ @babel/core
 */
import { wordPattern } from '../parse/word-list.ts';

type Slip =
  | 'one letter differs'
  | 'the separators differ'
  | 'the words are in another order'
  | 'letters look alike'
  | 'an ending was added'
  | 'the scope is missing';

export interface NearName {
  readonly name: string;
  readonly slip: Slip;
}

/** Shorter names are all near some other name. */
const MIN_LENGTH = 5;
/** Endings that make a name look like another form of a popular package. */
const AFFIXES = wordPattern(/WORDS/, {
  'the language or platform': [
    /^(?:node-|nodejs-|js-|npm-|python-|python3-|py-)/,
    /(?:-js|\.js|js|-node|-nodejs|-npm|-python|-python3|-py)$/,
  ],
  'a claim to be the true one': [/^(?:real-|official-|the-)/, /-official$/],
  'a claim to be newer': [/(?:-latest|-updated?|-fixed|-new|2|3)$/],
});
const MAX_NAME_LENGTH = 100;

/** Finds the popular name that a name is easily mistaken for, in constant time; its tables are built at first use. */
export class NearNames {
  /** Each popular name with its place in the list. */
  readonly #names: ReadonlyMap<string, number>;
  readonly #benign: ReadonlySet<string>;
  /** By length, because most lengths are never needed: from shortened spelling to popular names. */
  readonly #shortened = new Map<number, ReadonlyMap<string, readonly string[]>>();
  #forms: ReadonlyMap<string, string> | undefined;

  /** @param benign names that are near a popular one and known to be used */
  constructor(names: readonly string[], benign: readonly string[]) {
    this.#names = new Map(names.map((name, place) => [name, place]));
    this.#benign = new Set(benign);
  }

  /** Whether `name` is popular itself. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The popular name near `name`; `undefined` when `name` is popular itself, or near none. */
  near(name: string): NearName | undefined {
    if (this.#names.has(name) || this.#benign.has(name) || name.length > MAX_NAME_LENGTH)
      return undefined;
    for (const form of formsOf(name)) {
      this.#forms ??= formTable(this.#names.keys());
      const same = this.#forms.get(form);
      if (same !== undefined && same !== name) return { name: same, slip: slipOf(name, same) };
    }
    const edited = this.#edited(name);
    if (edited !== undefined) return { name: edited, slip: 'one letter differs' };
    const bare = name.replace(AFFIXES, '');
    return bare !== name &&
      (scopeOf(name) === '' || scopeOf(name) !== scopeOf(bare)) &&
      bare.length >= MIN_LENGTH &&
      this.#names.has(bare)
      ? { name: bare, slip: 'an ending was added' }
      : undefined;
  }

  #edited(name: string): string | undefined {
    if (name.length < MIN_LENGTH - 1) return undefined;
    for (const short of [name, ...shortenings(name)]) {
      for (const candidate of this.#candidates(short, name.length)) {
        if (scopeOf(candidate) !== '' && scopeOf(candidate) === scopeOf(name)) continue;
        if (isOneSlip(name, candidate)) return candidate;
      }
    }
    return undefined;
  }

  /** Popular names with the shortened spelling `short` and about `length` letters, in the list's order. */
  #candidates(short: string, length: number): string[] {
    const found = [length - 1, length, length + 1].flatMap(
      (one) => this.#tableOf(one).get(short) ?? [],
    );
    return found.sort((a, b) => this.#names.get(a)! - this.#names.get(b)!);
  }

  #tableOf(length: number): ReadonlyMap<string, readonly string[]> {
    const known = this.#shortened.get(length);
    if (known !== undefined) return known;
    const table = new Map<string, string[]>();
    for (const name of this.#names.keys()) {
      if (name.length !== length || length < MIN_LENGTH) continue;
      for (const short of shortenings(name)) {
        const names = table.get(short);
        if (names === undefined) table.set(short, [name]);
        else names.push(name);
      }
    }
    this.#shortened.set(length, table);
    return table;
  }
}

/** From each form of the names to the first name that has it. */
function formTable(names: Iterable<string>): Map<string, string> {
  const table = new Map<string, string>();
  for (const name of names) {
    if (name.length < MIN_LENGTH) continue;
    for (const form of formsOf(name)) if (!table.has(form)) table.set(form, name);
  }
  return table;
}

/** The name itself and the name without each of its letters. */
function shortenings(name: string): string[] {
  const short = [name];
  for (let at = 0; at < name.length; at += 1) short.push(name.slice(0, at) + name.slice(at + 1));
  return short;
}

/** Forms that are equal when two names differ only in ways that people overlook. */
function formsOf(name: string): string[] {
  const plain = name.replaceAll(/[@/._-]/g, '');
  if (plain.length < MIN_LENGTH) return [];
  const words = name.split(/[@/._-]+/).filter((word) => word !== '');
  const forms = [`plain ${plain}`];
  const drawn = plain
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('5', 's');
  forms.push(`drawn ${drawn}`);
  if (words.length > 1) forms.push(`words ${[...words].sort().join(' ')}`);
  return forms;
}

function slipOf(name: string, popular: string): Slip {
  const strip = (text: string): string => text.replaceAll(/[@/._-]/g, '');
  if (strip(name) === strip(popular))
    return scopeOf(popular) !== '' && scopeOf(name) === ''
      ? 'the scope is missing'
      : 'the separators differ';
  return /[@/._-]/.test(name) &&
    Array.from(strip(name)).sort().join('') === Array.from(strip(popular)).sort().join('')
    ? 'the words are in another order'
    : 'letters look alike';
}

function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/') + 1) : '';
}

/** Whether one insertion, deletion, replacement or swap of neighbours turns one name into the other. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const [left, right] = [endA - start, endB - start];
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

/** A Python distribution's name in its only spelling (PEP 503). */
export function normalPipName(name: string): string {
  return name
    .replace(/\[.*$/, '')
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-')
    .trim();
}
