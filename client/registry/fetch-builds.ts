/** Downloads several builds in parallel. */
import type { HeadVersion } from '../../format/index/head.ts';
import { fetchBuild } from './fetch-build.ts';
import type { Registries } from './registries.ts';
import type { FetchedBuild } from '../plan/plan.ts';

/**
 * Downloads and verifies `versions`, by id.
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchBuild`
 */
export async function fetchBuilds(
  registry: Registries,
  versions: Iterable<readonly [string, Pick<HeadVersion, 'version' | 'integrity'>]>,
): Promise<FetchedBuild[]> {
  const wanted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
  // The registry limits the number of parallel requests.
  return Promise.all(wanted.map(([id, version]) => fetchBuild(registry, id, version)));
}
