/** What the entries of the command table share: how a command is run, and the options of several. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext, GlobalOptions, Outcome } from '../commands/command.ts';
import { ClientError } from '../errors.ts';

type Run = (context: CommandContext) => Promise<Outcome>;
/** Runs a command and prints its outcome; the one place that does is `main.ts`. */
export type Execute = (command: string, run: Run) => Promise<void>;

/** Gives `command` the options that every command has. */
export function withGlobals(command: Command): Command {
  return command
    .option('-C, --cwd <folder>', 'the folder of the project', '.')
    .option('--registry <url>', 'address of the registry (or STACKYARD_REGISTRY)')
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', 'no talk on standard error', false);
}

export function allowOption(): Option {
  return new Option('--allow <groups>', 'consent to files of: ci, agent, rc, lifecycle')
    .argParser(parseGroups)
    .default([]);
}

/** The options of `withGlobals` among `options`. */
export function globals(options: Record<string, unknown>): GlobalOptions {
  const { cwd, json, quiet, registry } = options as unknown as GlobalOptions;
  return { cwd, json, quiet, registry };
}

function parseGroups(text: string, before: readonly string[]): string[] {
  const groups = text.split(',').map((group) => group.trim());
  const known = ['ci', 'agent', 'rc', 'lifecycle'];
  const unknown = groups.find((group) => !known.includes(group));
  if (unknown === undefined) return [...before, ...groups];
  throw new ClientError('ERR_USAGE', `Option --allow names "${unknown}"`, {
    hint: `the groups are ${known.join(', ')}`,
  });
}
