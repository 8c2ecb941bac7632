/** Opens the registries that options, environment and lock name. */
import { originOf } from '../../format/index/origin.ts';
import type { Lock, LogPolicy } from '../../format/lock/lock.ts';
import { defaultAddress } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { Cache } from '../registry/network/cache.ts';
import { CacheFiles } from '../registry/network/cache-files.ts';
import { cacheFolder } from '../registry/network/cache-folder.ts';
import { ProgressBar, isProgressWanted } from '../registry/network/progress.ts';
import { HEADERS_VARIABLE, RegistryHeaders } from '../registry/network/registry-headers.ts';
import type { Registries } from '../registry/registries.ts';
import { isUnreachable } from '../registry/registry-set.ts';
import { Registry } from '../registry/registry.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { keptLogs } from './kept-logs.ts';
import { servedRegistry } from './served-registry.ts';
import { DEFAULT_REGISTRY, normalAddress, projectRegistries } from './project-registries.ts';
import type { OpenRegistry, RegistryPurpose } from './project-registries.ts';
import { withSources } from './with-sources.ts';

const DEFAULT_HINT = `no registry was named, and none runs here: give its address with --registry or STACKYARD_REGISTRY; ${DEFAULT_REGISTRY} is that of "npm start" in a registry's repository`;

/**
 * Opens the registries of the lock, with its local builds over them. The addresses of the option, otherwise of STACKYARD_REGISTRY (separated by
 * white space), serve in this run the registry of the project that has their origin; without a lock they are the
 * default registry, otherwise the one that served this client. The caller closes them.
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
    const given = givenAddresses(options);
    const registries = await projectRegistries({ lock, given, purpose, open });
    return withSources(registries, options, lock, context.signal);
  } catch (error) {
    // An open connection would keep the program from ending.
    await Promise.all(opened.map((registry) => registry.close()));
    throw error;
  }
}

/**
 * Opens registries with one cache, one progress bar and the headers of this user.
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
    mode: options.offline ? 'offline' : options.preferOffline ? 'prefer-offline' : 'online',
    note: terminal.message,
    headers: new RegistryHeaders(env[HEADERS_VARIABLE] ?? ''),
    log: { kept: keptLogs(), policyOf: policiesOf(lock), stated },
    listener: isProgressWanted(stderr, env, isQuiet) ? new ProgressBar(stderr) : undefined,
  } as const;
  return (addresses, builds, isLenient = false) => {
    // The registry need not have a build that was tried from its source.
    const pins = new Map(Object.entries(builds).filter(([, { source }]) => source === undefined));
    return new Registry(addresses, signal, { ...common, pins, isLenient });
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
    const named = givenAddresses(options) ?? defaultAddress(lock) ?? servedRegistry();
    const isChosen = named !== undefined || options.offline;
    if (isChosen || !(error instanceof ClientError) || error.code !== 'ERR_NETWORK') throw error;
    throw new ClientError('ERR_NETWORK', error.message, { cause: error, hint: DEFAULT_HINT });
  } finally {
    await set.close();
  }
}

/**
 * Opens the registries at the first call of `open`, with the network only for what the cache does not have, and
 * closes them after `use`. For what is only needed where files were changed.
 */
export async function withRegistryIfNeeded<Result>(
  options: GlobalOptions,
  lock: Lock | undefined,
  context: CommandContext,
  use: (open: () => Promise<Registries>) => Promise<Result>,
): Promise<Result> {
  let opening: Promise<Registries> | undefined;
  try {
    return await use(
      () => (opening ??= openRegistries({ ...options, preferOffline: true }, lock, context)),
    );
  } finally {
    const opened = await opening?.catch(() => undefined);
    await opened?.set.close();
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

/** The addresses of the option, otherwise of STACKYARD_REGISTRY. */
function givenAddresses({ registry }: GlobalOptions): readonly string[] | undefined {
  if (registry !== undefined) return registry;
  const named = (process.env['STACKYARD_REGISTRY'] ?? '').split(/\s+/).filter((a) => a !== '');
  return named.length > 0 ? named : undefined;
}
