/** Downloads several builds in parallel. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { HeadVersion } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import { fetchBuild } from './fetch-build.ts';
import type { Registries } from './registries.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import type { Lock } from '../../format/project/lock.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { withCached } from './open-registry.ts';

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

/** Shipped versions of installed builds by id, and why others could not be read. */
export interface ShippedBuilds {
  readonly builds: ReadonlyMap<string, FetchedBuild>;
  readonly problems: ReadonlyMap<string, string>;
}

/** Downloads the versions that are installed. Never fails: one that cannot be read is a problem of its build. */
export async function fetchShipped(
  registry: Registries,
  installed: readonly (readonly [string, Pick<HeadVersion, 'version' | 'integrity'>])[],
): Promise<ShippedBuilds> {
  const builds = new Map<string, FetchedBuild>();
  const problems = new Map<string, string>();
  const fetched = await Promise.allSettled(
    installed.map(([id, locked]) => fetchBuild(registry, id, locked)),
  );
  for (const [at, result] of fetched.entries()) {
    const [id] = installed[at]!;
    if (result.status === 'fulfilled') builds.set(id, result.value);
    else problems.set(id, messageOf(result.reason));
  }
  return { builds, problems };
}

/** As `fetchShipped`, with the network only for what the cache does not have; opens no registry for no build. */
export async function readShipped(
  installed: readonly (readonly [string, Pick<HeadVersion, 'version' | 'integrity'>])[],
  options: GlobalOptions,
  lock: Lock,
  context: CommandContext,
): Promise<ShippedBuilds> {
  if (installed.length === 0) return { builds: new Map(), problems: new Map() };
  try {
    return await withCached(options, lock, context, (registry) =>
      fetchShipped(registry, installed),
    );
  } catch (error) {
    const why = messageOf(error);
    return { builds: new Map(), problems: new Map(installed.map(([id]) => [id, why])) };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ClientError) return error.message;
  throw error;
}

/** @param places folder, tarball or address of a local build, by id */
export function withPlaces(
  builds: readonly FetchedBuild[],
  places: ReadonlyMap<string, string> | undefined,
): FetchedBuild[] {
  return builds.map((build) => {
    const source = places?.get(build.id);
    return source === undefined ? build : { ...build, source };
  });
}
