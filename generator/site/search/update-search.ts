/**
 * Brings the search data up to the builds of the registry. What it writes depends on the builds and the order of their
 * first publication alone, not on how many runs it took; a run costs what changed.
 */
import { canonicalJson } from '../../../format/document/canonical-json.ts';
import { BEGINNINGS } from '../../../format/index/ranking.ts';
import {
  FREQUENT_WORDS_PATH,
  SEARCH_MANIFEST_PATH,
  leafPath,
  nodePath,
  orderPath,
  searchBuildPath,
} from '../../../format/index/search-path.ts';
import { frequentWords, isSpelled } from '../../../format/index/word-forms.ts';
import {
  formatLeaf,
  formatManifest,
  formatNode,
  pagesOf,
  readLeaf,
  readNode,
  sizeOf,
  type Postings,
} from './search-files.ts';
import type { SearchTable } from './search-table.ts';
import {
  FIELDS,
  TERM_END,
  indexTermsOf,
  leafOf,
  leavesUnder,
  newLeaf,
  nodesOf,
  rangeUnder,
  type SearchBuild,
} from './search-terms.ts';

type LeafSize = Parameters<SearchTable['setLeaf']>[0];

/** The fields whose words are candidates for corrections, as `KnownWords` counts them. */
const SPELLED_FIELDS = ['tag', 'nameWord', 'description'] as const;

/** A leaf with more than one term is divided above this. */
const MAX_LEAF_BYTES = 8_000;

/** A leaf with a longer name is not divided: file systems limit the length of a name. */
const MAX_NAME = 32;

/** Takes one file of the search data. */
type AddSearchFile = (path: string, content: string | Uint8Array) => void;

/**
 * Gives `add` every file that differs from those of the last run.
 * @param builds those that changed; new ones in the order of their first publication
 * @param maxLeafBytes other than the default in tests only
 * @returns paths of files that are no longer part of the search data
 */
export function updateSearch(
  store: SearchTable,
  builds: Iterable<SearchBuild>,
  add: AddSearchFile,
  maxLeafBytes: number = MAX_LEAF_BYTES,
): string[] {
  const changes: TermsChange[] = [];
  for (const build of builds) {
    const known = store.build(build.id);
    const number = known?.number ?? store.count();
    store.setBuild(number, build);
    add(searchBuildPath(number), canonicalJson(build));
    const before = known === undefined ? new Map<string, number>() : indexTermsOf(known.build);
    changes.push({ number, before, after: indexTermsOf(build) });
  }
  const oldLeaves = leafNames(store);
  const written = editLeaves(store, termChanges(changes), maxLeafBytes);
  const leaves = leafNames(store);
  const removed: string[] = [];
  const give = (path: string, content: Uint8Array | undefined): void => {
    if (content === undefined) removed.push(path);
    else add(path, content);
  };
  for (const name of written) give(leafPath(name), store.leaf(name));
  if (written.size > 0) add(FREQUENT_WORDS_PATH, frequentWords(store.words()).join('\n'));
  for (const name of editNodes(store, oldLeaves, leaves, changes)) {
    give(nodePath(name), store.node(name));
  }
  const ordered = store.inOrder();
  const pages = pagesOf(ordered);
  for (const name of editPages(store, pages)) give(orderPath(name), pages.get(name));
  const counts = { builds: store.count(), shown: ordered.length };
  add(SEARCH_MANIFEST_PATH, formatManifest({ ...counts, leaves, pages: [...pages.keys()] }));
  return removed;
}

function leafNames(store: SearchTable): string[] {
  return store
    .leaves()
    .map(({ name }) => name)
    .sort();
}

function termChanges(changes: readonly TermsChange[]): Map<string, TermChange> {
  const byTerm = new Map<string, TermChange>();
  const changeOf = (term: string): TermChange => {
    const change = byTerm.get(term) ?? { out: [], in: [] };
    byTerm.set(term, change);
    return change;
  };
  for (const { number, before, after } of changes) {
    for (const [term, fields] of before) {
      const gone = fields & ~(after.get(term) ?? 0);
      for (const at of FIELDS.keys()) {
        if (gone & (1 << at)) changeOf(term).out.push(entryOf(number, at));
      }
    }
    for (const [term, fields] of after) {
      const come = fields & ~(before.get(term) ?? 0);
      for (const at of FIELDS.keys()) {
        if (come & (1 << at)) changeOf(term).in.push(entryOf(number, at));
      }
    }
  }
  return byTerm;
}

/** @returns the names of the pages that were written or dropped */
function editPages(store: SearchTable, pages: ReadonlyMap<string, Uint8Array>): string[] {
  const written: string[] = [];
  for (const name of store.pages()) {
    if (pages.has(name)) continue;
    store.dropPage(name);
    written.push(name);
  }
  for (const [name, content] of pages) {
    const known = store.page(name);
    if (known !== undefined && isEqual(known, content)) continue;
    store.setPage(name, content);
    written.push(name);
  }
  return written;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** What changes about a term: entries (`entryOf`) to take out and to put in. */
interface TermChange {
  readonly out: number[];
  readonly in: number[];
}

/** A build and a field as one number. @param at the index of the field in `FIELDS` */
function entryOf(number: number, at: number): number {
  return number * FIELDS.length + at;
}

/**
 * Changes terms.
 * @returns the names of the leaves that were written or dropped
 */
function editLeaves(
  store: SearchTable,
  changes: ReadonlyMap<string, TermChange>,
  maxBytes: number,
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
        spelledTerms(content),
      );
    }
  }
  return written;
}

/** The terms that are candidates for corrections, with the number of their builds. */
function spelledTerms(terms: ReadonlyMap<string, Postings>): [word: string, builds: number][] {
  const spelled: [string, number][] = [];
  for (const [term, postings] of terms) {
    if (!isSpelled(term)) continue;
    const { size } = new Set(SPELLED_FIELDS.flatMap((field) => postings[FIELDS.indexOf(field)]!));
    if (size > 0) spelled.push([term, size]);
  }
  return spelled;
}

function leafTerms(store: SearchTable, name: string): Map<string, Postings> {
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
  store: SearchTable,
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

/** A build whose terms changed. */
interface TermsChange {
  readonly number: number;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/**
 * Brings the nodes up to the leaves in the store.
 * @param oldLeaves names of the leaves before, sorted
 * @param leaves names now, sorted
 * @returns the names of the nodes that were written or dropped
 */
function editNodes(
  store: SearchTable,
  oldLeaves: readonly string[],
  leaves: readonly string[],
  changes: readonly TermsChange[],
): Set<string> {
  const written = new Set<string>();
  const old = new Set(nodesOf(oldLeaves));
  const nodes = new Set(nodesOf(leaves));
  for (const name of [...old].filter((known) => !nodes.has(known))) {
    store.dropNode(name);
    written.add(name);
  }
  for (const name of [...nodes].filter((now) => !old.has(now))) {
    store.setNode(name, formatNode(listsBelow(store, leaves, name)));
    written.add(name);
  }
  const kept = new Set([...nodes].filter((now) => old.has(now)));
  const edits = new Map<string, Map<number, boolean>[]>();
  for (const { number, before, after } of changes) {
    for (const [at, field] of BEGINNINGS.entries()) {
      const bit = 1 << FIELDS.indexOf(field);
      const [from, to] = [startsIn(kept, before, bit), startsIn(kept, after, bit)];
      for (const name of new Set([...from, ...to])) {
        if (from.has(name) === to.has(name)) continue;
        const edit = edits.get(name) ?? BEGINNINGS.map(() => new Map<number, boolean>());
        edits.set(name, edit);
        edit[at]!.set(number, to.has(name));
      }
    }
  }
  for (const [name, edit] of edits) {
    const lists = readNode(store.node(name)!).map((list, at) => edited(list, edit[at]!));
    store.setNode(name, formatNode(lists));
    written.add(name);
  }
  return written;
}

function listsBelow(store: SearchTable, leaves: readonly string[], name: string): number[][] {
  const marks = BEGINNINGS.map(() => new Uint8Array(store.count()));
  for (const leaf of leavesUnder(leaves, name)) {
    for (const postings of readLeaf(store.leaf(leaf)!).values()) {
      for (const [at, field] of BEGINNINGS.entries()) {
        for (const number of postings[FIELDS.indexOf(field)]!) marks[at]![number] = 1;
      }
    }
  }
  return marks.map((marked) => {
    const numbers: number[] = [];
    for (let at = marked.indexOf(1); at >= 0; at = marked.indexOf(1, at + 1)) numbers.push(at);
    return numbers;
  });
}

/** The nodes that begin a term with this bit. */
function startsIn(
  nodes: ReadonlySet<string>,
  terms: ReadonlyMap<string, number>,
  bit: number,
): Set<string> {
  const starts = new Set<string>();
  for (const [term, fields] of terms) {
    if ((fields & bit) === 0) continue;
    for (let length = 1; length <= term.length; length += 1) {
      const start = term.slice(0, length);
      if (nodes.has(start)) starts.add(start);
    }
  }
  return starts;
}

function edited(list: readonly number[], edit: ReadonlyMap<number, boolean>): number[] {
  if (edit.size === 0) return [...list];
  const come = [...edit].filter(([, isIn]) => isIn).map(([number]) => number);
  return [...list.filter((number) => !edit.has(number)), ...come].sort((a, b) => a - b);
}
