/**
 * A leaf: its terms, sorted, each with the numbers of the builds that have it, field by field. A term has the characters
 * that it shares with the one before it as a count:
 *
 *     varint(shared UTF-16 units) varint(bytes) UTF-8, bits of `FIELDS`, one list of numbers for each bit
 */
import { ByteReader, pushVarint } from './byte-reader.ts';
import { pushNumbers, readNumbers, sizeOfNumbers } from './number-list.ts';
import { FIELDS } from './search-terms.ts';
import { commonStart } from './term-tree.ts';

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
