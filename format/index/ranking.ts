/**
 * The order of search results: by how well builds match the query, then by reports, quality and downloads. The client and the
 * site use these functions, so a search has the same results in the same order everywhere.
 *
 * A word of a query is found where a build has it, or a longer word where the field counts beginnings; else by a word with the
 * same stem, else by a synonym. The results are the builds that have the most words of the query, those with more
 * words as they were typed first.
 *
 *     login kind:module provides:auth requires:express
 *
 * A word with a name before a colon limits the builds that are looked at.
 */
import type { BuildSummary } from './record.ts';
import {
  conceptOf,
  formsOfConcept,
  isTelling,
  joinWords,
  stemOf,
  tellingWords,
  wordsOf,
} from './word-forms.ts';
import { byFrequency, nearestWord, spelledWords } from './typing-errors.ts';
import { wilsonLowerBound } from './wilson.ts';

/** What ranking looks at. */
export type Ranked = Pick<
  BuildSummary,
  | 'id'
  | 'kind'
  | 'description'
  | 'keywords'
  | 'requires'
  | 'provides'
  | 'headings'
  | 'risk'
  | 'quality'
  | 'downloads'
  | 'agent_reports'
  | 'deprecated'
  | 'yanked'
>;

/** Words of a query; more are ignored. */
const MAX_QUERY_WORDS = 16;
/** Longer words are found by their start. */
const MAX_TERM = 64;

const FILTER = /(?<!\S)(kind|provides|requires):(\S+)/gi;

const WORD_START = /^[\p{L}\p{N}]*/u;
const WORD_ALONE = /^[\p{L}\p{N}]+$/u;

/** The weight of a word by the field that has it, with the least first; the best field counts. A synonym has half of it. */
const PLACES = {
  owner: 2,
  heading: 2,
  description: 4,
  nameWord: 8,
  nameBegin: 16,
  tag: 32,
  name: 64,
} as const;
type Place = keyof typeof PLACES;
const PLACE_NAMES = Object.keys(PLACES) as readonly Place[];

/** The fields that a word also matches when it is the start of theirs. */
const BEGINNINGS = ['nameBegin', 'description'] as const satisfies readonly Place[];
/** The fields of which other words count as well: those with the same stem, and synonyms. */
const LOOSE_PLACES: readonly Place[] = ['tag', 'nameWord', 'description', 'heading'];

const BEGINNING_BITS = bitsOf(BEGINNINGS);
const LOOSE_BITS = bitsOf(LOOSE_PLACES);

/** The weight of the name that has all words of the query. */
const WHOLE_NAME = 128;

/** A word of a query, and what else is looked up for it. */
interface QueryWord {
  readonly word: string;
  /** The terms of other words with its stem. */
  readonly same: readonly string[];
  /** The name of its row of synonyms; a word that has one is not corrected. */
  readonly concept: string | undefined;
}

/** A condition on builds: `provides:auth`. */
interface Filter {
  readonly field: 'kind' | 'provides' | 'requires';
  readonly value: string;
}

interface Query {
  /** What ids are compared with. */
  readonly id: string;
  readonly name: string;
  readonly words: readonly QueryWord[];
  readonly filters: readonly Filter[];
}

/** How the best builds match: all words as typed, all words in some form, or only some words. */
type Match = 'exact' | 'related' | 'some';

export interface Hits<Build> {
  /** Best first. */
  readonly builds: readonly Build[];
  /** The `classOf` all of them, which those of other parts of a catalog can be compared with; 0 without builds. */
  readonly matched: number;
  readonly match: Match;
}

export function parseQuery(text: string): Query {
  const filters: Filter[] = [];
  const rest = text.replace(FILTER, (_, field: string, value: string) => {
    filters.push({ field: field.toLowerCase() as Filter['field'], value: value.toLowerCase() });
    return ' ';
  });
  const all = wordsOf(rest).slice(0, MAX_QUERY_WORDS);
  const words = tellingWords(joinWords(all)).map(wordTerm);
  return {
    filters,
    id: rest.trim().toLowerCase(),
    name: all.join('-'),
    words: words.map((word) => ({ word, same: sameTerms(word), concept: conceptOf(word) })),
  };
}

/**
 * The builds that match a query, best first: those with the most words of it. An empty query matches all. Builds of which every
 * version is yanked match only a query that is their id.
 */
export function findBuilds<Build extends Ranked>(
  text: string,
  builds: Iterable<Build>,
): Hits<Build> {
  const query = parseQuery(text);
  let found: { build: Build; relevance: number }[] = [];
  let most = 0;
  for (const build of builds) {
    if (!query.filters.every((filter) => passes(filter, build))) continue;
    const relevance = relevanceOf(query, build);
    if (relevance === 0 || classOf(relevance) < most) continue;
    if (classOf(relevance) > most) found = [];
    most = classOf(relevance);
    found.push({ build, relevance });
  }
  found.sort((a, b) => b.relevance - a.relevance || compareStanding(a.build, b.build));
  const match = matchOf(query, found[0]?.relevance ?? 0);
  return { builds: found.map(({ build }) => build), matched: most, match };
}

function passes({ field, value }: Filter, build: Ranked): boolean {
  if (field === 'kind') return build.kind === value;
  return field === 'provides'
    ? build.provides.includes(value)
    : Object.hasOwn(build.requires, value);
}

/** One number that is higher for better matches: words found, not deprecated, words found as typed, weights. 0 is no match. */
function relevance(found: number, typed: number, isDeprecated: boolean, sum: number): number {
  return (((found + 1) * 2 + Number(!isDeprecated)) * 32 + typed) * 4096 + sum;
}

/** The relevance of the build whose id is the query: above all others. */
function namedRelevance({ words }: Query): number {
  return relevance(words.length, words.length, false, 4095);
}

/** The number of words that were found, and 1. */
function classOf(relevant: number): number {
  return Math.floor(relevant / (4096 * 64));
}

function matchOf({ words }: Query, best: number): Match {
  if (best === 0) return 'exact';
  if (classOf(best) <= words.length) return 'some';
  return Math.floor(best / 4096) % 32 < words.length ? 'related' : 'exact';
}

/** What to tell about results that do not have the words as they were typed, as a sentence; the words of a query are untrusted. */
export function matchNote(query: string, match: Match, corrected?: string): string | undefined {
  const notes = [
    ...(corrected === undefined
      ? []
      : [`No build has "${missingWords(query, corrected)}". Results for "${corrected}".`]),
    ...(match === 'some' ? ['No build has all of these words. These have the most of them.'] : []),
    ...(match === 'related' ? ['No build has exactly these words. These are related.'] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** What corrections need to know of all builds; give `add` each build once. */
export class KnownWords {
  readonly #query: Query;
  readonly #counts = new Map<string, number>();
  /** The words that no build had so far, by their index. */
  readonly #unknown: Map<number, (build: unknown) => boolean>;

  constructor(query: string) {
    this.#query = parseQuery(query);
    const filters = this.#query.words.map(({ word }) => matchFilter(word, true));
    this.#unknown = new Map(filters.entries());
  }

  add(build: Ranked): void {
    if (build.yanked) return;
    const name = build.id.slice(build.id.indexOf('/') + 1);
    for (const word of spelledWords([name, build.description, ...labelsOf(build)])) {
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    }
    for (const [at, mayHave] of this.#unknown) {
      if (!mayHave(build)) continue;
      const { points } = weighWord(this.#query.words[at]!, termsOf(build));
      if (points > 0) this.#unknown.delete(at);
    }
  }

  /** The query with the nearest words for those that no build has; `undefined` when nothing changes. */
  corrected(): string | undefined {
    const { words, filters } = this.#query;
    const candidates = byFrequency(this.#counts);
    const corrected = words.map(({ word, concept }, at) =>
      concept !== undefined || !this.#unknown.has(at)
        ? word
        : (nearestWord(word, candidates) ?? word),
    );
    const isSame = corrected.every((word, at) => word === words[at]!.word);
    if (isSame) return undefined;
    return [...corrected, ...filters.map(({ field, value }) => `${field}:${value}`)].join(' ');
  }
}

/**
 * A test that every build passes of which all words (`every`) or some may be found, and few others: cheap enough for each
 * summary of a large catalog, before it is validated. What it cannot judge passes.
 */
export function matchFilter(text: string, every: boolean): (build: unknown) => boolean {
  const { id, words } = parseQuery(text);
  if (words.length === 0) return () => true;
  const forms = words.map(({ word, concept }) => [
    word,
    stemOf(word),
    ...(concept === undefined ? [] : formsOfConcept(concept)),
  ]);
  return (build) => {
    const searched = searchedText(build);
    // In ASCII a match is a part of the text; elsewhere letters have several forms.
    if (searched === undefined || /[^\0-\x7f]/.test(searched)) return true;
    const lower = searched.toLowerCase();
    const has = (own: readonly string[]): boolean => own.some((form) => lower.includes(form));
    return (every ? forms.every(has) : forms.some(has)) || lower.includes(id);
  };
}

/** All text that a query is compared with; `undefined` for what is no summary. */
function searchedText(build: unknown): string | undefined {
  if (typeof build !== 'object' || build === null) return undefined;
  const { id, kind, description, keywords, provides, requires, headings } =
    build as Partial<Ranked>;
  const isWhole =
    typeof id === 'string' &&
    typeof description === 'string' &&
    Array.isArray(keywords) &&
    Array.isArray(provides) &&
    Array.isArray(headings ?? []) &&
    typeof requires === 'object';
  if (!isWhole) return undefined;
  const tags = [...keywords, ...provides, ...Object.keys(requires), ...(headings ?? [])];
  return [id, kind, description, ...tags].join('\n');
}

/** The order among equal matches; it is total, because ids differ. */
export function compareStanding(a: Ranked, b: Ranked): number {
  return (
    Number(a.deprecated) - Number(b.deprecated) ||
    Number(a.risk === 'danger') - Number(b.risk === 'danger') ||
    reportBalance(b) - reportBalance(a) ||
    b.quality - a.quality ||
    b.downloads - a.downloads ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/**
 * The evidence of the reports, -1 to 1: the Wilson bound of success less that of failure. Without reports 0,
 * which is above a build that mostly fails.
 */
export function reportBalance({ agent_reports }: Pick<Ranked, 'agent_reports'>): number {
  const { success, failure } = agent_reports;
  const total = success + failure;
  return wilsonLowerBound(success, total) - wilsonLowerBound(failure, total);
}

/** What publishers file a build under, in lower case. */
function tagsOf({
  keywords,
  provides,
  requires,
}: Pick<Ranked, 'keywords' | 'provides' | 'requires'>): string[] {
  return [...keywords, ...provides, ...Object.keys(requires)].map((tag) => tag.toLowerCase());
}

/** The terms under which a build is found, each with the bits of the `PLACE_NAMES` that have it. */
function termsOf(build: Ranked): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (place: Place, term: string): void => {
    terms.set(term, (terms.get(term) ?? 0) | placeBit(place));
  };
  const addWord = (place: Place, word: string): void => {
    add(place, wordTerm(word));
    const [stem, concept] = [stemOf(word), conceptOf(word)];
    if (stem !== word) add(place, stemTerm(stem));
    if (concept !== undefined) add(place, conceptTerm(concept));
  };
  const [owner = '', name = ''] = build.id.split('/');
  add('name', name);
  add('nameBegin', wordTerm(WORD_START.exec(name)![0]));
  if (WORD_ALONE.test(owner)) add('owner', wordTerm(owner));
  for (const word of wordsOf(name)) addWord('nameWord', word);
  for (const label of labelsOf(build)) {
    for (const word of wordsOf(label)) addWord('tag', word);
    if (WORD_ALONE.test(label)) add('tag', wordTerm(label));
  }
  for (const word of wordsOf(build.description).filter(isTelling)) addWord('description', word);
  for (const word of (build.headings ?? []).flatMap(wordsOf).filter(isTelling))
    addWord('heading', word);
  return terms;
}

/** Its tags; what starts a project is a foundation, and so a template and the like. */
function labelsOf(build: Ranked): string[] {
  return [...tagsOf(build), ...(build.kind === 'foundation' ? [build.kind] : [])];
}

/** The term of a word, also of one in a query. */
function wordTerm(word: string): string {
  return word.length <= MAX_TERM ? word : Array.from(word).slice(0, MAX_TERM).join('');
}

function sameTerms(word: string): string[] {
  const stem = stemOf(word);
  // The stem itself is a word of that stem, or of a shorter one.
  return [stemTerm(stem), ...(stem !== word && stemOf(stem) === stem ? [stem] : [])];
}

/** The term of all longer words with this stem. No word has its last character. */
function stemTerm(stem: string): string {
  return `${wordTerm(stem)}~`;
}

/** The term of a row of synonyms. */
function conceptTerm(concept: string): string {
  return `=like:${concept}`;
}

function placeBit(place: Place): number {
  return 1 << PLACE_NAMES.indexOf(place);
}

function relevanceOf(query: Query, build: Ranked): number {
  if (query.id === build.id) return namedRelevance(query);
  if (build.yanked) return 0;
  const terms = termsOf(build);
  let [found, typed, sum] = [0, 0, 0];
  for (const word of query.words) {
    const { points, isTyped } = weighWord(word, terms);
    found += Number(points > 0);
    typed += Number(isTyped);
    sum += points;
  }
  if (found === 0 && query.words.length > 0) return 0;
  if (found > 0 && build.id.endsWith(`/${query.name}`)) sum += WHOLE_NAME;
  return relevance(found, typed, build.deprecated, sum);
}

/** What a word of a query adds; 0 points when it is not found. */
function weighWord(
  { word, same, concept }: QueryWord,
  terms: ReadonlyMap<string, number>,
): { points: number; isTyped: boolean } {
  let typed = terms.get(word) ?? 0;
  for (const [term, bits] of terms) if (term.startsWith(word)) typed |= bits & BEGINNING_BITS;
  const other = same.reduce((bits, term) => bits | (terms.get(term) ?? 0), 0) & LOOSE_BITS;
  const like = concept === undefined ? 0 : (terms.get(conceptTerm(concept)) ?? 0);
  const points = Math.max(weightOf(typed), weightOf(other), weightOf(like) / 2);
  return { points, isTyped: typed !== 0 };
}

/** The weight of the best field. */
function weightOf(bits: number): number {
  let best = 0;
  for (const [at, place] of PLACE_NAMES.entries()) {
    if (bits & (1 << at)) best = Math.max(best, PLACES[place]);
  }
  return best;
}

function bitsOf(places: readonly Place[]): number {
  return places.reduce((bits, place) => bits | placeBit(place), 0);
}

function missingWords(query: string, corrected: string): string {
  const used = new Set(corrected.split(' '));
  const words = parseQuery(query).words.map(({ word }) => word);
  return words.filter((word) => !used.has(word)).join('", "');
}
