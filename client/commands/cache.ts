/** `cache`: prints the folder of the cache, verifies it or empties it. */
import { z } from 'zod';
import { define } from '../terminal/options.ts';
import { ClientError } from '../errors.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { checkCache, emptyCache } from '../registry/cache.ts';
import type { Outcome } from '../terminal/command.ts';

const Input = z.object({
  action: z
    .enum(['dir', 'verify', 'clean', 'clear'])
    .meta({ description: 'what to do', isArgument: true }),
});

/** @throws {ClientError} `ERR_USAGE` */
async function cache(action: z.infer<typeof Input>['action']): Promise<Outcome> {
  const folder = cacheFolder(process.env);
  if (folder === undefined) {
    throw new ClientError('ERR_USAGE', 'There is no folder for the cache', {
      hint: 'set STACKYARD_CACHE to one',
    });
  }
  if (action === 'dir') return { status: 'done', data: { folder }, text: [folder] };
  if (action === 'verify') {
    const count = await checkCache(folder);
    const { entries, bytes, removed } = count;
    const text = [`entries: ${entries}, bytes: ${bytes}, altered and removed: ${removed}`];
    return { status: removed > 0 ? 'different' : 'done', data: { folder, ...count }, text };
  }
  const count = await emptyCache(folder);
  const { removed, bytes } = count;
  return {
    status: removed > 0 ? 'done' : 'noop',
    data: { folder, ...count },
    text: [`entries: ${count.entries}, removed: ${removed}, bytes: ${bytes}`],
  };
}

export const command = define({
  description:
    'Manages the cache: dir prints its folder, verify reads every entry and removes altered ones (exit status 10 if there were any), clean (or clear) removes all',
  input: Input,
  output: z.looseObject({ folder: z.string() }),
  examples: ['cache clean'],
  run: ({ action }) => cache(action),
});
