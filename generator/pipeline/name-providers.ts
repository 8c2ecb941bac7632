/**
 * Chooses the builds that the page of a build names for each stack tag that it requires: the best ones whose latest
 * version the client would accept for it. A publication changes few of these pages: where many builds require a tag,
 * their pages name none and lead to the page of the tag.
 */
import type { BuildSummary } from '../../format/index/catalog.ts';
import { admits } from '../../format/version/admits.ts';
import type { ListName, SiteTable } from '../state/site-table.ts';

/** Providers that a page names for a tag. */
const MAX_NAMED = 3;

/** The best providers of a tag, of which those are named that fit. */
const MAX_CANDIDATES = 20;

/** The pages of more builds name no providers for a tag: each new one would change them all. */
export const MAX_NAMING = 100;

/**
 * Chooses again for the tags of `lists`.
 * @returns builds whose pages name others than before
 */
export function nameProviders(site: SiteTable, lists: readonly ListName[]): string[] {
  const touched = lists.filter(({ kind }) => kind === 'provides' || kind === 'requires');
  const changed = new Set<string>();
  for (const tag of new Set(touched.map(({ name }) => name))) {
    const named = namedFor(site, tag);
    for (const id of new Set([...site.providers.naming(tag), ...named.keys()])) {
      if (site.providers.setNamed(tag, id, named.get(id))) changed.add(id);
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
      return named === undefined ? [] : [[tag, named]];
    }),
  );
}

/** By the build whose page names them. */
function namedFor(site: SiteTable, tag: string): Map<string, readonly string[]> {
  const requiring = { kind: 'requires', name: tag } as const;
  if (site.count(requiring) > MAX_NAMING) return new Map();
  const providers = site
    .best({ kind: 'provides', name: tag }, MAX_CANDIDATES)
    .filter((one) => !one.deprecated && one.risk !== 'danger');
  const builds = site.best(requiring, MAX_NAMING);
  return new Map(builds.map((build) => [build.id, fitting(build, tag, providers)]));
}

function fitting(build: BuildSummary, tag: string, providers: readonly BuildSummary[]): string[] {
  return providers
    .filter((one) => one.id !== build.id && admits(one.latest, build.requires[tag]))
    .slice(0, MAX_NAMED)
    .map((one) => one.id);
}
