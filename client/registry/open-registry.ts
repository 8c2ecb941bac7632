/** Opens the registries that options, environment and lock name. */
import { originOf } from '../../format/index/registry-info.ts';
import { defaultAddress, type Lock, type LogPolicy } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { stateFolder } from '../project/state-folder.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { KeptLogs } from './log/kept-logs.ts';
import { CacheFiles } from './network/cache-files.ts';
import { Cache } from './network/cache.ts';
import { Credentials } from './network/credentials.ts';
import { isProgressWanted, ProgressBar } from './network/progress-bar.ts';
import { withSources } from './overlay.ts';
import {
  DEFAULT_REGISTRY,
  normalAddress,
  type OpenRegistry,
  projectRegistries,
  type RegistryPurpose,
} from './project-registries.ts';
import type { Registries } from './registries.ts';
import { isUnreachable } from './registry-entry.ts';
import { Registry } from './registry.ts';
import { servedRegistry } from './served-registry.ts';

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
