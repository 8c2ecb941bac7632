/** The registries of a lock after a change, and what the user should know about new ones and those that cannot be reached. */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock, LockedRegistry } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import type { Change, FetchedBuild, Warning } from '../plan/plan.ts';
import type { Registries } from './registries.ts';
import {
  isUnreachable,
  lockAddress,
  type RegistryEntry,
  registryOrigin,
} from './registry-entry.ts';
import type { Registry } from './registry.ts';

/**
 * The registries of the lock, whose addresses never change here, and those from which `builds` come.
 * @throws {ClientError} those of the registry
 */
export async function lockedRegistries(
  registries: Registries,
  lock: Lock | undefined,
  builds: readonly FetchedBuild[],
): Promise<Pick<Change, 'registry' | 'registries'>> {
  const names = new Set(builds.map(({ registry }) => registry));
  const used = new Set(registries.set.used);
  const after: Record<string, LockedRegistry> = {};
  for (const entry of registries.set.all) {
    const before = lock?.registries[entry.name];
    if (before === undefined && !names.has(entry.name)) continue;
    after[entry.name] = before ?? (await newRegistry(entry));
    const isOpen = after[entry.name]!.origin === undefined && used.has(entry);
    const origin = isOpen ? await originIfReachable(entry.registry) : undefined;
    if (origin !== undefined) after[entry.name] = { ...after[entry.name]!, origin };
  }
  const [first] = Object.values(after);
  const { address = '' } = after[DEFAULT_REGISTRY_NAME] ?? first ?? {};
  return { registry: address, registries: after };
}

/** Which registries are new in the lock because another one names them, and which cannot be reached. */
export function registryWarnings(
  registries: Registries,
  lock: Lock | undefined,
  builds: readonly FetchedBuild[],
): Warning[] {
  const names = new Set(builds.map(({ registry }) => registry));
  const added = registries.set.all.filter(({ name, known }) => {
    return known?.via !== undefined && lock?.registries[name] === undefined && names.has(name);
  });
  return [
    ...added.map(({ name, known }): Warning => {
      const message = `"${name}" (${known?.address}) is new in this project: "${known?.via}" names it as upstream`;
      return { code: 'registry-upstream', message, path: LOCK_FILE };
    }),
    ...unreachable(registries.down),
  ];
}

/** A warning for each registry that cannot be reached. */
export function unreachable(down: Registries['down']): Warning[] {
  return Array.from(down, ([name, { message }]): Warning => {
    const text = `Registry "${name}" cannot be reached, and its builds are left out: ${message}`;
    return { code: 'registry-unreachable', message: text, path: '' };
  });
}

async function newRegistry({ registry, known }: RegistryEntry): Promise<LockedRegistry> {
  if (known !== undefined) return known;
  const origin = await originIfReachable(registry);
  const address = await lockAddress(registry);
  return origin === undefined ? { address } : { origin, address };
}

/** Local builds are installed without a registry that answers: its origin is added when it does. */
function originIfReachable(registry: Registry): Promise<string | undefined> {
  return registryOrigin(registry).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    return undefined;
  });
}
