/** Opens the registries that options, environment and lock name. */
import { originOf } from '../../format/index/registry-info.ts';
import {
  defaultAddress,
  type Lock,
  type LogPolicy,
  type LockedRegistry,
} from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { stateFolder } from '../project/state-folder.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { KeptLogs } from './kept-logs.ts';
import { CacheFiles, Cache } from './cache.ts';
import { Credentials } from './credentials.ts';
import { isProgressWanted, ProgressBar } from '../terminal/progress-bar.ts';
import { withSources } from './overlay.ts';
import { Registries, RegistrySet } from './registries.ts';
import {
  isUnreachable,
  ownerOf,
  type RegistryEntry,
  registryOrigin,
  suggestedName,
} from './registry-entry.ts';
import { Registry } from './registry.ts';
import { servedRegistry } from '../project/served-registry.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { parseRegistryAddress } from './source.ts';

/** The registry when neither option, environment nor lock names one, and the client came from none. */
const DEFAULT_REGISTRY = 'http://127.0.0.1:4173';

const DEFAULT_HINT = `no registry was named, and none runs here: give its address with --registry or STACKYARD_REGISTRY; ${DEFAULT_REGISTRY} is that of "npm start" in a registry's repository`;

/**
 * Opens the registries of the lock, with its local builds over them. The address of the option, otherwise of STACKYARD_REGISTRY,
 * serves in this run the registry of the project that has its origin; without a lock it is the default registry, otherwise the one that served this client. The caller closes them.
 * @param lock of the project; no address may change the digest of a version that is installed
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, `ERR_OWNER_REGISTRY`
 */
export async function openRegistries(
  options: GlobalOptions,
  lock: Lock | undefined,
  context: CommandContext,
  purpose: RegistryPurpose = 'project',
): Promise<Registries> {
  const opener = registryOpener(options, context, lock);
  const opened: Registry[] = [];
  const open: OpenRegistry = (...args) => {
    const registry = opener(...args);
    opened.push(registry);
    return registry;
  };
  try {
    const registries = await projectRegistries(lock, givenAddress(options), purpose, open);
    return withSources(registries, options, lock);
  } catch (error) {
    // An open connection would keep the program from ending.
    await Promise.all(opened.map((registry) => registry.close()));
    throw error;
  }
}

/**
 * Opens registries with one cache, one progress bar and the credentials of this user.
 * @param lock whose demands on logs hold
 * @param stated what the user demands of logs now
 * @throws {ClientError} `ERR_USAGE`
 */
export function registryOpener(
  options: GlobalOptions,
  { signal, terminal }: CommandContext,
  lock: Lock | undefined,
  stated?: LogPolicy,
): OpenRegistry {
  const { env, stderr } = process;
  const folder = cacheFolder(env);
  const note = options.verbose ? terminal.warn : undefined;
  const isQuiet = options.quiet || options.json;
  const common = {
    cache: folder === undefined ? undefined : new Cache(new CacheFiles(folder, note)),
    mode: options.offline ? 'offline' : 'online',
    note: terminal.message,
    credentials: new Credentials(env, signal),
    log: { kept: keptLogs(), policyOf: policiesOf(lock), stated },
    listener: isProgressWanted(stderr, env, isQuiet) ? new ProgressBar(stderr) : undefined,
  } as const;
  return (address, builds, isLenient = false) => {
    // The registry need not have a build that was tried from its source.
    const pins = new Map(Object.entries(builds).filter(([, { source }]) => source === undefined));
    return new Registry(address, signal, { ...common, pins, isLenient });
  };
}

/** Finds what a lock demands of a log, by the address of its registry or by the name that this states. */
function policiesOf(
  lock: Lock | undefined,
): (origin: string, base: string) => LogPolicy | undefined {
  const all = Object.values(lock?.registries ?? {});
  return (origin, base) => {
    const there = all.filter(({ address }) => normalAddress(address) === base);
    const named = all.filter((one) => (one.origin ?? originOf(one.address)) === origin);
    return [...there, ...named].find(({ log }) => log !== undefined)?.log;
  };
}

/**
 * Opens the registries for `use` and closes them afterwards.
 * @param isOptional whether no registry need answer where `use` does without
 * @throws {ClientError} as `openRegistries`
 */
export async function withRegistry<Result>(
  options: GlobalOptions,
  lock: Lock | undefined,
  context: CommandContext,
  use: (registry: Registries) => Promise<Result>,
  purpose?: RegistryPurpose,
  isOptional = false,
): Promise<Result> {
  const registries = await openRegistries(options, lock, context, purpose);
  const { set } = registries;
  try {
    const [only, second] = set.all;
    if (only !== undefined && second === undefined) set.use(only);
    const [used] = await Promise.allSettled([use(registries)]);
    const [checked] = await Promise.allSettled([set.checkUsed()]);
    // An unreachable registry is reported with the document that the command needs.
    const isNamed = used.status === 'rejected' && !isAboutIndex(checked);
    if (isNamed) throw used.reason;
    const isSpared =
      isOptional &&
      used.status === 'fulfilled' &&
      checked.status === 'rejected' &&
      isUnreachable(checked.reason);
    if (checked.status === 'rejected' && !isSpared) throw checked.reason;
    if (used.status === 'rejected') throw used.reason;
    return used.value;
  } catch (error) {
    const named = givenAddress(options) ?? defaultAddress(lock) ?? servedRegistry();
    const isChosen = named !== undefined || options.offline;
    if (isChosen || !(error instanceof ClientError) || error.code !== 'ERR_NETWORK') throw error;
    throw new ClientError('ERR_NETWORK', error.message, { cause: error, hint: DEFAULT_HINT });
  } finally {
    await set.close();
  }
}

/**
 * Opens the registries for `use`, which reads only what has a known digest, and closes them afterwards. What the
 * cache has of that needs no network.
 * @throws {ClientError} as `openRegistries`
 */
export async function withCached<Result>(
  options: GlobalOptions,
  lock: Lock | undefined,
  context: CommandContext,
  use: (registry: Registries) => Promise<Result>,
): Promise<Result> {
  const registries = await openRegistries(options, lock, context);
  try {
    return await use(registries);
  } finally {
    await registries.set.close();
  }
}

/** Whether a registry answered, and is none that this client reads, or another one than was meant. */
function isAboutIndex(checked: PromiseSettledResult<void>): boolean {
  if (checked.status === 'fulfilled') return false;
  const { reason } = checked as { readonly reason: unknown };
  return (
    reason instanceof ClientError && ['ERR_REGISTRY_ANSWER', 'ERR_ORIGIN'].includes(reason.code)
  );
}

/** The address of the option, otherwise of STACKYARD_REGISTRY. */
function givenAddress({ registry }: GlobalOptions): string | undefined {
  if (registry !== undefined) return registry;
  const named = (process.env['STACKYARD_REGISTRY'] ?? '').trim();
  return named === '' ? undefined : named;
}

export function keptLogs(): KeptLogs {
  return new KeptLogs(new CacheFiles(stateFolder()));
}
/**
 * @param given the address of one registry in this run; `undefined`: those of the lock
 * @throws {ClientError} `ERR_OWNER_REGISTRY` when `given` is another registry than those of the project
 */
async function projectRegistries(
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
function normalAddress(address: string): string {
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
