/** `schema`: the JSON Schema of a document, or of what a command prints with `--json`. */
import type { Command } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { jsonSchema } from '../../format/json-schema.ts';
import { SCHEMA_NAMES } from '../../format/index/layout.ts';
import { outputSchema } from '../output-schema/output-schema.ts';
import { ClientError } from '../errors.ts';
import type { Outcome } from '../terminal/command.ts';

/** @throws {ClientError} `ERR_USAGE` for a name that is neither */
export function schema(name: string | undefined, table: Command): Outcome {
  const commands = [...table.commands.map((command) => command.name()), 'help', 'version'].sort();
  if (name === undefined) {
    const text = [`documents: ${SCHEMA_NAMES.join(', ')}`, `commands: ${commands.join(', ')}`];
    return { status: 'done', data: { documents: SCHEMA_NAMES, commands }, text };
  }
  const document = SCHEMA_NAMES.find((one) => one === name);
  if (document === undefined && !commands.includes(name)) throw unknownName(name, commands);
  const made = document === undefined ? commandSchema(name) : jsonSchema(document);
  return { status: 'done', data: made, text: [JSON.stringify(made, null, 2)] };
}

function commandSchema(name: string): object {
  const made = z.toJSONSchema(outputSchema(name), { target: 'draft-2020-12' });
  return { ...(JSON.parse(JSON.stringify(made)) as object), title: `stackyard ${name} --json` };
}

function unknownName(name: string, commands: readonly string[]): ClientError {
  const near = closest(name, [...SCHEMA_NAMES, ...commands]);
  const meant = distance(name, near) <= 3 ? `did you mean "${near}"? ` : '';
  return new ClientError('ERR_USAGE', `There is no document or command "${name}"`, {
    hint: `${meant}stackyard schema lists the names`,
  });
}
