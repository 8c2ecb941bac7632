/** Downloads builds, several in parallel, and verifies their files. */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { TarballEntry } from '../../format/archive/tar.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { INTEGRATION_FILE, MANIFEST_FILE } from '../../format/build/build-files.ts';
import { selectFiles } from '../../format/build/file-glob.ts';
import { parseManifest, PublishedManifest } from '../../format/build/manifest.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { FormatError } from '../../format/errors.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import type { HeadVersion } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import type { Registries } from '../registry/registries.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import type { Lock, LockedLog } from '../../format/project/lock.ts';
import { mayBeWired, mayExpect } from '../../format/wiring/wire-info.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { withCached, keptLogs } from '../registry/open-registry.ts';
import type { LoggedVersion } from '../registry/check-log.ts';
import type { Registry } from '../registry/registry.ts';

/** A version as a head lists it. */
type Listed = Pick<HeadVersion, 'version' | 'integrity'>;

/**
 * Downloads and verifies `versions`, by id.
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchBuild`
 */
export async function fetchBuilds(
  registry: Registries,
  versions: Iterable<readonly [string, Listed]>,
): Promise<FetchedBuild[]> {
  const wanted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
  // The registry limits the number of parallel requests.
  return Promise.all(wanted.map(([id, version]) => fetchBuild(registry, id, version)));
}

/** Downloads and verifies the installed versions of `ids`, sorted by id. @throws {ClientError} those of `fetchBuild` */
export function fetchInstalled(
  registry: Registries,
  { builds }: Pick<Lock, 'builds'>,
  ids: readonly string[],
): Promise<FetchedBuild[]> {
  return fetchBuilds(registry, new Map(ids.map((id) => [id, builds[id]!])));
}

/**
 * Downloads versions that were chosen by what their heads list, with what the logs of their registries prove about them.
 * @param local builds that are not published, by id
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchListed` and `checkLogs`
 */
export async function fetchChosen(
  registry: Registries,
  versions: ReadonlyMap<string, HeadVersion>,
  local: ReadonlyMap<string, { readonly source: string }>,
): Promise<FetchedBuild[]> {
  const published = [...versions].filter(([id]) => !local.has(id));
  const proving = checkLogs(registry, published);
  proving.catch(() => {});
  const listed = await fetchListed(registry, versions);
  const logs = await proving;
  return listed.map((build) => {
    const source = local.get(build.id)?.source;
    if (source !== undefined) return { ...build, source };
    const log = logs.get(build.id);
    return log === undefined ? build : { ...build, log };
  });
}

/**
 * Downloads versions that were chosen by what their heads list: their manifests must require and provide the same.
 * @returns the builds sorted by id
 * @throws {ClientError} those of `fetchBuilds`; `ERR_LOG`, and of a registry without a signed log `ERR_ARCHIVE`
 */
async function fetchListed(
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
      const isProved = await registry.entryOf(id).registry.isSigned();
      const problem = `Cannot use "${id}" ${version}: its head lists "${field}" as ${texts[0]}, and its manifest has ${texts[1]}`;
      throw new ClientError(isProved ? 'ERR_LOG' : 'ERR_ARCHIVE', problem, {
        hint: 'the registry contradicts itself, or its host alters what it published: report it there',
      });
    }
  }
  return builds;
}

/** Shipped versions of installed builds by id, and why others could not be read. */
export interface ShippedBuilds {
  readonly builds: ReadonlyMap<string, FetchedBuild>;
  readonly problems: ReadonlyMap<string, ClientError>;
}

/** Downloads the versions that are installed. Never fails: one that cannot be read is a problem of its build. */
export async function fetchShipped(
  registry: Registries,
  installed: readonly (readonly [string, Listed])[],
): Promise<ShippedBuilds> {
  const builds = new Map<string, FetchedBuild>();
  const problems = new Map<string, ClientError>();
  const fetched = await Promise.allSettled(
    installed.map(([id, locked]) => fetchBuild(registry, id, locked)),
  );
  for (const [at, result] of fetched.entries()) {
    const [id] = installed[at]!;
    if (result.status === 'fulfilled') builds.set(id, result.value);
    else problems.set(id, clientError(result.reason));
  }
  return { builds, problems };
}

/** As `fetchShipped`, with the network only for what the cache does not have; opens no registry for no build. */
export async function readShipped(
  installed: readonly (readonly [string, Listed])[],
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
    const why = clientError(error);
    return { builds: new Map(), problems: new Map(installed.map(([id]) => [id, why])) };
  }
}

function clientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw error;
}

/**
 * Downloads and verifies a version: digest, archive, manifest, and that it is the requested build.
 * @throws {ClientError} `ERR_INTEGRITY`, `ERR_ARCHIVE`, and those of the registry
 */
export async function fetchBuild(
  registry: Registries,
  id: string,
  { version, integrity }: Listed,
): Promise<FetchedBuild> {
  const bytes = await registry.tarball(id, version, integrity);
  const entries = readEntries(id, version, bytes);
  const manifestEntry = entries.find((entry) => entry.path === MANIFEST_FILE);
  if (manifestEntry === undefined) throw refused(id, version, `it has no ${MANIFEST_FILE}`);
  const parsed = parseManifest(manifestEntry.bytes, PublishedManifest);
  if (!parsed.ok) {
    const [first] = parsed.findings;
    throw refused(id, version, first ? findingMessage(first) : 'its manifest is wrong');
  }
  const { manifest } = parsed;
  if (`${id.split('/')[0]}/${manifest.name}` !== id || manifest.version !== version) {
    throw refused(id, version, `it contains "${manifest.name}" ${manifest.version}`);
  }
  const paths = selectFiles(
    entries.map((entry) => entry.path),
    manifest.files,
  );
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    id,
    version,
    integrity,
    manifest,
    files: new Map(paths.map((p) => [p, byPath.get(p)!])),
    ...guideOf(byPath.get(INTEGRATION_FILE)?.bytes),
    registry: registry.entryOf(id).name,
  };
}

function guideOf(
  bytes: Uint8Array | undefined,
): Pick<FetchedBuild, 'guide' | 'wiredGuide' | 'expectedGuide'> {
  if (bytes === undefined) return {};
  const text = Buffer.from(bytes).toString('utf8');
  return {
    guide: integrityOf(bytes),
    ...(mayBeWired(text) ? { wiredGuide: text } : {}),
    ...(mayExpect(text) ? { expectedGuide: text } : {}),
  };
}

/** The entries of a tarball of the registry. @throws {ClientError} `ERR_ARCHIVE` */
export function readEntries(id: string, version: string, bytes: Uint8Array): TarballEntry[] {
  try {
    return readTarball(bytes);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw refused(id, version, cause.message, cause);
  }
}

function refused(id: string, version: string, problem: string, cause?: unknown): ClientError {
  return new ClientError('ERR_ARCHIVE', `Cannot use "${id}" ${version}: ${problem}`, {
    cause,
    hint: 'the archive is not one that the registry should hold: report it there',
  });
}
/**
 * Checks versions that are to be installed against the transparency logs of their registries.
 * @param versions by id; those of local builds are left out
 * @returns what the lock keeps, by id
 * @throws {ClientError} `ERR_LOG`, and those of the registry
 */
export async function checkLogs(
  registries: Registries,
  versions: Iterable<readonly [string, Listed]>,
): Promise<ReadonlyMap<string, LockedLog>> {
  const byEntry = Map.groupBy(versions, ([id]) => registries.entryOf(id));
  const logs: (readonly [string, LockedLog])[] = [];
  for (const [{ registry }, chosen] of byEntry) logs.push(...(await lockedLogs(registry, chosen)));
  return new Map(logs);
}

/** The same for versions of one registry. @throws {ClientError} as `checkLogs` */
export async function lockedLogs(
  registry: Registry,
  chosen: readonly (readonly [string, Listed])[],
): Promise<ReadonlyMap<string, LockedLog>> {
  const found: LoggedVersion[] = [];
  for (const [id, { version, integrity }] of chosen) {
    // A build that is tried from its source has another digest.
    const published = (await registry.head(id))?.versions.find(
      (one) => one.version === version && one.integrity === integrity,
    );
    if (published !== undefined) found.push({ ...published, id });
  }
  const logs = new Map<string, LockedLog>();
  if (found.length === 0) return logs;
  try {
    await registry.proved.use(async ({ signed }) => {
      if (signed === undefined) return noteUnsigned(registry);
      const documents = found.map(({ id, version }) => registry.version(id, version));
      for (const [at, document] of (await Promise.all(documents)).entries()) {
        const one = found[at]!;
        const { index, entry } = document?.provenance.predicate ?? {};
        const place = index === undefined ? undefined : { index, ...entry! };
        logs.set(one.id, await signed.prove(one, place));
      }
    });
  } catch (error) {
    // Without network nothing new is served, and nothing can be checked that the cache does not have.
    const isUnknown =
      error instanceof ClientError && ['ERR_NETWORK', 'ERR_LOG'].includes(error.code);
    if (registry.proved.isProved || !isUnknown) throw error;
  }
  return logs;
}

/** Once for each registry. One on this machine that has no public name needs nobody to watch it. */
async function noteUnsigned(registry: Registry): Promise<void> {
  const info = await registry.knownInfo();
  const origin = await registry.origin();
  const isPrivate = registry.isLocal && info?.origin === undefined;
  if (origin === undefined || isPrivate || !(await keptLogs().isFirstNote(origin))) return;
  registry.note(
    `note: Nobody signs a transparency log of ${registry.base}: a host that alters its builds is not noticed (this is printed once)`,
  );
}
