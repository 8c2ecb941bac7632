/** Opens the registry that options, environment and lock name. */
import type { Lock } from '../../format/lock.ts';
import { defaultAddress } from '../../format/lock.ts';
import { ClientError } from '../errors.ts';
import { Cache } from '../registry/network/cache.ts';
import { CacheFiles } from '../registry/network/cache-files.ts';
import { cacheFolder } from '../registry/network/cache-folder.ts';
import { ProgressBar, isProgressWanted } from '../registry/network/progress.ts';
import { HEADERS_VARIABLE, RegistryHeaders } from '../registry/network/registry-headers.ts';
import { Registry } from '../registry/registry.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { servedRegistry } from './served-registry.ts';
import { withSources } from './with-sources.ts';

/** The registry when neither option, environment nor lock names one. */
const DEFAULT_REGISTRY = 'http://127.0.0.1:4173';

const DEFAULT_HINT = `no registry was named, and none runs here: give its address with --registry or STACKYARD_REGISTRY; ${DEFAULT_REGISTRY} is that of "npm start" in a registry's repository`;

/**
 * Opens the registry: the addresses of the option, otherwise of STACKYARD_REGISTRY (separated by white
 * space), otherwise of the lock, otherwise of the registry that served this client, otherwise the default. The caller closes it.
 * @param lock of the project; no address may change the digest of a version that is installed
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
 */
export function openRegistry(
  options: GlobalOptions,
  lock: Lock | undefined,
  { signal, terminal }: CommandContext,
): Registry {
  const { env, stderr } = process;
  const folder = cacheFolder(env);
  const note = options.verbose ? terminal.warn : undefined;
  const isQuiet = options.quiet || options.json;
  return new Registry(registryAddresses(options.registry, defaultAddress(lock)), signal, {
    cache: folder === undefined ? undefined : new Cache(new CacheFiles(folder, note)),
    mode: options.offline ? 'offline' : options.preferOffline ? 'prefer-offline' : 'online',
    headers: new RegistryHeaders(env[HEADERS_VARIABLE] ?? ''),
    // The registry need not have a build that was tried from its source.
    pins: new Map(
      Object.entries(lock?.builds ?? {}).filter(([, build]) => build.source === undefined),
    ),
    listener: isProgressWanted(stderr, env, isQuiet) ? new ProgressBar(stderr) : undefined,
  });
}

/** Opens the registry for `use` and closes it afterwards. @throws {ClientError} as `openRegistry` */
export async function withRegistry<Result>(
  options: GlobalOptions,
  lock: Lock | undefined,
  context: CommandContext,
  use: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const registry = withSources(openRegistry(options, lock, context), options, lock, context.signal);
  try {
    const [checked, used] = await Promise.allSettled([registry.checkIndex(), use(registry)]);
    // An unreachable registry is reported with the document that the command needs.
    const isNamed = used.status === 'rejected' && !isAboutIndex(checked);
    if (isNamed) throw used.reason;
    if (checked.status === 'rejected') throw checked.reason;
    if (used.status === 'rejected') throw used.reason;
    return used.value;
  } catch (error) {
    const named =
      options.registry ?? defaultAddress(lock) ?? namedInEnvironment()[0] ?? servedRegistry();
    const isChosen = named !== undefined || options.offline;
    if (isChosen || !(error instanceof ClientError) || error.code !== 'ERR_NETWORK') throw error;
    throw new ClientError('ERR_NETWORK', error.message, { cause: error, hint: DEFAULT_HINT });
  } finally {
    await registry.close();
  }
}

/** Whether the registry answered, and the answer is no index that this client reads. */
function isAboutIndex(checked: PromiseSettledResult<void>): boolean {
  if (checked.status === 'fulfilled') return false;
  return checked.reason instanceof ClientError && checked.reason.code === 'ERR_REGISTRY_ANSWER';
}

/** The addresses of the option, otherwise of STACKYARD_REGISTRY, otherwise of the lock, otherwise the default. */
function registryAddresses(
  option: readonly string[] | undefined,
  locked: string | undefined,
): readonly string[] {
  if (option !== undefined) return option;
  const named = namedInEnvironment();
  return named.length > 0 ? named : [locked ?? servedRegistry() ?? DEFAULT_REGISTRY];
}

function namedInEnvironment(): string[] {
  return (process.env['STACKYARD_REGISTRY'] ?? '').split(/\s+/).filter((a) => a !== '');
}
