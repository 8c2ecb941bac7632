/** The command `log:cosign`: asks the witnesses of a registry to confirm its log. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { readConfigFile } from '../config.ts';
import { cosignLog } from '../log/ask-witnesses.ts';
import { out } from './fields.ts';

export const command = defineCommand({
  description:
    'Asks the witnesses that registry.config.json names, and puts their cosignatures into log/checkpoint of the index. Run it after every "stackyard-registry generate", and on a timer, so that the confirmed state stays recent',
  input: z.object({
    out,
    config: z
      .string()
      .default(CONFIG_FILE)
      .meta({ description: 'the configuration', placeholder: 'file' }),
  }),
  notes: [
    'Exit status: 0 done; a witness that did not answer is a warning. 1 a witness has seen a log that this one does not continue: do not publish the index. 2 wrong usage.',
  ],
  examples: ['log:cosign --out index'],
  run: async ({ out: index, config }) => {
    const { witnesses } = readConfigFile('log:cosign', config).log;
    if (witnesses.length === 0) {
      console.log(`"${config}" names no witness`);
      return 0;
    }
    const asked = await cosignLog(index, witnesses);
    for (const { name, reply } of asked) {
      if (reply.kind === 'confirmed') console.log(`confirmed  ${name}`);
      if (reply.kind === 'failed') console.error(`warning: Witness "${name}" ${reply.problem}`);
      if (reply.kind === 'contradicted') {
        console.error(`error: Witness "${name}" ${reply.problem} [ERR_LOG_FORK]`);
        console.error('hint: publish nothing: restore the log that was published before');
      }
    }
    return asked.some(({ reply }) => reply.kind === 'contradicted') ? 1 : 0;
  },
});
