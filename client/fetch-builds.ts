/** Several builds at once, a few downloads side by side. */
import type { HeadVersion } from '../format/head.ts';
import { fetchBuild } from './fetch-build.ts';
import type { FetchedBuild } from './plan.ts';
import type { Registry } from './registry.ts';

/** How many tarballs are downloaded side by side. */
const PARALLEL_DOWNLOADS = 4;

/**
 * Downloads and verifies `versions`, by id.
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchBuild`
 */
export async function fetchBuilds(
  registry: Registry,
  versions: Iterable<readonly [string, Pick<HeadVersion, 'version' | 'integrity'>]>,
): Promise<FetchedBuild[]> {
  const wanted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
  const builds: FetchedBuild[] = [];
  for (let at = 0; at < wanted.length; at += PARALLEL_DOWNLOADS) {
    const part = wanted.slice(at, at + PARALLEL_DOWNLOADS);
    const fetched = part.map(([id, version]) => fetchBuild(registry, id, version));
    builds.push(...(await Promise.all(fetched)));
  }
  return builds;
}
