/** All that a client reads of an index in a folder. */
import { ClientError } from '../../client/errors.ts';
import { CatalogShard } from '../../format/index/record.ts';
import type { RegistryOptions } from '../../client/registry/registry.ts';
import { open } from '../client/network/network-fixture.ts';

/** What a client answers where there is no index yet. */
export const NO_INDEX = 'ERR_REGISTRY_ANSWER';

/** @returns one text, or the code of the error */
export async function readByClient(
  out: string,
  ids: readonly string[],
  options: RegistryOptions = {},
): Promise<string> {
  try {
    const registry = open(out, options);
    const info = await registry.info();
    const { shards = [] } = (await registry.catalog()) ?? {};
    const read = [
      ...shards.map(({ sha256 }) => registry.shard(sha256, CatalogShard)),
      ...ids.flatMap((id) => [registry.head(id), registry.record(id)]),
      registry.hasOwner('a'),
    ];
    return JSON.stringify([info, shards, ...(await Promise.all<unknown>(read))]);
  } catch (error) {
    // Before the first run there is no folder.
    if (error instanceof ClientError) return error.code.replace('ERR_USAGE', NO_INDEX);
    throw error;
  }
}
