/** Finds builds in the catalog: what `format/index/ranking.ts` finds, as the client does, of the builds that pass the filters. */
import {
  KnownWords,
  findBuilds,
  matchNote,
  type Ranked,
} from '../../../../format/index/ranking.ts';
import type { BuildSummary } from '../../../../format/index/record.ts';

/** What a visitor can filter by. */
export interface Filters {
  readonly kind?: string | undefined;
  readonly owner?: string | undefined;
  readonly risk?: string | undefined;
  /** A stack tag that a build requires or provides. */
  readonly tag?: string | undefined;
  /** A keyword of a build, compared without regard to case and spaces. */
  readonly keyword?: string | undefined;
}

export interface SearchQuery {
  /** Builds with the most of the words are found; without words, every build is. */
  readonly words: string;
  readonly filters: Filters;
  /** How many builds to return. */
  readonly keep: number;
}

export interface SearchHits {
  /** Best first. */
  readonly builds: readonly BuildSummary[];
  /** How many builds were found; `builds` are the best of them. */
  readonly total: number;
  /** The words that were searched for instead of words that no build has. */
  readonly corrected?: string;
  /** What to tell about results that do not have the words as they were typed. */
  readonly note?: string | undefined;
}

/** @param all the builds of the catalog */
export function searchBuilds(
  all: readonly BuildSummary[],
  { words, filters, keep }: SearchQuery,
): SearchHits {
  const kept = all.filter((build) => passes(build, filters));
  const whole = findBuilds(words, kept);
  const isWhole = whole.builds.length > 0 && whole.match !== 'some';
  const corrected = isWhole ? undefined : correctedWords(words, all);
  const { builds, match } = corrected === undefined ? whole : findBuilds(corrected, kept);
  return {
    builds: builds.slice(0, keep),
    total: builds.length,
    ...(corrected === undefined ? {} : { corrected }),
    note: builds.length === 0 ? undefined : matchNote(words, match, corrected),
  };
}

function correctedWords(words: string, all: readonly Ranked[]): string | undefined {
  const known = new KnownWords(words);
  for (const build of all) known.add(build);
  return known.corrected();
}

function passes(build: BuildSummary, { kind, owner, risk, tag, keyword }: Filters): boolean {
  return (
    (kind === undefined || build.kind === kind) &&
    (owner === undefined || build.id.startsWith(`${owner}/`)) &&
    (risk === undefined || build.risk === risk) &&
    (tag === undefined || build.provides.includes(tag) || Object.hasOwn(build.requires, tag)) &&
    (keyword === undefined || build.keywords.some((one) => slugOf(one) === slugOf(keyword)))
  );
}

/** A keyword as a filter compares it: lower case, without space. */
function slugOf(keyword: string): string {
  return keyword.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** Rejects when the search data cannot be read. */
export type Find = (query: SearchQuery) => Promise<SearchHits>;
