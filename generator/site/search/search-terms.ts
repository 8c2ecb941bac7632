/** What search knows of a build: the terms under which it finds it, with the fields that have them, and the filters. */
import type { BuildSummary } from '../../../format/index/record.ts';
import { PLACE_NAMES, termsOf } from '../../../format/index/ranking.ts';

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
  return keyword.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, '-');
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

// Where terms are. The terms of all builds, each with `TERM_END` behind it, are divided by their first characters until
// a leaf is small. The leaves are named by those characters, so no name of a leaf is the start of another one:
//
//     "a"   "s " "sa" "sql" "sqlite " "sqlite3"   "t"
//
// Where leaves part ("s", "sql" and "sqlite" here) there is a node as well, which has the builds of all terms below it.

/** The leaf that has `term`, if the tree has one. @param leaves names of leaves, sorted */
export function leafOf(leaves: readonly string[], term: string): string | undefined {
  const text = term + TERM_END;
  const at = firstFrom(leaves, text);
  const known = leaves[at] === text ? text : leaves[at - 1];
  return known !== undefined && text.startsWith(known) ? known : undefined;
}

/** The leaves whose names begin with `prefix`. */
export function leavesUnder(leaves: readonly string[], prefix: string): string[] {
  return leaves.slice(...rangeUnder(leaves, prefix));
}

/** The indexes of the first leaf whose name begins with `prefix`, and of the first one behind them. */
export function rangeUnder(leaves: readonly string[], prefix: string): [from: number, to: number] {
  const from = firstFrom(leaves, prefix);
  return [from, firstWhere(leaves, from, (leaf) => !leaf.startsWith(prefix))];
}

/** The name of a leaf for a term that no leaf has. */
export function newLeaf(leaves: readonly string[], term: string): string {
  let name = '';
  for (const character of term + TERM_END) {
    if (leaves[firstFrom(leaves, name)]?.startsWith(name) !== true) return name;
    name += character;
  }
  return name;
}

/** The nodes where leaves part, sorted. */
export function nodesOf(leaves: readonly string[]): string[] {
  const nodes = new Set<string>();
  for (let at = 1; at < leaves.length; at += 1) {
    nodes.add(commonStart(leaves[at - 1]!, leaves[at]!));
  }
  return [...nodes].filter((node) => node !== '' && !node.startsWith('=')).sort();
}

/** The longest text of whole characters with which both begin. */
export function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  const isInPair = /[\uD800-\uDBFF]$/.test(a.slice(0, length));
  return a.slice(0, isInPair ? length - 1 : length);
}

/** The index of the first name that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  return firstWhere(sorted, 0, (name) => name >= text);
}

/** The first index from `start` on of which `is` is true; it is true of all that follow. */
function firstWhere(
  sorted: readonly string[],
  start: number,
  is: (name: string) => boolean,
): number {
  let [from, to] = [start, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (is(sorted[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
