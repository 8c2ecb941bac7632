/** The command line of a program: which command it names, with which values. Loads that command alone. */
import type { AnyCommand, CommandEntry, Field, Program } from './command.ts';
import { CommandError, findEntry, matches, nearest } from './command.ts';

/** What a command line asks for. */
export type Reading<C extends AnyCommand> =
  | { readonly kind: 'version' }
  /** Without a command: the help of the program, as an error. */
  | { readonly kind: 'bare' }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'command-help';
      readonly entry: CommandEntry<C>;
      readonly command: C;
      readonly fields: readonly Field[];
    }
  | {
      readonly kind: 'run';
      readonly entry: CommandEntry<C>;
      readonly command: C;
      readonly input: Record<string, unknown>;
      readonly shared: Record<string, unknown>;
    };

/**
 * Reads a command line, and loads the one command that it names.
 * @param words without the interpreter and the program
 * @throws {CommandError} `ERR_USAGE`
 */
export async function readCommandLine<C extends AnyCommand>(
  program: Program<C>,
  words: readonly string[],
): Promise<Reading<C>> {
  const [first, ...rest] = words;
  const isHelp = hasOption(words, ['--help', '-h']);
  if (first === undefined || first === 'help' || first === '-h' || first === '--help') {
    const name = rest.find((word) => !word.startsWith('-'));
    if (first === undefined) return { kind: 'bare' };
    if (first !== 'help' || name === undefined) return { kind: 'help' };
    return helpOf(entryOf(program, name));
  }
  if (first === '--version' || first === '-V') return { kind: 'version' };
  if (first.startsWith('-')) {
    const isKnown = rest.some((word) => findEntry(program, word) !== undefined);
    if (!isKnown && isHelp) return { kind: 'help' };
    throw earlyOption(program, first, rest);
  }
  const entry = entryOf(program, first);
  if (isHelp) return helpOf(entry);
  const [command, { parseWords }] = await Promise.all([entry.load(), import('./parse.ts')]);
  return { kind: 'run', entry, command, ...parseWords(program, entry.name, command.input, rest) };
}

async function helpOf<C extends AnyCommand>(entry: CommandEntry<C>): Promise<Reading<C>> {
  const [command, { fieldsOf }] = await Promise.all([entry.load(), import('./parse.ts')]);
  return { kind: 'command-help', entry, command, fields: fieldsOf(command.input) };
}

/** Whether `words` have an option, before `--`. */
export function hasOption(words: readonly string[], flags: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).some((word) => flags.includes(word));
}

/** The command of this name. @throws {CommandError} */
function entryOf<C extends AnyCommand>(program: Program<C>, word: string): CommandEntry<C> {
  const entry = findEntry(program, word);
  if (entry !== undefined) return entry;
  const { name, moved = {}, commands } = program;
  const see = `see ${name} --help`;
  if (Object.hasOwn(moved, word)) {
    const to = `${name} ${moved[word]}`;
    throw new CommandError(
      `"${word}" is now "${to}"`,
      `see ${to.split(' ').slice(0, 2).join(' ')} --help`,
    );
  }
  const near = nearest(
    word,
    commands.flatMap(({ name: known, aliases = [] }) => [known, ...aliases]),
  );
  const hint = near === undefined ? see : `did you mean ${near}? See ${name} --help`;
  throw new CommandError(`Command ${JSON.stringify(word)} is unknown`, hint);
}

/** An option that stands before the command. */
function earlyOption(program: Program, first: string, rest: readonly string[]): CommandError {
  const [flag = ''] = first.split('=');
  const { name, shared } = program;
  if (!shared.some((field) => matches(field, flag))) {
    const hint = `options follow the command; see ${name} --help`;
    return new CommandError(`Option ${JSON.stringify(flag)} is unknown`, hint);
  }
  const command = rest.find((word) => findEntry(program, word) !== undefined) ?? '<command>';
  return new CommandError(
    `Option ${JSON.stringify(flag)} stands before the command`,
    `options follow the command: ${name} ${command} ${flag}; see ${name} --help`,
  );
}
