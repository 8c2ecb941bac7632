/** What search knows of a build: the terms under which it finds it, with the fields that have them, and the filters. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { PLACE_NAMES, termsOf } from '../../../format/index/ranking.ts';
import { lowerCase, normalize } from '../../../format/unicode.ts';

/** The summary without the score of its owner, which changes with every other build of theirs. */
export type SearchBuild = Omit<BuildSummary, 'reputation'>;

/** The part of a summary that search shows. */
export function searchBuildOf({ reputation: _reputation, ...build }: BuildSummary): SearchBuild {
  return build;
}

/** Where a term occurs in a build: one list of builds each. Those of the ranking, and the filters. */
export const FIELDS = [...PLACE_NAMES, 'filter'] as const;
export type Field = (typeof FIELDS)[number];

/** No word has it, so that a term with it is no start of another one. */
export const TERM_END = ' ';

/** Nobody filters by a longer keyword. */
const MAX_SLUG = 100;

/** What a visitor can filter by, with the values of a build. */
export interface Filters {
  readonly kind?: string | undefined;
  readonly owner?: string | undefined;
  readonly risk?: string | undefined;
  /** A stack tag that a build requires or provides. */
  readonly tag?: string | undefined;
  /** A keyword of a build, as `keywordSlug` writes it. */
  readonly keyword?: string | undefined;
}

/** The term of all deprecated builds. */
export const DEPRECATED_TERM = '=deprecated';

/** The bits of `FIELDS` that each term of a build has. A yanked build is found by its id only. */
export function indexTermsOf(build: SearchBuild): Map<string, number> {
  const filter = 1 << FIELDS.indexOf('filter');
  if (build.yanked) return new Map([[idTerm(build.id), filter]]);
  const terms = termsOf(build);
  for (const term of ownFilters(build)) terms.set(term, filter);
  return terms;
}

/** The term that finds a yanked build by its id, and nothing else. */
export function idTerm(id: string): string {
  return `=id:${id}`;
}

/** The term of the builds that a filter keeps. */
export function filterTerm(name: keyof Filters, value: string): string {
  return `=${name}:${name === 'keyword' ? keywordSlug(value) : value}`;
}

/** A keyword as a filter compares it: lower case, without space. */
function keywordSlug(keyword: string): string {
  return lowerCase(normalize(keyword, 'NFKC').trim()).replaceAll(/\s+/g, '-');
}

/** Whether a build passes all filters. */
export function passes(build: SearchBuild, { kind, owner, risk, tag, keyword }: Filters): boolean {
  return (
    (kind === undefined || build.kind === kind) &&
    (owner === undefined || build.id.startsWith(`${owner}/`)) &&
    (risk === undefined || build.risk === risk) &&
    (tag === undefined || tagNames(build).includes(tag)) &&
    (keyword === undefined || build.keywords.map(keywordSlug).includes(keywordSlug(keyword)))
  );
}

function ownFilters(build: SearchBuild): string[] {
  const keywords = build.keywords.filter((keyword) => keywordSlug(keyword).length <= MAX_SLUG);
  return [
    filterTerm('kind', build.kind),
    filterTerm('owner', build.id.slice(0, build.id.indexOf('/'))),
    filterTerm('risk', build.risk),
    ...tagNames(build).map((tag) => filterTerm('tag', tag)),
    ...keywords.map((keyword) => filterTerm('keyword', keyword)),
    ...(build.deprecated ? [DEPRECATED_TERM] : []),
  ];
}

function tagNames({ requires, provides }: SearchBuild): string[] {
  return [...Object.keys(requires), ...provides];
}
