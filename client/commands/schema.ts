/** `info --schema`: the JSON Schema of a document, or of what a command prints with `--json`. */
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Program } from '../../format/command/command.ts';
import { jsonSchema } from '../../format/json-schema.ts';
import { SCHEMA_NAMES } from '../../format/index/layout.ts';
import { envelopeSchema } from '../terminal/envelope.ts';
import { ClientError } from '../errors.ts';
import type { Outcome } from '../terminal/command.ts';

/** Prints the names of all. */
const LIST = 'list';

/** What the program itself prints. */
const OF_PROGRAM: Readonly<Record<string, z.ZodType>> = {
  help: z.looseObject({ command: z.string(), usage: z.string() }),
  version: z.strictObject({ version: z.string(), node: z.string() }),
};

/** The schema of the whole document that a command prints with `--json`. */
export async function outputSchema(command: string, { commands }: Program): Promise<z.ZodType> {
  const entry = commands.find(({ name }) => name === command);
  const data = entry === undefined ? OF_PROGRAM[command] : (await entry.load()).output;
  return envelopeSchema(command, data ?? z.looseObject({}));
}

/** @throws {ClientError} `ERR_USAGE` for a name that is neither */
export async function describeSchema(name: string, program: Program): Promise<Outcome> {
  const commands = [...program.commands, ...Object.keys(OF_PROGRAM)]
    .map((one) => (typeof one === 'string' ? one : one.name))
    .sort();
  if (name === LIST) {
    const text = [`documents: ${SCHEMA_NAMES.join(', ')}`, `commands: ${commands.join(', ')}`];
    return { status: 'done', data: { documents: SCHEMA_NAMES, commands }, text };
  }
  const document = SCHEMA_NAMES.find((one) => one === name);
  if (document === undefined && !commands.includes(name)) throw unknownName(name, commands);
  const made = document === undefined ? await commandSchema(name, program) : jsonSchema(document);
  return { status: 'done', data: made, text: [JSON.stringify(made, null, 2)] };
}

async function commandSchema(name: string, program: Program): Promise<object> {
  const made = z.toJSONSchema(await outputSchema(name, program), { target: 'draft-2020-12' });
  return { ...(JSON.parse(JSON.stringify(made)) as object), title: `stackyard ${name} --json` };
}

function unknownName(name: string, commands: readonly string[]): ClientError {
  const near = closest(name, [...SCHEMA_NAMES, ...commands]);
  const meant = distance(name, near) <= 3 ? `did you mean "${near}"? ` : '';
  return new ClientError('ERR_USAGE', `There is no document or command "${name}"`, {
    hint: `${meant}stackyard info --schema list prints the names`,
  });
}
