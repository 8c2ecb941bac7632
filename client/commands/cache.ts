/** `cache`: prints the folder of the cache, verifies it or empties it. */
import { z } from 'zod';
import { define } from './options.ts';
import { parseDuration } from '../resolve/version-age.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { checkCache, emptyCache } from '../registry/network/cache-upkeep.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';

const Input = z.object({
  action: z.enum(['dir', 'verify', 'clean']).meta({ description: 'what to do', isArgument: true }),
  olderThan: z.string().optional().meta({
    description: 'with clean: only entries not used for this long, such as 30d',
    placeholder: 'duration',
  }),
});

type CacheOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'action'>;

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

export const command = define({
  description:
    'Manages the cache: dir prints its folder, verify reads every entry and removes altered ones (exit status 10 if there were any), clean removes entries',
  input: Input,
  output: z.looseObject({ folder: z.string() }),
  examples: ['cache clean --older-than 30d'],
  run: ({ action, ...input }, shared) => cache(action, { ...shared, ...input }),
});
