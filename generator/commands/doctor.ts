/** The command `doctor`: names the state of the key of the log, here and where the index is published, and that of the code host. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { loadConfig } from '../config.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { ownKey, publishedKey } from '../log/key-state.ts';
import { signersFrom } from '../log/log-files.ts';
import { hostState } from '../setup/host-state.ts';
import { hostedRegistry } from '../setup/hosted-registry.ts';
import { json, repo } from './fields.ts';

interface Found {
  readonly state: 'ok' | 'note' | 'problem';
  readonly about: 'key' | 'published' | 'host';
  readonly text: string;
}

const HOST_TOKEN = 'STACKYARD_HOST_TOKEN';

export const command = defineCommand({
  description:
    'Names the state of the key of the log: whether this machine can sign as registry.config.json demands, and whether clients accept the index that is published and the next one; and what is missing in the settings of the code host, with what to click. It changes nothing',
  input: z.object({
    repo,
    published: z.string().default('index').meta({
      description: 'the address or folder of the published index',
      placeholder: 'place',
    }),
    json,
  }),
  notes: [
    `Environment: STACKYARD_LOG_KEY is the private key of the log, ${HOST_TOKEN} a token of an admin that may read the settings of the repository; neither is printed.`,
    'Exit status: 0 clients accept both, and the code host is set up; 1 they do not, or it cannot be read; 2 wrong usage.',
  ],
  examples: ['doctor --published https://registry.example.org'],
  run: async ({ repo: place, published, json: isJson }) => {
    const folder = resolve(place);
    const repository = await openRepository(folder);
    const reader = new ObjectReader(repository.folder);
    try {
      const { config } = await loadConfig(repository, reader);
      const signers = signersFrom(process.env['STACKYARD_LOG_KEY']);
      const found: Found[] = [
        ...ownKey(config, signers),
        ...(await publishedKey(published, config, signers)),
        ...(await codeHost(folder, config)),
      ];
      if (isJson) console.log(JSON.stringify({ found }, null, 2));
      else
        for (const { state, about, text } of found)
          console.log(`${state.padEnd(8)}${about}: ${text}`);
      return found.some(({ state }) => state === 'problem') ? 1 : 0;
    } finally {
      reader.close();
    }
  },
});

async function codeHost(folder: string, config: RegistryConfig): Promise<Found[]> {
  const note = (text: string): Found[] => [{ state: 'note', about: 'host', text }];
  const token = process.env[HOST_TOKEN]?.trim() ?? '';
  if (token === '') return note(`not looked at: ${HOST_TOKEN} is not set`);
  const registry = hostedRegistry(folder, config, token);
  if (registry === undefined) return note('this registry has no workflows');
  return (await hostState(registry)).map(({ name, problem, remedy }) => {
    const text = problem === undefined ? name : `${name}: ${problem}; to do: ${remedy}`;
    return { state: problem === undefined ? 'ok' : 'problem', about: 'host', text };
  });
}
