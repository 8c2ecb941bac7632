/** Locks with other registries: named, moved, removed, with what the user demands of their logs. */
import {
  LOCK_VERSION,
  type Lock,
  type LockedRegistry,
  type LogPolicy,
} from '../../format/project/lock.ts';
import { isRegistryName, DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import { isOwner } from '../../format/build/build-id.ts';
import { originIn, unknownOrigin } from '../registry/open-registry.ts';
import {
  isUnreachable,
  otherOrigin,
  ownerOf,
  type RegistryEntry,
  sameOrigin,
} from '../registry/registry-entry.ts';
import { Registries } from '../registry/registries.ts';
import { lockedLogs } from './fetch-builds.ts';
import { isNoteKey, parseNoteKey } from '../../format/log/note-key.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Change, FetchedBuild, Warning } from '../plan/plan.ts';

/** Opens the registry at an address; it knows the installed builds of the lock. */
export type Open = (address: string) => Registry;

const EMPTY: Lock = { lockVersion: LOCK_VERSION, registries: {}, builds: {}, made: [] };

/**
 * The lock with the registry at `address` under `name`; a registry that has this name already gets the address,
 * if it is the same one. `undefined` when nothing changes.
 * @param isStated whether the user states something about its log
 * @throws {ClientError} `ERR_USAGE`, `ERR_ORIGIN`, and those of the registry
 */
export async function addRegistry(
  lock: Lock = EMPTY,
  name: string,
  address: string,
  open: Open,
  isStated: boolean,
): Promise<Lock | undefined> {
  // What a user states about the log of the default registry needs its name.
  if (!isStated || !Object.hasOwn(lock.registries, name)) checkName(name);
  const { registry, known } = await readRegistry(lock, name, address, open);
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
  const next = { ...known, ...policyOf(before) };
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
  const { registry, known } = await readRegistry(lock, name, address, open);
  const isSame = before.address === known.address && before.origin === known.origin;
  if (isSame && before.via === undefined) return undefined;
  const ids = buildsOf(lock, name);
  await registry.checkInstalled(ids);
  await requireBuilds(registry, ids, `"${name}" cannot move to ${registry.base}`);
  // Another registry has another log.
  const next = { ...known, ...(originIn(before) === known.origin ? policyOf(before) : {}) };
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
  const moved = ids.map((id) => [id, { ...lock.builds[id]!, registry: name }]);
  const builds = { ...lock.builds, ...Object.fromEntries(moved) } as Lock['builds'];
  const registries = new Registries(entries, builds, open);
  const entry = registries.named(name);
  await registries.checked(entry);
  const what = `"${owner}" cannot move from "${from}" (${lock.registries[from]?.address}) to "${name}" (${target.address})`;
  await requireBuilds(entry.registry, ids, what, `, then stackyard add ${name}:${ids[0]}`);
  try {
    await registries.checkRequirements(Object.entries(builds));
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'ERR_OWNER_REGISTRY') throw error;
    throw new ClientError(error.code, `${what}: ${error.message}`, {
      cause: error,
      hint: 'a registry must name the other one as upstream in its registry.config.json; or remove the build that requires the other',
    });
  }
  return { ...lock, builds };
}

/** The lock without a registry of which no build is installed. @throws {ClientError} `ERR_INSTALLED`, `ERR_REGISTRY_NOT_FOUND` */
export function removeRegistry(lock: Lock = EMPTY, name: string): Lock {
  registryOf(lock, name);
  const ids = buildsOf(lock, name);
  if (ids.length > 0) {
    const problem = `Cannot remove "${name}": ${ids.join(', ')} came from it`;
    throw new ClientError('ERR_INSTALLED', problem, {
      hint: `remove these builds first, or move their owners: stackyard registry move ${ownerOf(ids[0]!)} <name>`,
    });
  }
  const others = Object.entries(lock.registries).filter(([other]) => other !== name);
  return { ...lock, registries: Object.fromEntries(others) };
}

/** What the user demands of the log of a registry. */
function policyOf(registry: LockedRegistry | undefined): Pick<LockedRegistry, 'log'> {
  return registry?.log === undefined ? {} : { log: registry.log };
}

function checkName(name: string): void {
  if (name === DEFAULT_REGISTRY_NAME) {
    throw new ClientError('ERR_USAGE', `"${name}" is the registry of builds without a name`, {
      hint: `choose another name; a new address for it: stackyard registry move ${name} <address>`,
    });
  }
  if (isRegistryName(name)) return;
  throw new ClientError('ERR_USAGE', `${quoted(name)} is not a name of a registry`, {
    hint: 'give 1 to 40 lower-case letters, digits and dashes that begin with a letter, such as "corp"',
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

/** Two registries of one origin would be one registry with two contents. @throws {ClientError} `ERR_ORIGIN` */
async function readRegistry(
  lock: Lock,
  name: string,
  address: string,
  open: Open,
): Promise<{ registry: Registry; known: { origin: string; address: string } }> {
  const registry = open(address);
  const origin = await registry.origin();
  if (origin === undefined) throw unknownOrigin(registry, 'run the command without --offline');
  const known = { origin, address: await registry.lockAddress() };
  for (const [other, present] of Object.entries(lock.registries)) {
    if (other === name || originIn(present) !== origin) continue;
    throw sameOrigin(registry.base, origin, entryOf(other, present, registry));
  }
  return { registry, known };
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

function entryOf(name: string, known: LockedRegistry, registry: Registry): RegistryEntry {
  return { name, registry, known, isLocked: true };
}

/** `undefined` where no key is given. @throws {ClientError} `ERR_USAGE` */
export function parseLogPolicy(key: string | undefined): LogPolicy | undefined {
  if (key === undefined) return undefined;
  if (isNoteKey(key) && parseNoteKey(key).kind === 'note') return { key };
  const problem = `Option --key is ${JSON.stringify(key)}, which is not the public key of a log`;
  throw new ClientError('ERR_USAGE', problem, {
    hint: 'give the key that the operator of the registry publishes',
  });
}

/**
 * The lock with the policy for the registry `name`, in which its log proves each installed build that another key proved.
 * The log must meet the policy now; this user keeps it as well, for other projects.
 * @param registry opened with what the user states
 * @returns also the keys that were known before, and how many builds were proved
 * @throws {ClientError} `ERR_LOG`, `ERR_OWNER_REGISTRY`, and those of the registry
 */
export async function stateLogPolicy(
  lock: Lock,
  name: string,
  policy: LogPolicy,
  registry: Registry,
): Promise<{ lock: Lock; formerKeys: readonly string[]; proved: number }> {
  const known = lock.registries[name]!;
  const seen = await registry.proved.use(async ({ signed }) => signed?.keyBefore);
  const others = buildsOf(lock, name)
    .map((id) => [id, lock.builds[id]!] as const)
    .filter(([, { log, source }]) => source === undefined && log?.key !== policy.key);
  const ids = others.map(([id]) => id);
  await requireBuilds(registry, ids, `The log with the new key cannot prove "${name}"`);
  const logs = await lockedLogs(registry, others);
  const proved = others.map(([id, build]) => [id, { ...build, log: logs.get(id)! }]);
  const keys = new Set([seen, known.log?.key, ...others.map(([, { log }]) => log?.key)]);
  keys.delete(policy.key);
  const log = { ...known.log, ...policy };
  const registries = { ...lock.registries, [name]: { ...known, log } };
  const builds = { ...lock.builds, ...(Object.fromEntries(proved) as Lock['builds']) };
  return {
    lock: { ...lock, registries, builds },
    formerKeys: [...keys].flatMap((key) => key ?? []),
    proved: ids.length,
  };
}
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
  const used = new Set(registries.used);
  const after: Record<string, LockedRegistry> = {};
  for (const entry of registries.all) {
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
  const added = registries.all.filter(({ name, known }) => {
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
  const address = await registry.lockAddress();
  return origin === undefined ? { address } : { origin, address };
}

/** Local builds are installed without a registry that answers: its origin is added when it does. */
function originIfReachable(registry: Registry): Promise<string | undefined> {
  return registry.origin().catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    return undefined;
  });
}
