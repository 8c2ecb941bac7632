/** Downloads several builds in parallel. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { HeadVersion } from '../../format/index/head.ts';
import { ClientError } from '../errors.ts';
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

/**
 * Downloads versions that were chosen by what their heads list: their manifests must require and provide the same.
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchBuilds`; `ERR_LOG`, and of a registry without a signed log `ERR_ARCHIVE`
 */
export async function fetchListed(
  registry: Registries,
  versions: ReadonlyMap<string, HeadVersion>,
): Promise<FetchedBuild[]> {
  const builds = await fetchBuilds(registry, versions);
  for (const { id, version, manifest } of builds) {
    const listed = versions.get(id)!;
    const head = await registry.head(id);
    const { requires = {}, provides = [] } = manifest.stack ?? {};
    const pairs = {
      requires: [listed.requires, requires],
      provides: [listed.provides, provides],
      builds: [listed.builds, manifest.builds ?? {}],
      // A head has the kind of the latest version.
      kind: head?.latest === version ? [head.kind, manifest.kind] : [],
    };
    for (const [field, [inHead, own]] of Object.entries(pairs)) {
      if (inHead === undefined || canonicalJson(inHead) === canonicalJson(own)) continue;
      const texts = [inHead, own].map((value) => canonicalJson(value).trim());
      const isProved = (await registry.entryOf(id).registry.isSigned()) === true;
      throw new ClientError(
        isProved ? 'ERR_LOG' : 'ERR_ARCHIVE',
        `Cannot use "${id}" ${version}: its head lists "${field}" as ${texts[0]}, and its manifest has ${texts[1]}`,
        {
          hint: 'the registry contradicts itself, or its host alters what it published: report it there',
        },
      );
    }
  }
  return builds;
}
