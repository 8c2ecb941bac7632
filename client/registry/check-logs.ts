/** Checks versions that are to be installed against the transparency logs of their registries. */
import type { LockedLog } from '../../format/project/lock.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { keptLogs } from './open-registry.ts';
import type { LoggedVersion } from './log/signed-log.ts';
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
  const found: Omit<LoggedVersion, 'place'>[] = [];
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
    await registry.log.use(async ({ signed }) => {
      if (signed === undefined) return noteUnsigned(registry);
      const documents = found.map(({ id, version }) => registry.version(id, version));
      for (const [at, document] of (await Promise.all(documents)).entries()) {
        const one = found[at]!;
        const { index, entry } = document?.provenance.predicate ?? {};
        const place = index === undefined ? undefined : { index, ...entry! };
        logs.set(one.id, await signed.prove({ ...one, place }));
      }
    });
  } catch (error) {
    // Without network nothing new is served, and nothing can be checked that the cache does not have.
    const isUnknown =
      error instanceof ClientError && ['ERR_NETWORK', 'ERR_LOG'].includes(error.code);
    if (registry.isProved || !isUnknown) throw error;
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
