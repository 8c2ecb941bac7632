/** What a registry is called in a project: its origin and its address. */
import { statedOrigin } from '../../format/index/origin.ts';
import { parseRegistryAddress } from './network/registry-address.ts';
import type { Registry } from './registry.ts';

/**
 * Its name at all addresses: the one that it states, otherwise host and path of its address; `undefined` when
 * it is not known without network.
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function registryOrigin(registry: Registry): Promise<string | undefined> {
  const info = await registry.knownInfo();
  return info === null ? undefined : statedOrigin(info, registry.base);
}

/**
 * The address for a lock: the first one. A folder exists on this machine only: it gets the public address that
 * its index states.
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function lockAddress(registry: Registry): Promise<string> {
  if (!registry.isFolder) return registry.base;
  const published = (await registry.knownInfo())?.base_url ?? '';
  return published.startsWith('https:') ? parseRegistryAddress(published).base : registry.base;
}
