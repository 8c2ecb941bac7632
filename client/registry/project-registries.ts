/** Which registries a command uses: those of the lock, and the address that the user gives for one run. */
import { originOf } from '../../format/index/registry-info.ts';
import type { Lock, LockedRegistry } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import { parseRegistryAddress } from './network/registry-address.ts';
import { Registries } from './registries.ts';
import { ownerOf, type RegistryEntry, registryOrigin, suggestedName } from './registry-entry.ts';
import { RegistrySet } from './registry-set.ts';
import type { Registry } from './registry.ts';
import { servedRegistry } from './served-registry.ts';

/**
 * @param given the address of one registry in this run; `undefined`: those of the lock
 * @throws {ClientError} `ERR_OWNER_REGISTRY` when `given` is another registry than those of the project
 */
export async function projectRegistries(
  lock: Lock | undefined,
  given: string | undefined,
  purpose: RegistryPurpose,
  open: OpenRegistry,
): Promise<Registries> {
  const builds = lock?.builds ?? {};
  const known = Object.entries(lock?.registries ?? {});
  const locked = known.map(([name, one]): RegistryEntry => {
    // One that cannot be used does not keep the others from being used.
    const registry = open(one.address, builds, known.length > 1);
    return { name, registry, known: one, isLocked: true };
  });
  const asDefault = (registry: Registry): RegistryEntry => {
    return { name: DEFAULT_REGISTRY_NAME, registry, known: undefined, isLocked: false };
  };
  const registries = (entries: readonly RegistryEntry[], installed = builds): Registries => {
    return new Registries(new RegistrySet(entries), installed, (address) => open(address, {}));
  };
  const present = locked.find(({ name }) => name === DEFAULT_REGISTRY_NAME);
  if (given === undefined) {
    if (present !== undefined) return registries(locked);
    return registries([...locked, asDefault(open(servedRegistry() ?? DEFAULT_REGISTRY, builds))]);
  }
  const registry = open(given, builds);
  const meant = await entryServedBy(registry, locked);
  const others = locked.filter((entry) => entry !== meant && entry !== present);
  if (meant !== undefined) {
    const kept = present === undefined || present === meant ? others : [...others, present];
    return registries([...kept, { ...meant, registry }]);
  }
  if (purpose === 'reading' && locked.length > 0) {
    return registries([asDefault(open(given, {}))], {});
  }
  if (present === undefined || purpose === 'pinned') {
    return registries([...others, asDefault(registry)]);
  }
  throw otherRegistry(registry, await registryOrigin(registry), present, builds);
}

/** The registry of the project that an address serves: by the address, otherwise by the origin. */
async function entryServedBy(
  registry: Registry,
  locked: readonly RegistryEntry[],
): Promise<RegistryEntry | undefined> {
  if (locked.length === 0) return undefined;
  const same = locked.find(({ known }) => normalAddress(known!.address) === registry.base);
  if (same !== undefined) return same;
  const origin = await registryOrigin(registry);
  return locked.find(({ known }) => originIn(known!) === origin);
}

/** The origin by the lock; of version 1, which had none, host and path of the address. */
function originIn({ origin, address }: LockedRegistry): string {
  return origin ?? originOf(address);
}

/** The address as `Registry.base` has it. */
export function normalAddress(address: string): string {
  try {
    return parseRegistryAddress(address).base;
  } catch (error) {
    if (error instanceof ClientError) return address;
    throw error;
  }
}

function otherRegistry(
  { base }: Registry,
  origin: string | undefined,
  present: RegistryEntry,
  builds: Lock['builds'],
): ClientError {
  const { address } = present.known!;
  if (origin === undefined) {
    return new ClientError(
      'ERR_NETWORK',
      `Cannot find out without network which registry ${base} is`,
      {
        hint: `run the command once without --offline, or leave the address out to use ${address}`,
      },
    );
  }
  const owners = new Set(Object.keys(builds).map(ownerOf));
  const owner = owners.size === 1 ? [...owners].join('') : '<owner>';
  const name = suggestedName(origin);
  return new ClientError(
    'ERR_OWNER_REGISTRY',
    `${base} is the registry "${origin}", and this project uses "${originIn(present.known!)}" at ${address}`,
    {
      hint: `to use both: stackyard registry add ${name} ${base}; then, to move an owner to it on purpose: stackyard registry move ${owner} ${name}; where it is the new address of the same registry: stackyard registry move ${present.name} ${base}`,
    },
  );
}

/** The registry when neither option, environment nor lock names one, and the client came from none. */
export const DEFAULT_REGISTRY = 'http://127.0.0.1:4173';

/**
 * What the registries are for. `project`: a given address must serve a registry of the project. `pinned`: only
 * bytes whose digests the lock has are read, so any address may serve those of the default registry.
 * `reading`: nothing depends on the project, so a given address of another registry is used alone.
 */
export type RegistryPurpose = 'project' | 'pinned' | 'reading';

/** Opens the registry at an address, which may not change the digest of one of the `builds`. */
export type OpenRegistry = (
  address: string,
  builds: Lock['builds'],
  isLenient?: boolean,
) => Registry;
