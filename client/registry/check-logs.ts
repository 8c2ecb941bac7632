/** Checks versions that are to be installed against the transparency logs of their registries. */
import type { LockedLog } from '../../format/project/lock.ts';
import { encodeBase64 } from '../../format/log/base64.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { keptLogs } from './open-registry.ts';
import type { LogProof, LoggedVersion } from './log/signed-log.ts';
import { ClientError } from '../errors.ts';
import type { Registries } from './registries.ts';
import type { Registry } from './registry.ts';
import { registryOrigin } from './registry-entry.ts';

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
): Promise<ReadonlyMap<string, LockedLog>> {
  const byEntry = Map.groupBy(versions, ([id]) => registries.entryOf(id));
  const logs: (readonly [string, LockedLog])[] = [];
  for (const [{ registry }, chosen] of byEntry) logs.push(...(await lockedLogs(registry, chosen)));
  return new Map(logs);
}

/** The same for versions of one registry. @throws {ClientError} as `checkLogs` */
export async function lockedLogs(
  registry: Registry,
  chosen: readonly (readonly [string, Chosen])[],
): Promise<ReadonlyMap<string, LockedLog>> {
  const found = await publishedVersions(registry, chosen);
  const logs = new Map<string, LockedLog>();
  for (const [id, proof] of await proofsOf(registry, found)) {
    const { head, version } = found.find((one) => one.head.id === id)!;
    const { published_at } = head.versions.find((one) => one.version === version)!;
    logs.set(id, { published_at, ...proof, proof: proof.proof.map(encodeBase64) });
  }
  return logs;
}

/**
 * Requires that a registry signs a log, which continues what was seen of it.
 * @returns the key that signs it
 * @throws {ClientError} `ERR_LOG`, and those of the registry
 */
export async function checkWholeLog(registry: Registry): Promise<string> {
  const key = await registry.log.use(async ({ signed, info }) => signed?.nextKey(info));
  if (key !== undefined) return key;
  throw new ClientError(
    'ERR_LOG',
    `Cannot check ${registry.base}: nobody signs its transparency log`,
    { hint: 'its operator can sign it: see "The log" in docs/operate.md' },
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
  registry: Registry,
  chosen: readonly (readonly [string, Chosen])[],
): Promise<Omit<LoggedVersion, 'document'>[]> {
  const found: Omit<LoggedVersion, 'document'>[] = [];
  for (const [id, { version, integrity }] of chosen) {
    const head = await registry.head(id);
    const isHere = head?.versions.some((v) => v.version === version && v.integrity === integrity);
    if (head !== undefined && isHere === true) found.push({ head, version });
  }
  return found;
}

/** Without network nothing new is served, and nothing can be checked that the cache does not have. */
async function proofsOf(
  registry: Registry,
  versions: readonly Omit<LoggedVersion, 'document'>[],
): Promise<ReadonlyMap<string, LogProof>> {
  if (versions.length === 0) return new Map();
  try {
    return await registry.log.use(async ({ signed }) => {
      const proofs = new Map<string, LogProof>();
      if (signed === undefined) {
        await noteUnsigned(registry);
        return proofs;
      }
      const documents = versions.map(({ head, version }) => registry.version(head.id, version));
      for (const [at, document] of (await Promise.all(documents)).entries()) {
        const one = { ...versions[at]!, document };
        proofs.set(one.head.id, await signed.prove(one));
      }
      return proofs;
    });
  } catch (error) {
    const isUnknown =
      error instanceof ClientError && ['ERR_NETWORK', 'ERR_LOG'].includes(error.code);
    if (!registry.isProved && isUnknown) return new Map();
    throw error;
  }
}

/** Once for each registry. One on this machine that has no public name needs nobody to watch it. */
async function noteUnsigned(registry: Registry): Promise<void> {
  const info = await registry.knownInfo();
  const origin = await registryOrigin(registry);
  const isPrivate = registry.isLocal && info?.origin === undefined;
  if (origin === undefined || isPrivate || !(await keptLogs().isFirstNote(origin))) return;
  registry.note(
    `note: Nobody signs a transparency log of ${registry.base}: a host that alters its builds is not noticed (this is printed once)`,
  );
}
