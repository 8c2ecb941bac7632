/** The command `log:keep`: writes the log of a published index into a branch of the registry's repository. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { readPublished } from '../log/published-log.ts';
import { LOG_BRANCH, keepLog } from '../pipeline/kept-log.ts';
import { repo } from './fields.ts';

export const command = defineCommand({
  description: `Writes checkpoint and entries of the log into the branch "${LOG_BRANCH}" of the repository. "stackyard-registry generate" continues that log where the index is lost: what was published then stays published, with the same bytes, whatever the rules are now. Run it after every deployment, and push the branch`,
  input: z.object({
    repo,
    published: z
      .string()
      .default('index')
      .meta({ description: 'the address or folder of the published index', placeholder: 'place' }),
  }),
  notes: [
    'Exit status: 0 done. 1 the log does not continue the one that is kept, or it cannot be read or written. 2 wrong usage.',
  ],
  examples: ['log:keep --published https://registry.example'],
  run: async ({ repo: place, published }) => {
    const { folder } = await openRepository(resolve(place));
    const reader = new ObjectReader(folder);
    try {
      const { size, added } = await keepLog(folder, reader, readPublished(published));
      console.log(`kept ${size} entries of the log in "${LOG_BRANCH}", ${added} of them new`);
    } finally {
      reader.close();
    }
    return 0;
  },
});
