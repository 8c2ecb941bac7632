/**
 * The files of the search data, as bytes and back: a manifest, leaves with terms, nodes with the builds below them, pages of the
 * order, and the words that corrections know. Browsers read what a server sends: broken bytes are a `RangeError`, never a loop.
 *
 *     integer   varint: seven bits in each byte, the lowest first, the eighth bit when more follow
 *     numbers   varint(count * 32 + k), then for each gap between them: gap >> k ones, a zero, and the k low bits of the gap,
 *               the lowest first (Golomb-Rice); bits fill bytes from the lowest bit on, the last byte is filled with zeros
 *     leaf      for each term: varint(UTF-16 units shared with the one before) varint(bytes) UTF-8, bits of `FIELDS`,
 *               numbers for each bit
 *     node      numbers for each field of `BEGINNINGS`
 *     page      integers
 */
import { canonicalJson } from '../../../format/document/canonical-json.ts';
import { BEGINNINGS } from '../../../format/index/ranking.ts';
import { FIELDS, commonStart } from './search-terms.ts';

interface SearchManifest {
  /** The numbers of builds are 0 to this. */
  readonly builds: number;
  /** How many of them have a version that is not yanked. */
  readonly shown: number;
  /** Names of the leaves, sorted. */
  readonly leaves: readonly string[];
  /** Names of the pages of the order, best first. */
  readonly pages: readonly string[];
}

/** More shared characters than this are written again. */
const MAX_SHARED = 70;

/** A character for the count of shared characters, in the order of ASCII. */
const ZERO = 48;

/** The text of the manifest. The inverse of `readManifest`. */
export function formatManifest({ leaves, ...rest }: SearchManifest): string {
  const lines = leaves.map((leaf, at) => {
    const shared = sharedLength(leaves[at - 1] ?? '', leaf);
    return String.fromCharCode(ZERO + shared) + leaf.slice(shared);
  });
  return canonicalJson({ ...rest, leaves: lines.join('\n') });
}

/** @throws {SyntaxError} for what is no JSON */
export function readManifest(text: string): SearchManifest {
  const { leaves, ...rest } = JSON.parse(text) as Omit<SearchManifest, 'leaves'> & {
    leaves: string;
  };
  let before = '';
  const names =
    leaves === ''
      ? []
      : leaves.split('\n').map((line) => {
          before = before.slice(0, line.charCodeAt(0) - ZERO) + line.slice(1);
          return before;
        });
  return { ...rest, leaves: names };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < MAX_SHARED && length < a.length && a[length] === b[length]) length += 1;
  // Half a character is no JSON.
  return /[\uD800-\uDBFF]$/.test(a.slice(0, length)) ? length - 1 : length;
}

/** The numbers of builds by the index of the field in `FIELDS`; sorted and distinct. */
export type Postings = number[][];

/** The bytes of a leaf. The inverse of `readLeaf`. */
export function formatLeaf(terms: ReadonlyMap<string, Postings>): Uint8Array {
  const out: number[] = [];
  let before = '';
  for (const term of [...terms.keys()].sort()) {
    const shared = commonStart(before, term).length;
    const rest = new TextEncoder().encode(term.slice(shared));
    pushVarint(out, shared);
    pushVarint(out, rest.length);
    out.push(...rest);
    pushPostings(out, terms.get(term)!);
    before = term;
  }
  return Uint8Array.from(out);
}

/** About how much a term adds to the size of its leaf, in bytes. */
export function sizeOf(term: string, postings: Postings): number {
  return postings.reduce((size, numbers) => size + sizeOfNumbers(numbers), term.length + 3);
}

/** The terms of a leaf, sorted. */
export function readLeaf(bytes: Uint8Array): Map<string, Postings> {
  const reader = new ByteReader(bytes);
  const terms = new Map<string, Postings>();
  for (let before = ''; !reader.isAtEnd;) {
    const shared = reader.varint();
    const rest = new TextDecoder().decode(reader.take(reader.varint()));
    before = before.slice(0, shared) + rest;
    const fields = reader.take(1)[0]!;
    const postings = FIELDS.map((_, at) => (fields & (1 << at) ? readNumbers(reader) : []));
    terms.set(before, postings);
  }
  return terms;
}

function pushPostings(out: number[], postings: Postings): void {
  let fields = 0;
  for (const [at, numbers] of postings.entries()) if (numbers.length > 0) fields |= 1 << at;
  out.push(fields);
  for (const numbers of postings) if (numbers.length > 0) pushNumbers(out, numbers);
}

/** The bytes of a node. @param lists sorted and distinct, in the order of `BEGINNINGS` */
export function formatNode(lists: readonly (readonly number[])[]): Uint8Array {
  const out: number[] = [];
  for (const numbers of lists) pushNumbers(out, numbers);
  return Uint8Array.from(out);
}

/** The lists of a node. The inverse of `formatNode`. */
export function readNode(bytes: Uint8Array): number[][] {
  const reader = new ByteReader(bytes);
  return BEGINNINGS.map(() => readNumbers(reader));
}

/** On average. */
export const PAGE_BUILDS = 512;

/** The name of the page that no number ends. */
const LAST_PAGE = 'rest';

/** The pages by name, best first; a page has the name of the number that ends it. */
export function pagesOf(ordered: readonly number[]): Map<string, Uint8Array> {
  const pages = new Map<string, Uint8Array>();
  let page: number[] = [];
  for (const number of ordered) {
    pushVarint(page, number);
    if (!endsPage(number)) continue;
    pages.set(String(number), Uint8Array.from(page));
    page = [];
  }
  if (page.length > 0) pages.set(LAST_PAGE, Uint8Array.from(page));
  return pages;
}

/** The numbers of a page. */
export function readPage(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const numbers: number[] = [];
  while (!reader.isAtEnd) numbers.push(reader.varint());
  return numbers;
}

/** One number in `PAGE_BUILDS`, spread over all of them by the golden ratio. */
function endsPage(number: number): boolean {
  return Math.imul(number + 1, 0x9e_37_79_b1) >>> 23 === 0;
}

const MAX_K = 31;

/** Appends `numbers`, sorted and distinct, to `out`. */
export function pushNumbers(out: number[], numbers: readonly number[]): void {
  const gaps = gapsOf(numbers);
  const { k } = bestK(gaps);
  pushVarint(out, numbers.length * (MAX_K + 1) + k);
  let [byte, used] = [0, 0];
  const push = (bit: number): void => {
    byte |= bit << used;
    used += 1;
    if (used < 8) return;
    out.push(byte);
    [byte, used] = [0, 0];
  };
  for (const gap of gaps) {
    for (let ones = gap >> k; ones > 0; ones -= 1) push(1);
    push(0);
    for (let bit = 0; bit < k; bit += 1) push((gap >> bit) & 1);
  }
  if (used > 0) out.push(byte);
}

/**
 * The numbers of the list that follows. The inverse of `pushNumbers`.
 * @throws {RangeError} when the bytes end before the list does
 */
export function readNumbers(reader: ByteReader): number[] {
  const head = reader.varint();
  const [count, k] = [Math.floor(head / (MAX_K + 1)), head % (MAX_K + 1)];
  const numbers: number[] = [];
  let [byte, left] = [0, 0];
  const pull = (): number => {
    if (left === 0) [byte, left] = [reader.take(1)[0]!, 8];
    const bit = byte & 1;
    byte >>= 1;
    left -= 1;
    return bit;
  };
  for (let number = -1; numbers.length < count; numbers.push(number)) {
    let gap = 0;
    while (pull() === 1) gap += 1;
    gap <<= k;
    for (let bit = 0; bit < k; bit += 1) gap |= pull() << bit;
    number += gap + 1;
  }
  return numbers;
}

/** How many bytes `pushNumbers` appends, without the head. */
export function sizeOfNumbers(numbers: readonly number[]): number {
  return Math.ceil(bestK(gapsOf(numbers)).bits / 8);
}

function gapsOf(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? -1) - 1);
}

/** The k with the fewest bits; the lowest of several. */
function bestK(gaps: readonly number[]): { k: number; bits: number } {
  let best = { k: 0, bits: Infinity };
  for (let k = 0; k <= MAX_K; k += 1) {
    let bits = gaps.length * (k + 1);
    for (const gap of gaps) bits += gap >> k;
    if (bits >= best.bits) break;
    best = { k, bits };
  }
  return best;
}

/** Reads bytes from the start on. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** @throws {RangeError} when the bytes end before the number does */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new RangeError('The bytes end inside a number');
      this.at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** The next `length` bytes, not copied. */
  take(length: number): Uint8Array {
    const part = this.bytes.subarray(this.at, this.at + length);
    if (part.length < length) throw new RangeError('The bytes end inside a part');
    this.at += length;
    return part;
  }
}

/** Appends `value`, an integer from 0, to `out`. */
export function pushVarint(out: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}
