/**
 * Finds builds with the search data: those that `rankBuilds` finds in a list of all builds, in its order, with deprecated
 * and yanked ones last. It reads the lists of the words and of the filters, and then only the builds that it returns.
 */
import { PLACES, askedId, queryWords, rankBuilds } from '../../../format/index/ranking.ts';
import { IndexReader } from './index-reader.ts';
import type { WordLists } from './index-reader.ts';
import { PAGE_BUILDS } from './order-pages.ts';
import type { SearchBuild } from './search-build.ts';
import type { Filters } from './search-terms.ts';
import {
  DEPRECATED_TERM,
  FIELDS,
  filterTerm,
  idTerm,
  passes,
  weightOf,
  wordTerm,
} from './search-terms.ts';

export interface SearchQuery {
  /** All words must be found; without words, every build is found. */
  readonly words: string;
  readonly filters: Filters;
  /** How many builds to return. */
  readonly keep: number;
}

export interface SearchHits {
  /** Best first. */
  readonly builds: readonly SearchBuild[];
  /** How many builds were found; `builds` are the best of them. */
  readonly total: number;
}

/** Builds of the same relevance, and whether they are deprecated: the order of `compareStanding` decides. */
interface Group {
  readonly order: number;
  readonly numbers: number[];
}

/** What a build costs to read, and what a number in a page of the order costs, in bytes. */
const BUILD_BYTES = 800;
const ORDER_BYTES = 3;

/** @throws when the manifest cannot be read */
export async function searchBuilds(
  reader: IndexReader,
  { words: query, filters, keep }: SearchQuery,
): Promise<SearchHits> {
  const words = queryWords(query);
  const { builds: size, shown } = await reader.manifest();
  const id = askedId(query);
  const [named, deprecated, kept, relevances] = await Promise.all([
    numberOfId(reader, id),
    reader.term(DEPRECATED_TERM, 'filter'),
    filtered(reader, filters),
    words.length === 0 ? undefined : relevancesOf(reader, words, size),
  ]);
  if (relevances === undefined && kept === undefined) {
    // Everything, in its own order.
    const builds = await read(reader, await firstInOrder(reader, keep));
    return { builds: ranked(query, builds), total: shown };
  }
  const isDeprecated = new Set(deprecated);
  const groups = new Map<number, number[]>();
  let total = 0;
  for (const number of kept ?? allNumbers(size)) {
    const relevance = relevances === undefined ? 1 : relevances[number]!;
    if (relevance === 0 || number === named) continue;
    total += 1;
    const order = isDeprecated.has(number) ? relevance - 0x1_0000 : relevance;
    const group = groups.get(order);
    if (group === undefined) groups.set(order, [number]);
    else group.push(number);
  }
  const sorted = [...groups].map(([order, numbers]): Group => ({ order, numbers }));
  sorted.sort((a, b) => b.order - a.order);
  const best = await bestNumbers(reader, sorted, keep, size);
  const builds = await read(reader, named === undefined ? best : [named, ...best]);
  const found = builds.filter((build) => passes(build, filters));
  const isNamedFound = named !== undefined && found.some((build) => build.id === id);
  return {
    builds: ranked(query, found).slice(0, keep),
    total: total + Number(isNamedFound),
  };
}

/** The number of the build with this id, if there is one. */
async function numberOfId(reader: IndexReader, id: string): Promise<number | undefined> {
  const [owner = '', name] = id.split('/');
  if (name === undefined) return undefined;
  const [[yanked], named, owned] = await Promise.all([
    reader.term(idTerm(id), 'id'),
    reader.term(name, 'name'),
    reader.term(filterTerm('owner', owner), 'filter'),
  ]);
  const own = new Set(owned);
  return yanked ?? named.find((number) => own.has(number));
}

/** In the order of results. */
export function ranked<Build extends SearchBuild>(
  query: string,
  builds: readonly Build[],
): Build[] {
  const groups: Build[][] = [[], [], []];
  for (const build of builds) groups[build.yanked ? 2 : Number(build.deprecated)]!.push(build);
  return groups.flatMap((group) => rankBuilds(query, group));
}

/** The builds that pass all filters; `undefined` without any. */
async function filtered(reader: IndexReader, filters: Filters): Promise<number[] | undefined> {
  const given = Object.entries(filters) as [keyof Filters, string | undefined][];
  const terms = given.flatMap(([name, value]) =>
    value === undefined ? [] : filterTerm(name, value),
  );
  const lists = await Promise.all(terms.map((term) => reader.term(term, 'filter')));
  const [first, ...others] = lists.map((list) => new Set(list));
  return first && [...first].filter((number) => others.every((other) => other.has(number)));
}

/** The relevance of each build by its number, as `rankBuilds` computes it; 0 when a word is missing. */
async function relevancesOf(
  reader: IndexReader,
  words: readonly string[],
  size: number,
): Promise<Uint16Array> {
  const [byName, ...lists] = await Promise.all([
    reader.term(words.join('-'), 'name'),
    ...words.map((word) => reader.word(wordTerm(word))),
  ]);
  const sums = new Uint16Array(size);
  for (const [at, list] of lists.entries()) {
    const points = pointsOf(list, size);
    for (let number = 0; number < size; number += 1) {
      const isMissing = points[number] === 0 || (at > 0 && sums[number] === 0);
      sums[number] = isMissing ? 0 : sums[number]! + points[number]!;
    }
  }
  for (const number of byName) if (sums[number]! > 0) sums[number]! += PLACES.id;
  return sums;
}

/** The best field counts. */
function pointsOf(lists: WordLists, size: number): Uint8Array {
  const points = new Uint8Array(size);
  for (const field of [...FIELDS].sort((a, b) => weightOf(a) - weightOf(b))) {
    const weight = weightOf(field);
    if (weight > 0) for (const number of lists.get(field) ?? []) points[number] = weight;
  }
  return points;
}

/** The numbers of the best builds, and of some more where that is less to read than their order. */
async function bestNumbers(
  reader: IndexReader,
  groups: readonly Group[],
  keep: number,
  size: number,
): Promise<number[]> {
  const best: number[] = [];
  for (const { numbers } of groups) {
    const open = keep - best.length;
    if (open <= 0) break;
    const orderBytes = ((open * size) / numbers.length) * ORDER_BYTES;
    const isCheap = numbers.length <= open || numbers.length * BUILD_BYTES <= orderBytes;
    best.push(...(isCheap ? numbers : await firstInOrder(reader, open, numbers)));
  }
  return best;
}

/** The first builds in the order, of those in `among`. */
async function firstInOrder(
  reader: IndexReader,
  keep: number,
  among?: readonly number[],
): Promise<number[]> {
  const { pages, builds } = await reader.manifest();
  const isAmong = among && new Set(among);
  const numbers: number[] = [];
  // As many pages at a time as the builds should need, if they are spread evenly.
  const share = among === undefined ? 1 : among.length / builds;
  let at = 0;
  while (numbers.length < keep && at < pages.length) {
    const count = Math.ceil((keep - numbers.length) / share / PAGE_BUILDS);
    const read = await Promise.all(pages.slice(at, at + count).map((page) => reader.page(page)));
    at += count;
    for (const number of read.flat()) {
      if (isAmong === undefined || isAmong.has(number)) numbers.push(number);
    }
  }
  return numbers.slice(0, keep);
}

async function read(reader: IndexReader, numbers: readonly number[]): Promise<SearchBuild[]> {
  const builds = await Promise.all(numbers.map((number) => reader.build(number)));
  return builds.filter((build) => build !== undefined);
}

function* allNumbers(size: number): Generator<number> {
  for (let number = 0; number < size; number += 1) yield number;
}
