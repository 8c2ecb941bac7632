/** Checks versions that are to be installed against the transparency logs of their registries. */
import type { Lock, LockedLog } from '../../format/lock/lock.ts';
import { encodeBase64 } from '../../format/log/base64.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { keptLogs } from './kept-logs.ts';
import type { MaxAge } from '../registry/log/require-witnesses.ts';
import { checkLog } from '../registry/log/check-log.ts';
import type { LogProof, LoggedVersion } from '../registry/log/check-log.ts';
import { ClientError } from '../errors.ts';
import type { Registries } from '../registry/registries.ts';
import type { Registry } from '../registry/registry.ts';
import type { KeptLogs } from '../registry/log/kept-log.ts';
import type { RegistryEntry } from '../registry/registry-entry.ts';
import { registryOrigin } from '../registry/registry-identity.ts';

/** A version as a head lists it. */
interface Chosen {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Checks each registry that has some of the versions.
 * @param versions by id; those of local builds are left out
 * @returns what the lock keeps, by id
 * @throws {ClientError} `ERR_LOG`, and those of the registry
 */
export async function checkLogs(
  registries: Registries,
  versions: Iterable<readonly [string, Chosen]>,
  maxAge?: MaxAge,
): Promise<ReadonlyMap<string, LockedLog>> {
  const chosen = [...versions];
  const byEntry = Map.groupBy(chosen, ([id]) => registries.entryOf(id));
  const logs = new Map<string, LockedLog>();
  for (const [entry, ofEntry] of byEntry) {
    const found = await publishedVersions(entry, ofEntry);
    for (const [id, proof] of await proofsOf(entry, found, maxAge)) {
      const { head, version } = found.find((one) => one.head.id === id)!;
      const place = head.versions.find((one) => one.version === version)!;
      const { published_at, log } = place;
      const proofTexts = proof.proof.map(encodeBase64);
      logs.set(id, { ...log!, published_at, ...proof, proof: proofTexts });
    }
  }
  return logs;
}

/**
 * Requires that the logs of installed builds were confirmed recently.
 * @throws {ClientError} `ERR_LOG`, `ERR_USAGE` where no witness is named, and those of the registry
 */
export async function checkLogAges(
  registries: Registries,
  { builds }: Pick<Lock, 'builds'>,
  maxAge: MaxAge | undefined,
): Promise<void> {
  if (maxAge === undefined) return;
  const entries = new Set(Object.keys(builds).map((id) => registries.entryOf(id)));
  for (const entry of entries) await proofsOf(entry, [], maxAge);
}

/**
 * Requires that a registry signs a log, which continues what was seen of it.
 * @returns the key that signs it
 * @throws {ClientError} `ERR_LOG`, and those of the registry
 */
export async function checkWholeLog({ registry, known }: RegistryEntry): Promise<string> {
  const origin = (await registryOrigin(registry)) ?? registry.base;
  const kept = keptLogs();
  const now = new Date().toISOString();
  await checkLog({ registry, origin, kept, versions: [], now, policy: known?.log });
  const key = (await kept.read(origin))?.key;
  if (key !== undefined) return key;
  throw new ClientError(
    'ERR_LOG',
    `Cannot check ${registry.base}: nobody signs its transparency log`,
    { hint: 'its operator can sign it: see "The transparency log" in docs/hosting.md' },
  );
}

/** The builds with what the log proves about them. */
export function withLogs(
  builds: readonly FetchedBuild[],
  logs: ReadonlyMap<string, LockedLog>,
): FetchedBuild[] {
  return builds.map((build) => {
    const log = build.source === undefined ? logs.get(build.id) : undefined;
    return log === undefined ? build : { ...build, log };
  });
}

/** Those that the registry has: a build that is tried from its source has another digest. */
async function publishedVersions(
  { registry }: RegistryEntry,
  chosen: readonly (readonly [string, Chosen])[],
): Promise<LoggedVersion[]> {
  const found: LoggedVersion[] = [];
  for (const [id, { version, integrity }] of chosen) {
    const head = await registry.head(id);
    const isHere = head?.versions.some((v) => v.version === version && v.integrity === integrity);
    if (head !== undefined && isHere === true) found.push({ head, version });
  }
  return found;
}

/** Without network nothing new is served, and nothing can be checked that the cache does not have. */
async function proofsOf(
  { registry, known }: RegistryEntry,
  versions: readonly LoggedVersion[],
  maxAge: MaxAge | undefined,
): Promise<ReadonlyMap<string, LogProof>> {
  const origin = await registryOrigin(registry);
  if (origin === undefined || (versions.length === 0 && maxAge === undefined)) return new Map();
  const kept = keptLogs();
  const now = new Date().toISOString();
  try {
    const check = { registry, origin, kept, versions, now, maxAge, policy: known?.log };
    const proofs = await checkLog(check);
    if (proofs === undefined) await noteUnsigned(registry, origin, kept);
    return proofs ?? new Map();
  } catch (error) {
    const isUnknown = error instanceof ClientError && error.code === 'ERR_NETWORK';
    if (registry.isOffline && isUnknown && maxAge === undefined) return new Map();
    throw error;
  }
}

/** Once for each registry. One on this machine that has no public name needs nobody to watch it. */
async function noteUnsigned(registry: Registry, origin: string, kept: KeptLogs): Promise<void> {
  const isPrivate = registry.isLocal && (await registry.knownInfo())?.origin === undefined;
  if (isPrivate || !(await kept.isFirstUnsigned(origin))) return;
  registry.note(
    `note: Nobody signs a transparency log of ${registry.base}: a host that alters its builds is not noticed (this is printed once)`,
  );
}
