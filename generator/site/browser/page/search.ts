/** The search, which the search page loads: it reads the catalog and shows what it finds there. */
import { CATALOG_PATH, shardPath } from '../../../../format/index/layout.ts';
import type { BuildSummary, Catalog, CatalogShard } from '../../../../format/index/record.ts';
import { siteAddress } from './element.ts';
import { type Find, searchBuilds } from './search-builds.ts';
import { addResults } from './search-results.ts';

export function startSearch(page: HTMLElement): void {
  const input = page.querySelector<HTMLInputElement>('[data-search-input]');
  if (input === null || input.form === null) return;
  let catalog: Promise<readonly BuildSummary[]> | undefined;
  const builds = (): Promise<readonly BuildSummary[]> => {
    catalog ??= readCatalog().catch((error: unknown) => {
      // The next letter tries again.
      catalog = undefined;
      throw error;
    });
    return catalog;
  };
  const find: Find = async (query) => searchBuilds(await builds(), query);
  // While the visitor thinks of the first letter.
  builds().catch(() => undefined);
  addResults(page, input.form, input, find);
}

/**
 * All builds. A catalog that changed names other shards than the one that the browser kept: it is read again then.
 * @throws what `fetch` throws, and when the catalog cannot be read
 */
async function readCatalog(): Promise<readonly BuildSummary[]> {
  try {
    return await readShards('default');
  } catch {
    return readShards('reload');
  }
}

async function readShards(cache: RequestCache): Promise<readonly BuildSummary[]> {
  const { shards } = await readJson<Catalog>(CATALOG_PATH, cache);
  const read = await Promise.all(
    shards.map(({ sha256 }) => readJson<CatalogShard>(shardPath(sha256), 'default')),
  );
  return read.flatMap(({ builds }) => builds);
}

/** A document of this site; the host that serves it serves this code too. */
async function readJson<Document>(path: string, cache: RequestCache): Promise<Document> {
  const response = await fetch(siteAddress(path), { cache });
  if (!response.ok) throw new Error(`Cannot read "${path}": status ${response.status}`);
  return (await response.json()) as Document;
}
