/** Searches all registries of a project, best first, whichever has a build. */
import type { BuildSummary } from '../../format/index/catalog.ts';
import { findBuilds } from '../../format/index/ranking.ts';
import type { ClientError } from '../errors.ts';
import type { Registries } from '../registry/registries.ts';
import { isUnreachable } from '../registry/registry-set.ts';
import type { CatalogHits, CatalogQuery } from './search-catalog.ts';
import { searchCatalog, withNote } from './search-catalog.ts';

export interface RegistryHits extends CatalogHits {
  /** With the name of the registry, where the project has several. */
  readonly builds: readonly (BuildSummary & { readonly registry?: string })[];
  /** The registries that cannot be reached, with the error. */
  readonly unreachable: ReadonlyMap<string, ClientError>;
}

/**
 * A build counts only in the registry that its owner belongs to, if it belongs to one already.
 * @throws {ClientError} those of the registry; `ERR_NETWORK` where none can be reached
 */
export async function searchRegistries(
  registries: Registries,
  query: CatalogQuery,
): Promise<RegistryHits> {
  if (!registries.isSeveral) {
    const hits = await searchCatalog(registries.defaultRegistry, query);
    return { ...hits, unreachable: new Map() };
  }
  const { set } = registries;
  const entries = set.all.filter(({ isLocked }) => isLocked);
  const searches = await Promise.allSettled(
    entries.map(async (entry) => {
      const admits = (build: BuildSummary): boolean =>
        registries.mayServe(entry.name, build.id) && query.admits(build);
      const hits = await searchCatalog(set.use(entry), { ...query, admits });
      const builds = hits.builds.map((build) => ({ ...build, registry: entry.name }));
      return { ...hits, builds };
    }),
  );
  const found: (CatalogHits & Pick<RegistryHits, 'builds'>)[] = [];
  const unreachable = new Map<string, ClientError>();
  for (const [at, search] of searches.entries()) {
    if (search.status === 'fulfilled') found.push(search.value);
    else if (isUnreachable(search.reason)) unreachable.set(entries[at]!.name, search.reason);
    else throw search.reason;
  }
  const [first] = unreachable.values();
  if (first !== undefined && found.length === 0) throw first;
  // Other words count only where no registry has the given ones, and builds with some words where none has all.
  const most = Math.max(...found.map(({ matched }) => matched));
  const asked = found.filter(({ total, corrected }) => total > 0 && corrected === undefined);
  const exact = asked.filter(({ match }) => match !== 'some');
  const used = exact.length > 0 ? exact : found.filter(({ matched }) => matched === most);
  const corrected = used.find((hits) => hits.corrected !== undefined)?.corrected;
  const best = findBuilds(
    corrected ?? query.words,
    used.flatMap(({ builds }) => builds),
  );
  const total = used.reduce((sum, hits) => sum + hits.total, 0);
  const hits = { ...best, builds: best.builds.slice(0, query.keep), total };
  return { ...withNote(hits, query.words, corrected), unreachable };
}
