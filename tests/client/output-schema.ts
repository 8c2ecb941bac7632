/** The schema of the whole document that a command prints with `--json`. */
import { z } from 'zod';
import { PROGRAM } from '../../client/program.ts';
import { envelopeSchema } from '../../client/terminal/envelope.ts';

/** What the program itself prints. */
const OF_PROGRAM: Readonly<Record<string, z.ZodType>> = {
  help: z.looseObject({ command: z.string(), usage: z.string() }),
  version: z.strictObject({ version: z.string(), node: z.string() }),
};

export async function outputSchema(command: string): Promise<z.ZodType> {
  const entry = PROGRAM.commands.find(({ name }) => name === command);
  const data = entry === undefined ? OF_PROGRAM[command] : (await entry.load()).output;
  return envelopeSchema(command, data ?? z.looseObject({}));
}
