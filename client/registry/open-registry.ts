/** Opens the registries of a project: those of the lock, and the address that option or environment give for one run. */
import { originOf } from '../../format/index/registry-info.ts';
import {
  defaultAddress,
  type Lock,
  type LockedRegistry,
  type LogPolicy,
} from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { chooseProject } from '../project/choose-project.ts';
import { servedRegistry } from '../project/served-registry.ts';
import { stateFolder } from '../project/state-folder.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { isProgressWanted, ProgressBar } from '../terminal/progress-bar.ts';
import { Cache, CacheFiles } from './cache.ts';
import { Credentials } from './credentials.ts';
import { KeptLogs } from './check-log.ts';
import { Registries } from './registries.ts';
import { isUnreachable, ownerOf, type RegistryEntry, suggestedName } from './registry-entry.ts';
import { Registry } from './registry.ts';
import { parseRegistryAddress } from './source.ts';

/** The registry when neither option, environment nor lock names one, and the client came from none. */
const DEFAULT_REGISTRY = 'http://127.0.0.1:4173';
const DEFAULT_HINT = `no registry was named, and none runs here: give its address with --registry or STACKYARD_REGISTRY; ${DEFAULT_REGISTRY} is that of "npm start" in a registry's repository`;

/**
 * What the registries are for. `project`: a given address must serve a registry of the project. `pinned`: only
 * bytes whose digests the lock has are read, so any address may serve those of the default registry.
 * `reading`: nothing depends on the project, so a given address of another registry is used alone.
 */
type RegistryPurpose = 'project' | 'pinned' | 'reading';

/** Opens the registry at an address, which may not change the digest of one of the `builds`. */
type OpenRegistry = (address: string, builds: Lock['builds'], isLenient?: boolean) => Registry;

/**
 * Opens the registries of the lock, with its local builds over them. The address of the option, otherwise of STACKYARD_REGISTRY,
 * serves in this run the registry of the project that has its origin; without a lock it is the default registry, otherwise the one that served this client. The caller closes them.
 * @param lock of the project; no address may change the digest of a version that is installed
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`; `ERR_OWNER_REGISTRY` when the given address is of another registry
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
  const builds = lock?.builds ?? {};
  const isSourced = Object.values(builds).some(({ source }) => source !== undefined);
  try {
    const project = isSourced ? chooseProject(options) : undefined;
    const openPlain = (address: string): Registry => open(address, {});
    const entries = await projectEntries(lock, givenAddress(options), purpose, open);
    // Of another registry than those of the project nothing is installed.
    const isForeign = lock !== undefined && !entries.some(({ isLocked }) => isLocked);
    const isAlone = isForeign && purpose === 'reading';
    return new Registries(entries, isAlone ? {} : builds, openPlain, project);
  } catch (error) {
    // An open connection would keep the program from ending.
    await Promise.all(opened.map((registry) => registry.close()));
    throw error;
  }
}

async function projectEntries(
  lock: Lock | undefined,
  given: string | undefined,
  purpose: RegistryPurpose,
  open: OpenRegistry,
): Promise<readonly RegistryEntry[]> {
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
  const present = locked.find(({ name }) => name === DEFAULT_REGISTRY_NAME);
  if (given === undefined) {
    if (present !== undefined) return locked;
    return [...locked, asDefault(open(servedRegistry() ?? DEFAULT_REGISTRY, builds))];
  }
  const registry = open(given, builds);
  const meant = await entryServedBy(registry, locked);
  if (meant !== undefined) {
    return [...locked.filter((entry) => entry !== meant), { ...meant, registry }];
  }
  if (purpose === 'reading' && locked.length > 0) return [asDefault(open(given, {}))];
  if (present === undefined || purpose === 'pinned') {
    return [...locked.filter((entry) => entry !== present), asDefault(registry)];
  }
  throw await otherRegistry(registry, present, builds);
}

/** The registry of the project that an address serves: by the address, otherwise by the origin. */
async function entryServedBy(
  registry: Registry,
  locked: readonly RegistryEntry[],
): Promise<RegistryEntry | undefined> {
  if (locked.length === 0) return undefined;
  const same = locked.find(({ known }) => normalAddress(known!.address) === registry.base);
  if (same !== undefined) return same;
  const origin = await registry.origin();
  return locked.find(({ known }) => originIn(known!) === origin);
}

/** The origin by the lock; of version 1, which had none, host and path of the address. */
export function originIn({ origin, address }: LockedRegistry): string {
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

/** The error for what is not known of a registry without network. */
export function unknownOrigin({ base }: Registry, hint: string): ClientError {
  const problem = `Cannot find out without network which registry ${base} is`;
  return new ClientError('ERR_NETWORK', problem, { hint });
}

async function otherRegistry(
  registry: Registry,
  present: RegistryEntry,
  builds: Lock['builds'],
): Promise<ClientError> {
  const { base } = registry;
  const { address } = present.known!;
  const origin = await registry.origin();
  if (origin === undefined) {
    const hint = `run the command once without --offline, or leave the address out to use ${address}`;
    return unknownOrigin(registry, hint);
  }
  const owners = new Set(Object.keys(builds).map(ownerOf));
  const owner = owners.size === 1 ? [...owners].join('') : '<owner>';
  const name = suggestedName(origin);
  const problem = `${base} is the registry "${origin}", and this project uses "${originIn(present.known!)}" at ${address}`;
  return new ClientError('ERR_OWNER_REGISTRY', problem, {
    hint: `to use both: stackyard registry add ${name} ${base}; then, to move an owner to it on purpose: stackyard registry move ${owner} ${name}; where it is the new address of the same registry: stackyard registry move ${present.name} ${base}`,
  });
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
    isOffline: options.offline,
    note: terminal.message,
    credentials: new Credentials(env, signal),
    log: { kept: keptLogs(), policyOf: policiesOf(lock), stated },
    listener: isProgressWanted(stderr, env, isQuiet) ? new ProgressBar(stderr) : undefined,
  };
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
    const named = all.filter((one) => originIn(one) === origin);
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
  try {
    const [only, second] = registries.all;
    if (only !== undefined && second === undefined) registries.use(only);
    const [used] = await Promise.allSettled([use(registries)]);
    const [checked] = await Promise.allSettled([registries.checkUsed()]);
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
    if (isChosen || !isUnreachable(error)) throw error;
    throw new ClientError('ERR_NETWORK', error.message, { cause: error, hint: DEFAULT_HINT });
  } finally {
    await registries.close();
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
    await registries.close();
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
