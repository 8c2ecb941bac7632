/**
 * Chooses the builds that the page of a build names for each stack tag that it requires: the best ones that bring the tag in a
 * version that the client would accept. A publication changes few of these pages: where many builds require a tag,
 * their pages name none and lead to the page of the tag.
 */
import type { BuildSummary } from '../../format/index/record.ts';
import { admits } from '../../format/version/tag-version.ts';
import type { ListName, SiteTable } from '../state/site-table.ts';

/** Providers that a page names for a tag. */
const MAX_NAMED = 3;

/** The best providers of a tag, of which those are named that fit. */
const MAX_CANDIDATES = 20;

/** The pages of more builds name no providers for a tag: each new one would change them all. */
export const MAX_NAMING = 100;

/** Modules that the page of a foundation names. */
const MAX_NEXT = 12;

/** Behind the id of a foundation in the table. */
const FOUNDATION = '*';

/** Tags that a computer has, not a project. */
const RUNTIMES: ReadonlySet<string> = new Set(['node', 'python']);

/**
 * Chooses again for the tags of `lists`.
 * @returns builds whose pages name others than before, and foundations that are named by others
 */
export function nameProviders(site: SiteTable, lists: readonly ListName[]): string[] {
  const touched = lists.filter(({ kind }) => ['provides', 'brings', 'requires'].includes(kind));
  const changed = new Set<string>();
  for (const tag of new Set(touched.map(({ name }) => name))) {
    const named = namedFor(site, tag);
    for (const id of new Set([...site.providers.naming(tag), ...named.keys()])) {
      const before = site.providers.named(tag, id) ?? [];
      if (!site.providers.setNamed(tag, id, named.get(id))) continue;
      changed.add(id);
      for (const one of [...before, ...(named.get(id) ?? [])]) {
        if (one.endsWith(FOUNDATION)) changed.add(idOf(one));
      }
    }
  }
  return [...changed];
}

/** Named providers of the stack tags that the latest version of `id` requires; not of tags that many require. */
export function namedProviders(site: SiteTable, id: string): Record<string, readonly string[]> {
  const tags = Object.keys(site.summary(id)?.requires ?? {});
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const named = site.providers.named(tag, id);
      return named === undefined ? [] : [[tag, named.map(idOf)]];
    }),
  );
}

/** The foundations that bring everything that a module requires of a project, best first. */
export function foundationsFor(site: SiteTable, id: string): string[] {
  const summary = site.summary(id);
  const tags = Object.keys(summary?.requires ?? {}).filter((tag) => !RUNTIMES.has(tag));
  const [first, ...others] = tags.map((tag) => site.providers.named(tag, id) ?? []);
  if (first === undefined || summary?.kind === 'foundation') return [];
  return first
    .filter((one) => one.endsWith(FOUNDATION) && others.every((named) => named.includes(one)))
    .map(idOf);
}

/** Modules of whose requirements a foundation brings all, sorted by id. */
export function modulesFor(site: SiteTable, id: string): string[] {
  const summary = site.summary(id);
  if (summary?.kind !== 'foundation') return [];
  const tags = [...new Set([...summary.provides, ...Object.keys(summary.brings ?? {})])];
  const naming = new Set(tags.flatMap((tag) => site.providers.namingOne(tag, id + FOUNDATION)));
  return [...naming]
    .filter((one) => foundationsFor(site, one).includes(id))
    .sort()
    .slice(0, MAX_NEXT);
}

function idOf(named: string): string {
  return named.endsWith(FOUNDATION) ? named.slice(0, -1) : named;
}

/** By the build whose page names them. */
function namedFor(site: SiteTable, tag: string): Map<string, readonly string[]> {
  const requiring = { kind: 'requires', name: tag } as const;
  if (RUNTIMES.has(tag) || site.count(requiring) > MAX_NAMING) return new Map();
  const providers = (['provides', 'brings'] as const)
    .flatMap((kind) => site.best({ kind, name: tag }, MAX_CANDIDATES))
    .filter((one) => !one.deprecated && one.risk !== 'danger');
  const builds = site.best(requiring, MAX_NAMING);
  return new Map(builds.map((build) => [build.id, fitting(build, tag, providers)]));
}

/** A build that states the tag is it in its own version; one of whose packages is it, in that of the package. */
function fitting(build: BuildSummary, tag: string, providers: readonly BuildSummary[]): string[] {
  const fits = providers.filter(({ id, latest, provides, brings }) => {
    const version = provides.includes(tag) ? latest : brings?.[tag];
    return id !== build.id && version !== undefined && admits(version, build.requires[tag]);
  });
  const ids = fits.map(({ id, kind }) => (kind === 'foundation' ? id + FOUNDATION : id));
  return [...new Set(ids)].slice(0, MAX_NAMED);
}
