/** The terms under which search finds a build, and the fields of the ranking that have each of them. */
import { PLACES, tagsOf, wordsOf } from '../../../format/index/ranking.ts';
import type { SearchBuild } from './search-build.ts';
import { characterClass, lowerCase, normalize } from '../../../format/unicode.ts';

const WORD_START = new RegExp(`^[${characterClass('L', 'N')}]*`, 'u');
const WORD_ALONE = new RegExp(`^[${characterClass('L', 'N')}]+$`, 'u');

/** Where a term occurs in a build: one list of builds each. */
export const FIELDS = [
  'id',
  'name',
  'tag',
  'nameBegin',
  'nameWord',
  'description',
  'owner',
  'filter',
] as const;
export type Field = (typeof FIELDS)[number];

/** The fields of which the start of a term counts as well. */
export const BEGINNINGS = ['nameBegin', 'description'] as const;

/** The weight of a field for the ranking; 0 for those that the ranking does not weigh. */
export function weightOf(field: Field): number {
  return field === 'id' || field === 'filter' ? 0 : PLACES[field];
}

/** No word has it, so that a term with it is no start of another one. */
export const TERM_END = ' ';

/** Longer words are found by their start. */
const MAX_TERM = 64;

/** Nobody filters by a longer keyword. */
const MAX_SLUG = 100;

/** What a visitor can filter by, with the values of a build. */
export interface Filters {
  readonly kind?: string | undefined;
  readonly owner?: string | undefined;
  readonly risk?: string | undefined;
  /** A stack tag that a build requires or provides. */
  readonly stack?: string | undefined;
  /** A keyword of a build, as `keywordSlug` writes it. */
  readonly keyword?: string | undefined;
}

/** The term of all deprecated builds. */
export const DEPRECATED_TERM = '=deprecated';

/** The bits of `FIELDS` that each term of a build has. A yanked build is found by its id only. */
export function termsOf(build: SearchBuild): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (field: Field, term: string): void => {
    terms.set(term, (terms.get(term) ?? 0) | (1 << FIELDS.indexOf(field)));
  };
  const [owner = '', name = ''] = build.id.split('/');
  if (build.yanked) {
    add('id', idTerm(build.id));
    return terms;
  }
  add('name', name);
  for (const tag of tagsOf(build)) {
    for (const word of wordsOf(tag)) add('tag', wordTerm(word));
    if (isWord(tag)) add('tag', wordTerm(tag));
  }
  add('nameBegin', wordTerm(WORD_START.exec(name)![0]));
  for (const word of wordsOf(name)) add('nameWord', wordTerm(word));
  for (const word of wordsOf(build.description)) add('description', wordTerm(word));
  if (isWord(owner)) add('owner', wordTerm(owner));
  for (const term of ownFilters(build)) add('filter', term);
  return terms;
}

/** The term of a word, also of one in a query. */
export function wordTerm(word: string): string {
  return word.length <= MAX_TERM ? word : Array.from(word).slice(0, MAX_TERM).join('');
}

/** The term that finds a yanked build by its id, and nothing else. */
export function idTerm(id: string): string {
  return `=id:${id}`;
}

/** The term of the builds that a filter keeps. */
export function filterTerm(name: keyof Filters, value: string): string {
  return `=${name}:${value}`;
}

/** A keyword as a filter has it: lower case, without space. */
function keywordSlug(keyword: string): string {
  return lowerCase(normalize(keyword, 'NFKC').trim()).replaceAll(/\s+/g, '-');
}

/** Whether a build passes all filters. */
export function passes(
  build: SearchBuild,
  { kind, owner, risk, stack, keyword }: Filters,
): boolean {
  return (
    (kind === undefined || build.kind === kind) &&
    (owner === undefined || build.id.startsWith(`${owner}/`)) &&
    (risk === undefined || build.risk === risk) &&
    (stack === undefined || stackOf(build).includes(stack)) &&
    (keyword === undefined || build.keywords.some((own) => keywordSlug(own) === keyword))
  );
}

function ownFilters(build: SearchBuild): string[] {
  const keywords = build.keywords.map(keywordSlug).filter((slug) => slug.length <= MAX_SLUG);
  return [
    filterTerm('kind', build.kind),
    filterTerm('owner', build.id.slice(0, build.id.indexOf('/'))),
    filterTerm('risk', build.risk),
    ...stackOf(build).map((tag) => filterTerm('stack', tag)),
    ...keywords.map((slug) => filterTerm('keyword', slug)),
    ...(build.deprecated ? [DEPRECATED_TERM] : []),
  ];
}

function stackOf({ requires, provides }: SearchBuild): string[] {
  return [...Object.keys(requires), ...provides];
}

/** Whether a query can have it as a word. */
function isWord(text: string): boolean {
  return WORD_ALONE.test(text);
}
