/**
 * The order of search results: by how well builds match the query, then by reports, quality and
 * downloads. The client, the site and the catalog use this one function, so a search has the same order
 * everywhere.
 */
import type { BuildSummary } from './catalog.ts';
import { wilsonLowerBound } from './wilson.ts';
import { characterClass, lowerCase, normalize } from '../unicode.ts';

const WORDS = new RegExp(`[${characterClass('L', 'N')}]+`, 'gu');

/** What ranking looks at. */
export type Ranked = Pick<
  BuildSummary,
  | 'id'
  | 'description'
  | 'keywords'
  | 'requires'
  | 'provides'
  | 'risk'
  | 'quality'
  | 'downloads'
  | 'agent_reports'
  | 'deprecated'
  | 'yanked'
>;

/** Words of a query; more are ignored. */
const MAX_QUERY_WORDS = 16;

/** The weight of a word by the field that has it; the best field counts. */
export const PLACES = {
  id: 64,
  name: 32,
  tag: 16,
  nameBegin: 8,
  nameWord: 4,
  description: 2,
  owner: 1,
};

/**
 * The builds that match a query, best first. Every word must match. An empty query matches all. Builds of
 * which every version is yanked match only a query that is their id.
 */
export function rankBuilds<Build extends Ranked>(query: string, builds: Iterable<Build>): Build[] {
  const words = queryWords(query);
  const asked = askedId(query);
  const mayMatch = matchFilter(query);
  const found: { build: Build; relevance: number }[] = [];
  for (const build of builds) {
    if (!mayMatch(build)) continue;
    const relevance = asked === build.id ? Infinity : relevanceOf(words, build);
    if (relevance === 0 || (build.yanked && relevance !== Infinity)) continue;
    found.push({ build, relevance });
  }
  return found
    .sort((a, b) => b.relevance - a.relevance || compareStanding(a.build, b.build))
    .map(({ build }) => build);
}

/** The words of a query that count. */
export function queryWords(query: string): string[] {
  return wordsOf(query).slice(0, MAX_QUERY_WORDS);
}

/** What a query is compared with ids as. */
export function askedId(query: string): string {
  return lowerCase(query.trim());
}

/**
 * A test that every match passes, and few others: cheap enough for each summary of a large catalog, before it is
 * validated. What it cannot judge passes.
 */
export function matchFilter(query: string): (build: unknown) => boolean {
  const words = queryWords(query);
  if (words.length === 0) return () => true;
  return (build) => {
    const text = searchedText(build);
    // In ASCII a match is a part of the text; elsewhere letters have several forms.
    if (text === undefined || /[^\0-\x7f]/.test(text)) return true;
    const lower = lowerCase(text);
    return words.every((word) => lower.includes(word));
  };
}

/** All text that a query is compared with; `undefined` for what is no summary. */
function searchedText(build: unknown): string | undefined {
  if (typeof build !== 'object' || build === null) return undefined;
  const { id, description, keywords, provides, requires } = build as Partial<Ranked>;
  const isWhole =
    typeof id === 'string' &&
    typeof description === 'string' &&
    Array.isArray(keywords) &&
    Array.isArray(provides) &&
    typeof requires === 'object';
  if (!isWhole) return undefined;
  return [id, description, ...keywords, ...provides, ...Object.keys(requires)].join('\n');
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
export function tagsOf({
  keywords,
  provides,
  requires,
}: Pick<Ranked, 'keywords' | 'provides' | 'requires'>): string[] {
  return [...keywords, ...provides, ...Object.keys(requires)].map((tag) => lowerCase(tag));
}

/** 0 when a word is found nowhere. */
function relevanceOf(words: readonly string[], build: Ranked): number {
  if (words.length === 0) return 1;
  const [owner = '', name = ''] = build.id.split('/');
  const tags = new Set(tagsOf(build));
  const tagWords = new Set([...tags].flatMap(wordsOf));
  const nameWords = new Set(wordsOf(name));
  const described = wordsOf(build.description);
  let sum = name === words.join('-') ? PLACES.id : 0;
  for (const word of words) {
    const points = Math.max(
      name === word ? PLACES.name : 0,
      tags.has(word) || tagWords.has(word) ? PLACES.tag : 0,
      name.startsWith(word) ? PLACES.nameBegin : 0,
      nameWords.has(word) ? PLACES.nameWord : 0,
      described.some((w) => w.startsWith(word)) ? PLACES.description : 0,
      owner === word ? PLACES.owner : 0,
    );
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

/** Lower-case words of letters and digits. */
export function wordsOf(text: string): string[] {
  return lowerCase(normalize(text, 'NFKC')).match(WORDS) ?? [];
}
