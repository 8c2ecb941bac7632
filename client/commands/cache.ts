/** `cache`: prints the folder of the cache, verifies it or empties it. */
import { parseDuration } from '../resolve/duration.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../registry/network/cache-folder.ts';
import { checkCache, emptyCache } from '../registry/network/cache-upkeep.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';

export interface CacheOptions extends GlobalOptions {
  /** With `clean`: removes only entries that were not used for this duration. */
  readonly olderThan: string | undefined;
}

/** @throws {ClientError} `ERR_USAGE` */
export async function cache(
  action: 'dir' | 'verify' | 'clean',
  options: CacheOptions,
): Promise<Outcome> {
  const folder = cacheFolder(process.env);
  if (folder === undefined) {
    throw new ClientError('ERR_USAGE', 'There is no folder for the cache', {
      hint: 'set STACKYARD_CACHE to one',
    });
  }
  if (options.olderThan !== undefined && action !== 'clean') {
    throw new ClientError('ERR_USAGE', `Option --older-than is of no use with "cache ${action}"`, {
      hint: 'it goes with "cache clean"',
    });
  }
  if (action === 'dir') return { status: 'done', data: { folder }, text: [folder] };
  if (action === 'verify') {
    const count = await checkCache(folder);
    const { entries, bytes, removed } = count;
    const text = [`entries: ${entries}, bytes: ${bytes}, altered and removed: ${removed}`];
    return { status: removed > 0 ? 'different' : 'done', data: { folder, ...count }, text };
  }
  const before =
    options.olderThan === undefined
      ? undefined
      : Date.now() - parseDuration(options.olderThan, '--older-than');
  const count = await emptyCache(folder, before);
  const { removed, bytes } = count;
  return {
    status: removed > 0 ? 'done' : 'noop',
    data: { folder, ...count },
    text: [`removed: ${removed} of ${count.entries} entries, ${bytes} bytes`],
  };
}
