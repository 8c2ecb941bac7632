/** Changes the terms of leaves, and divides or joins them so that the leaves depend on the terms alone. */
import type { Postings } from './leaf-file.ts';
import { formatLeaf, readLeaf, sizeOf } from './leaf-file.ts';
import type { LeafSize, SearchStore } from './search-store.ts';
import { FIELDS, TERM_END } from './search-terms.ts';
import { leafOf, leavesUnder, newLeaf, rangeUnder } from './term-tree.ts';

/** A leaf with more than one term is divided above this. */
export const MAX_LEAF_BYTES = 8_000;

/** A leaf with a longer name is not divided: file systems limit the length of a name. */
const MAX_NAME = 32;

/** What changes about a term: entries (`entryOf`) to take out and to put in. */
export interface TermChange {
  readonly out: number[];
  readonly in: number[];
}

/** A build and a field as one number. @param at the index of the field in `FIELDS` */
export function entryOf(number: number, at: number): number {
  return number * FIELDS.length + at;
}

/**
 * Changes terms.
 * @returns the names of the leaves that were written or dropped
 */
export function editLeaves(
  store: SearchStore,
  changes: ReadonlyMap<string, TermChange>,
  maxBytes: number = MAX_LEAF_BYTES,
): Set<string> {
  const before = new Map(store.leaves().map((leaf) => [leaf.name, leaf]));
  const names = [...before.keys()].sort();
  const edited = new Map<string, Map<string, Postings>>();
  for (const [term, change] of changes) {
    const name = leafOf(names, term) ?? newLeaf(names, term);
    const terms = edited.get(name) ?? leafTerms(store, name);
    edited.set(name, terms);
    const postings = changed(terms.get(term), change);
    if (postings === undefined) terms.delete(term);
    else terms.set(term, postings);
  }
  const kept = [...before.values()].filter(({ name }) => !edited.has(name));
  const joined = joinSmall(store, kept, edited, maxBytes);
  const written = new Set<string>(joined.dropped);
  for (const name of edited.keys()) {
    if (before.has(name)) written.add(name);
    store.dropLeaf(name);
  }
  for (const [name, terms] of joined.edited) {
    const sizes = new Map([...terms].map(([term, postings]) => [term, sizeOf(term, postings)]));
    for (const [leaf, own] of divide(name, [...terms.keys()], sizes, maxBytes)) {
      written.add(leaf);
      const content = new Map(own.map((term) => [term, terms.get(term)!]));
      store.setLeaf(
        { name: leaf, size: total(own, sizes), terms: own.length },
        formatLeaf(content),
      );
    }
  }
  return written;
}

function leafTerms(store: SearchStore, name: string): Map<string, Postings> {
  const content = store.leaf(name);
  return content === undefined ? new Map() : readLeaf(content);
}

function changed(postings: Postings | undefined, change: TermChange): Postings | undefined {
  const out = new Set(change.out);
  const lists = FIELDS.map((_, at) => {
    const kept = postings?.[at] ?? [];
    return out.size === 0 ? [...kept] : kept.filter((number) => !out.has(entryOf(number, at)));
  });
  const grown = new Set<number[]>();
  for (const entry of change.in) {
    const list = lists[entry % FIELDS.length]!;
    list.push(Math.floor(entry / FIELDS.length));
    grown.add(list);
  }
  for (const list of grown) list.sort((a, b) => a - b);
  return lists.some((list) => list.length > 0) ? lists : undefined;
}

/** Leaves that together are small enough, or have one term, become one, as near to the root as possible. */
function joinSmall(
  store: SearchStore,
  kept: readonly LeafSize[],
  edited: ReadonlyMap<string, Map<string, Postings>>,
  maxBytes: number,
): { edited: Map<string, Map<string, Postings>>; dropped: string[] } {
  const sizes = new Map(kept.map((leaf) => [leaf.name, leaf]));
  for (const [name, terms] of edited) if (terms.size > 0) sizes.set(name, sizeOfLeaf(name, terms));
  const names = [...sizes.keys()].sort();
  const bytesUnder = sumsOf(names.map((name) => sizes.get(name)!.size));
  const termsUnder = sumsOf(names.map((name) => sizes.get(name)!.terms));
  const result = new Map<string, Map<string, Postings>>();
  const dropped: string[] = [];
  for (const name of edited.keys()) {
    if (startsOf(name).some((start) => result.has(start))) continue;
    const root = startsOf(name).find((start) => {
      const range = rangeUnder(names, start);
      return termsUnder(...range) <= 1 || bytesUnder(...range) <= maxBytes;
    });
    const terms = new Map<string, Postings>();
    for (const leaf of leavesUnder(names, root ?? name)) {
      const own = edited.get(leaf) ?? leafTerms(store, leaf);
      for (const [term, postings] of own) terms.set(term, postings);
      if (edited.has(leaf)) continue;
      dropped.push(leaf);
      store.dropLeaf(leaf);
    }
    if (terms.size > 0) result.set(root ?? name, terms);
  }
  return { edited: result, dropped };
}

/** The proper starts of a name, shortest first. */
function startsOf(name: string): string[] {
  const starts: string[] = [];
  let start = '';
  for (const character of name) {
    starts.push(start);
    start += character;
  }
  return starts;
}

/** The leaves of the terms that begin with `prefix`. */
function divide(
  prefix: string,
  terms: readonly string[],
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
): [name: string, terms: readonly string[]][] {
  const isSmall = terms.length <= 1 || total(terms, sizes) <= maxBytes;
  if (isSmall || prefix.length >= MAX_NAME) return [[prefix, terms]];
  const parts = new Map<string, string[]>();
  for (const term of terms) {
    const next = String.fromCodePoint((term + TERM_END).codePointAt(prefix.length)!);
    const part = parts.get(prefix + next);
    if (part === undefined) parts.set(prefix + next, [term]);
    else part.push(term);
  }
  return [...parts].flatMap(([name, own]) => divide(name, own, sizes, maxBytes));
}

function total(terms: readonly string[], sizes: ReadonlyMap<string, number>): number {
  return terms.reduce((sum, term) => sum + sizes.get(term)!, 0);
}

function sizeOfLeaf(name: string, terms: ReadonlyMap<string, Postings>): LeafSize {
  let size = 0;
  for (const [term, postings] of terms) size += sizeOf(term, postings);
  return { name, size, terms: terms.size };
}

/** The sum of a range of numbers. */
function sumsOf(numbers: readonly number[]): (from: number, to: number) => number {
  const sums = [0];
  for (const number of numbers) sums.push(sums.at(-1)! + number);
  return (from, to) => sums[to]! - sums[from]!;
}
