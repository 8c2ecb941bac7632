/**
 * Finds builds with the search data: those that `rankBuilds` finds in a list of all builds, in its order. It reads the lists of
 * the words and of the filters, and then only the builds that it returns.
 */
import {
  WHOLE_NAME,
  classOf,
  correctWords,
  matchNote,
  matchOf,
  namedRelevance,
  parseQuery,
  rankBuilds,
  relevance,
} from '../../../format/index/ranking.ts';
import type { IndexReader } from './index-reader.ts';
import { PAGE_BUILDS } from './search-files.ts';
import type { Filters, SearchBuild } from './search-terms.ts';
import { DEPRECATED_TERM, filterTerm, idTerm, passes } from './search-terms.ts';

type WeighedLists = Awaited<ReturnType<IndexReader['word']>>;

type Query = ReturnType<typeof parseQuery>;

export interface SearchQuery {
  /** Builds with the most of the words are found; without words, every build is. */
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
  /** The words that were searched for instead of words that no build has. */
  readonly corrected?: string;
  /** What to tell about results that do not have the words as they were typed. */
  readonly note?: string | undefined;
}

/** Builds of the same relevance: the order of `compareStanding` decides. */
interface Group {
  readonly relevance: number;
  readonly numbers: number[];
}

/** What a build costs to read, and what a number in a page of the order costs, in bytes. */
const BUILD_BYTES = 800;
const ORDER_BYTES = 3;

/** @throws when the manifest cannot be read */
export async function searchBuilds(
  reader: IndexReader,
  { words: text, filters, keep }: SearchQuery,
): Promise<SearchHits> {
  const { builds: size, shown } = await reader.manifest();
  const asked = parseQuery(text);
  const [named, deprecated, kept, listed] = await Promise.all([
    askedBuild(reader, asked.id, filters),
    reader.term(DEPRECATED_TERM, 'filter'),
    filtered(reader, filters),
    Promise.all(asked.words.map((word) => reader.word(word))),
  ]);
  if (asked.words.length === 0 && kept === undefined && named === undefined) {
    // Everything, in its own order.
    return { builds: await read(reader, await firstInOrder(reader, keep)), total: shown };
  }
  const corrected = named === undefined ? await correct(reader, asked, listed) : undefined;
  const query = corrected === undefined ? asked : parseQuery(corrected);
  const [whole, ...lists] = await Promise.all([
    reader.term(query.name, 'name'),
    ...query.words.map((word) => reader.word(word)),
  ]);
  const relevances = relevancesOf(query, lists, { size, whole, deprecated });
  const isKept = new Set(kept);
  if (named !== undefined) {
    relevances[named] = namedRelevance(query);
    isKept.add(named);
  }
  const groups = new Map<number, Group>();
  for (const [number, relevant] of relevances.entries()) {
    if (relevant === 0 || (kept !== undefined && !isKept.has(number))) continue;
    const group = groups.get(relevant);
    if (group === undefined) groups.set(relevant, { relevance: relevant, numbers: [number] });
    else group.numbers.push(number);
  }
  const sorted = [...groups.values()].sort((a, b) => b.relevance - a.relevance);
  const best = sorted[0]?.relevance ?? 0;
  const full = sorted.filter((group) => classOf(group.relevance) === classOf(best));
  const builds = await read(reader, await bestNumbers(reader, full, keep, size));
  return {
    builds: rankBuilds(corrected ?? text, builds).slice(0, keep),
    total: full.reduce((sum, { numbers }) => sum + numbers.length, 0),
    ...(corrected === undefined ? {} : { corrected }),
    note: matchNote(text, matchOf(query, best), corrected),
  };
}

/** The query with other words for those that no build has. @param lists those of each word */
async function correct(
  reader: IndexReader,
  query: Query,
  lists: readonly WeighedLists[],
): Promise<string | undefined> {
  const isKnown = (at: number): boolean => lists[at]!.some(({ numbers }) => numbers.length > 0);
  const words = query.words.filter(({ concept }, at) => concept === undefined && !isKnown(at));
  if (words.length === 0) return undefined;
  const [frequent, ...similar] = await Promise.all([
    reader.frequentWords(),
    ...words.map(({ word }) => reader.similarWords(word)),
  ]);
  const near = new Map(words.map(({ word }, at) => [word, similar[at]!]));
  return correctWords(query, isKnown, frequent, (word) => near.get(word)!);
}

/** The number of the build with this id, if there is one and it passes the filters. */
async function askedBuild(
  reader: IndexReader,
  id: string,
  filters: Filters,
): Promise<number | undefined> {
  const [owner = '', name] = id.split('/');
  if (name === undefined) return undefined;
  const [[yanked], named, owned] = await Promise.all([
    reader.term(idTerm(id), 'filter'),
    reader.term(name, 'name'),
    reader.term(filterTerm('owner', owner), 'filter'),
  ]);
  const own = new Set(owned);
  const number = yanked ?? named.find((one) => own.has(one));
  const build = number === undefined ? undefined : await reader.build(number);
  return build !== undefined && passes(build, filters) ? number : undefined;
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

/** The relevance of each build by its number, as the ranking computes it; 0 for those that are not found. */
function relevancesOf(
  { words }: Query,
  lists: readonly WeighedLists[],
  builds: { size: number; whole: readonly number[]; deprecated: readonly number[] },
): Uint32Array {
  const { size } = builds;
  const [found, typed] = [new Uint8Array(size), new Uint8Array(size)];
  const sums = new Uint16Array(size);
  for (const word of lists) {
    const [points, isTyped] = [new Uint8Array(size), new Uint8Array(size)];
    for (const list of word) {
      for (const number of list.numbers) {
        if (list.points > points[number]!) points[number] = list.points;
        if (list.isTyped) isTyped[number] = 1;
      }
    }
    for (let number = 0; number < size; number += 1) {
      if (points[number] === 0) continue;
      found[number]! += 1;
      typed[number]! += isTyped[number]!;
      sums[number]! += points[number]!;
    }
  }
  for (const number of builds.whole) sums[number]! += WHOLE_NAME;
  const isDeprecated = new Set(builds.deprecated);
  return Uint32Array.from(found, (count, number) =>
    count === 0 && words.length > 0
      ? 0
      : relevance(count, typed[number]!, isDeprecated.has(number), sums[number]!),
  );
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
