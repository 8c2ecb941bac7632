/** The registries of a lock: naming one, removing one, a new address for one, its service for reports, another one for an owner. */
import { originOf } from '../../format/index/origin.ts';
import { isReportAddress } from '../../format/index/report-service.ts';
import type { Lock, LockedRegistry } from '../../format/lock/lock.ts';
import { LOCK_VERSION } from '../../format/lock/lock.ts';
import { DEFAULT_REGISTRY_NAME, isRegistryName } from '../../format/registry/registry-name.ts';
import { isOwner } from '../../format/build/build-id.ts';
import { ClientError } from '../errors.ts';
import { ownerOf } from '../registry/owner-registry.ts';
import { Registries } from '../registry/registries.ts';
import { otherOrigin, sameOrigin } from '../registry/registry-entry.ts';
import type { RegistryEntry } from '../registry/registry-entry.ts';
import { lockAddress, registryOrigin } from '../registry/registry-identity.ts';
import { RegistrySet } from '../registry/registry-set.ts';
import type { Registry } from '../registry/registry.ts';

/** Opens the registry at an address; it knows the installed builds of the lock. */
export type Open = (address: string) => Registry;

const NAME_HINT =
  'give 1 to 40 lower-case letters, digits and dashes that begin with a letter, such as "corp"';
const EMPTY: Lock = { lockVersion: LOCK_VERSION, registries: {}, builds: {}, made: [] };

/**
 * The lock with the registry at `address` under `name`; a registry that has this name already gets the address,
 * if it is the same one. `undefined` when nothing changes.
 * @throws {ClientError} `ERR_USAGE`, `ERR_ORIGIN`, and those of the registry
 */
export async function addRegistry(
  lock: Lock = EMPTY,
  name: string,
  address: string,
  open: Open,
): Promise<Lock | undefined> {
  checkName(name);
  const { registry, known } = await readRegistry(address, open);
  refuseSameOrigin(lock, name, registry, known);
  const before = Object.hasOwn(lock.registries, name) ? lock.registries[name] : undefined;
  for (const [other, present] of Object.entries(lock.registries)) {
    if (other === name || present.address !== known.address) continue;
    throw otherOrigin(entryOf(other, present, registry), known.origin, originIn(present));
  }
  if (before !== undefined && originIn(before) !== known.origin) {
    throw new ClientError(
      'ERR_ORIGIN',
      `"${name}" is the registry "${originIn(before)}" at ${before.address} in this project, and ${registry.base} is "${known.origin}"`,
      {
        hint: `give the other registry another name; if "${name}" was renamed on purpose: stackyard registry move ${name} ${registry.base}`,
      },
    );
  }
  if (before?.address === known.address && before.via === undefined) return undefined;
  await registry.checkInstalled(buildsOf(lock, name));
  const next = { ...known, ...ownWords(before) };
  return { ...lock, registries: { ...lock.registries, [name]: next } };
}

/**
 * The lock with a new address for the registry `name`, which has every installed build of it, unchanged; its
 * origin may be another one.
 * @throws {ClientError} `ERR_REGISTRY_NOT_FOUND`, `ERR_ORIGIN`, `ERR_ROLLBACK`, `ERR_INTEGRITY`, and those of the registry
 */
export async function moveRegistry(
  lock: Lock = EMPTY,
  name: string,
  address: string,
  open: Open,
): Promise<Lock | undefined> {
  const before = registryOf(lock, name);
  const { registry, known } = await readRegistry(address, open);
  refuseSameOrigin(lock, name, registry, known);
  const isSame = before.address === known.address && before.origin === known.origin;
  if (isSame && before.via === undefined) return undefined;
  const ids = buildsOf(lock, name);
  await registry.checkInstalled(ids);
  await requireBuilds(registry, ids, `"${name}" cannot move to ${registry.base}`);
  // Another registry has another log and another service.
  const next = { ...known, ...(originIn(before) === known.origin ? ownWords(before) : {}) };
  return { ...lock, registries: { ...lock.registries, [name]: next } };
}

/**
 * The lock in which the builds of `owner` belong to the registry `name`, which has the same versions of them.
 * @throws {ClientError} `ERR_REGISTRY_NOT_FOUND`, `ERR_NOT_INSTALLED`, `ERR_OWNER_REGISTRY`, and those of the registry
 */
export async function moveOwner(
  lock: Lock = EMPTY,
  owner: string,
  name: string,
  open: Open,
): Promise<Lock | undefined> {
  const target = registryOf(lock, name);
  const ids = Object.keys(lock.builds).filter((id) => ownerOf(id) === owner);
  if (!isOwner(owner) || ids.length === 0) {
    throw new ClientError('ERR_NOT_INSTALLED', `No build of ${quoted(owner)} is installed here`, {
      hint: `its first build fixes its registry: stackyard add ${name}:<owner>/<name>`,
    });
  }
  const [from = ''] = ids.map((id) => lock.builds[id]!.registry);
  if (from === name) return undefined;
  const entries = Object.entries(lock.registries).map(([other, known]) => {
    return entryOf(other, known, open(known.address));
  });
  const set = new RegistrySet(entries);
  const entry = set.named(name);
  await set.checked(entry);
  const what = `"${owner}" cannot move from "${from}" (${lock.registries[from]?.address}) to "${name}" (${target.address})`;
  await requireBuilds(entry.registry, ids, what, `, then stackyard add ${name}:${ids[0]}`);
  const moved = ids.map((id) => [id, { ...lock.builds[id]!, registry: name }]);
  const builds = { ...lock.builds, ...Object.fromEntries(moved) } as Lock['builds'];
  try {
    await new Registries(set, builds, open).checkRequirements(Object.entries(builds));
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'ERR_OWNER_REGISTRY') throw error;
    throw new ClientError(error.code, `${what}: ${error.message}`, {
      cause: error,
      hint: 'a registry must name the other one as upstream in its registry.config.json; or remove the build that requires the other',
    });
  }
  return { ...lock, builds };
}

/**
 * The lock in which CI runs may report builds of the registry `name` to the service at `address`, or with `none` to no service. The
 * registry must name the same one: otherwise nothing would be sent there. `undefined` when nothing changes.
 * @throws {ClientError} `ERR_REGISTRY_NOT_FOUND`, `ERR_USAGE`, `ERR_ORIGIN`, `ERR_REPORT_SERVICE`, and those of the registry
 */
export async function acceptReports(
  lock: Lock = EMPTY,
  name: string,
  address: string,
  open: Open,
): Promise<Lock | undefined> {
  const { reports: before, ...known } = registryOf(lock, name);
  const withReports = (next: LockedRegistry): Lock | undefined =>
    next.reports === before
      ? undefined
      : { ...lock, registries: { ...lock.registries, [name]: next } };
  if (address === 'none') return withReports(known);
  if (!isReportAddress(address)) {
    throw new ClientError('ERR_USAGE', `${quoted(address)} is not the address of a service`, {
      hint: 'write it in lower case with https and without "/" at the end, such as https://reports.example',
    });
  }
  const { registry, known: now } = await readRegistry(known.address, open);
  if (now.origin !== originIn(known)) {
    throw otherOrigin(entryOf(name, known, registry), now.origin, originIn(known));
  }
  const named = (await registry.info())?.reports?.address;
  if (named === address) return withReports({ ...known, reports: address });
  throw new ClientError(
    'ERR_REPORT_SERVICE',
    `Cannot accept ${address}: the registry "${name}" at ${known.address} names ${named ?? 'no service'} for reports of CI runs`,
    { hint: 'ask its operators which address is right; --service sends to another one in one run' },
  );
}

/** The lock without a registry of which no build is installed. @throws {ClientError} `ERR_INSTALLED`, `ERR_REGISTRY_NOT_FOUND` */
export function removeRegistry(lock: Lock = EMPTY, name: string): Lock {
  registryOf(lock, name);
  const ids = buildsOf(lock, name);
  if (ids.length > 0) {
    throw new ClientError(
      'ERR_INSTALLED',
      `Cannot remove "${name}": ${ids.join(', ')} came from it`,
      {
        hint: `remove these builds first, or move their owners: stackyard registry move ${ownerOf(ids[0]!)} <name>`,
      },
    );
  }
  const others = Object.entries(lock.registries).filter(([other]) => other !== name);
  return { ...lock, registries: Object.fromEntries(others) };
}

/** What the user stated about a registry. */
function ownWords(registry: LockedRegistry | undefined): Pick<LockedRegistry, 'log' | 'reports'> {
  const { log, reports } = registry ?? {};
  return { ...(log && { log }), ...(reports !== undefined && { reports }) };
}

function checkName(name: string): void {
  if (name === DEFAULT_REGISTRY_NAME) {
    throw new ClientError('ERR_USAGE', `"${name}" is the registry of builds without a name`, {
      hint: `choose another name; a new address for it: stackyard registry move ${name} <address>`,
    });
  }
  if (isRegistryName(name)) return;
  throw new ClientError('ERR_USAGE', `${quoted(name)} is not a name of a registry`, {
    hint: NAME_HINT,
  });
}

/** A short part of a text of the command line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

function registryOf(lock: Lock, name: string): LockedRegistry {
  const known = Object.hasOwn(lock.registries, name) ? lock.registries[name] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(lock.registries).join(', ');
  throw new ClientError('ERR_REGISTRY_NOT_FOUND', `This project has no registry ${quoted(name)}`, {
    hint: `${names === '' ? 'it has none yet' : `it has ${names}`}; add one: stackyard registry add <name> <address>`,
  });
}

async function readRegistry(
  address: string,
  open: Open,
): Promise<{ registry: Registry; known: { origin: string; address: string } }> {
  const registry = open(address);
  await registry.checkIndex();
  const origin = await registryOrigin(registry);
  if (origin !== undefined)
    return { registry, known: { origin, address: await lockAddress(registry) } };
  throw new ClientError(
    'ERR_NETWORK',
    `Cannot find out without network which registry ${registry.base} is`,
    {
      hint: 'run the command without --offline',
    },
  );
}

/** Two registries of one origin would be one registry with two contents. */
function refuseSameOrigin(
  lock: Lock,
  name: string,
  registry: Registry,
  { origin }: { readonly origin: string },
): void {
  for (const [other, known] of Object.entries(lock.registries)) {
    if (other === name || originIn(known) !== origin) continue;
    throw sameOrigin(registry.base, origin, entryOf(other, known, registry));
  }
}

/** Requires each installed build, unchanged. @throws {ClientError} `ERR_OWNER_REGISTRY` */
async function requireBuilds(
  registry: Registry,
  ids: readonly string[],
  what: string,
  then = '',
): Promise<void> {
  for (const id of ids) {
    let problem = 'it does not have';
    try {
      if ((await registry.head(id)) !== undefined) continue;
    } catch (error) {
      const isOther =
        error instanceof ClientError && ['ERR_ROLLBACK', 'ERR_INTEGRITY'].includes(error.code);
      if (!isOther) throw error;
      problem = 'it does not have the installed version of';
      if (error.code === 'ERR_INTEGRITY') problem = 'it has other files for';
    }
    throw new ClientError('ERR_OWNER_REGISTRY', `${what}: ${problem} "${id}"`, {
      hint: `nothing was written; to take what it has instead: stackyard remove ${id}${then}`,
    });
  }
}

function buildsOf(lock: Lock, name: string): string[] {
  return Object.keys(lock.builds).filter((id) => lock.builds[id]!.registry === name);
}

/** Of a lock of version 1, which had no origins, host and path of the address. */
function originIn({ origin, address }: LockedRegistry): string {
  return origin ?? originOf(address);
}

function entryOf(name: string, known: LockedRegistry, registry: Registry): RegistryEntry {
  return { name, registry, known, isLocked: true };
}
