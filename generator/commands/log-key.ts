/** The command `log:key`: makes the pair of keys that signs a transparency log. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { RegistryConfig, originOfRegistry } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { text } from './fields.ts';

export const command = defineCommand({
  description:
    'Prints a new private key on standard output, for STACKYARD_LOG_KEY, and its public key on standard error',
  input: z.object({
    name: text(
      'name',
      'name of the key; by default that of this registry\'s log: the origin in registry.config.json and "/log"',
    ),
  }),
  examples: ['log:key > log.key'],
  run: async ({ name }) => {
    const signer = noteSigner(name ?? nameOfLog(), 'note', randomBytes(32));
    process.stdout.write(`${formatNoteSigner(signer)}\n`);
    process.stderr.write(`${formatNoteKey(signer)}\n`);
    return 0;
  },
});

function nameOfLog(): string {
  const origin = originOfRegistry(readConfig());
  if (origin !== undefined) return `${origin}/log`;
  throw new GeneratorError('ERR_USAGE', 'The key needs a name', {
    hint: 'give --name, such as --name registry.example/log',
  });
}

function readConfig(): RegistryConfig {
  try {
    return RegistryConfig.parse(JSON.parse(readFileSync('registry.config.json', 'utf8')));
  } catch {
    const problem = 'Cannot read "registry.config.json" in this folder';
    throw new GeneratorError('ERR_USAGE', problem, { hint: 'give --name' });
  }
}
