/** Converts the errors of commander about a command line into the form of our errors. */
import type { Command, CommanderError } from 'commander';
import { ClientError } from '../errors.ts';
import { lowerCase, upperCase } from '../../format/unicode.ts';

/** An error of commander: the pattern of its message, and our message and hint. */
interface Refusal {
  readonly pattern: RegExp;
  readonly rewrite: (...parts: string[]) => readonly [message: string, hint?: string];
}

/** The patterns match the messages of commander 15; an unmatched message is printed unchanged. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'commander.unknownOption': {
    pattern: /^unknown option '(.*)'$/s,
    rewrite: (flag = '') => [`Option ${quote(flag)} is unknown`],
  },
  'commander.unknownCommand': {
    pattern: /^unknown command '(.*)'$/s,
    rewrite: (name = '') => [`Command ${quote(name)} is unknown`],
  },
  'commander.missingArgument': {
    pattern: /^missing required argument '(.*)'$/s,
    rewrite: (name) => [`Argument <${name}> is missing`],
  },
  'commander.optionMissingArgument': {
    pattern: /^option '(.*)' argument missing$/s,
    rewrite: (flags = '') => [`Option ${longOf(flags)} has no value`, `write it as ${flags}`],
  },
  'commander.invalidArgument': {
    pattern:
      /^(?:option '(.*?)' argument|command-argument value) '(.*)' is invalid(?: for argument '(.*)')?\. Allowed choices are (.*)\.$/s,
    rewrite: (flags, value = '', argument = '', choices = '') => {
      const what = flags === undefined ? `Argument <${argument}>` : `Option ${longOf(flags)}`;
      return [`${what} is ${quote(value)}`, `the choices are ${choices}`];
    },
  },
  'commander.excessArguments': {
    pattern:
      /^too many arguments(?: for '(.*?)')?\. Expected (\d+) arguments? but got (\d+): (.*)\.$/s,
    rewrite: (name = '', wanted = '', got = '', values = '') => {
      const takes =
        wanted === '0' ? 'no arguments' : `${wanted} argument${wanted === '1' ? '' : 's'}`;
      return [
        `Command ${quote(name)} takes ${takes}, and got ${got}: ${JSON.stringify(values).slice(1, -1)}`,
      ];
    },
  },
  'commander.conflictingOption': {
    pattern: /^option '(.*)' cannot be used with option '(.*)'$/s,
    rewrite: (one = '', other = '') => [
      `Option ${longOf(one)} cannot be used with ${longOf(other)}`,
      'leave one of them out',
    ],
  },
};

const NEAREST = /\s*\(Did you mean (.*)\?\)$/s;

/**
 * @param command the command whose options and arguments were parsed; `undefined`: the program itself
 * @param words the command line
 */
export function usageError(
  { code, message }: CommanderError,
  program: Command,
  command: Command | undefined,
  words: readonly string[],
): ClientError {
  const early = command === undefined ? earlyOption(program, words) : undefined;
  if (early !== undefined) return early;
  const text = message.replace(/^error: /, '');
  const bare = text.replace(NEAREST, '');
  const nearest = NEAREST.exec(text)?.[1] ?? nearestByCase(program, command, words);
  const { [code]: refusal } = REFUSALS;
  const parts = refusal?.pattern.exec(bare)?.slice(1);
  const valued = parts === undefined ? undefined : valuedFlag(command, parts[0] ?? '');
  const [problem, way] =
    refusal === undefined || parts === undefined
      ? [capital(bare)]
      : (valued ?? refusal.rewrite(...parts));
  const see = `stackyard ${command === undefined ? '' : `${command.name()} `}--help`;
  const isMissing = code === 'commander.missingArgument' && command !== undefined;
  const usage = isMissing ? `write stackyard ${command.name()} ${argumentsOf(command)}` : way;
  if (nearest !== undefined && valued === undefined) {
    return refused(problem, `did you mean ${nearest}? See ${see}`);
  }
  return refused(problem, usage === undefined ? `see ${see}` : `${usage}; see ${see}`);
}

/** The error of `stackyard help <name>` for an unknown command, after the general help. */
export function helpOfNothing(name: string): ClientError {
  return refused(`Command ${quote(name)} is unknown`, 'see stackyard --help');
}

/** A command that was written in capitals. */
function nearestByCase(
  program: Command,
  command: Command | undefined,
  [word = '']: readonly string[],
): string | undefined {
  const name = lowerCase(word);
  const isCommand =
    command === undefined && program.commands.some((known) => known.name() === name);
  return isCommand ? name : undefined;
}

/** `--dry-run=yes` where `--dry-run` takes no value. */
function valuedFlag(command: Command | undefined, flag: string): [string, string] | undefined {
  const [name = '', value] = flag.split('=', 2);
  const isKnown = command?.options.some(({ long }) => long === name) === true;
  if (value === undefined || !isKnown) return undefined;
  return [`Option ${name} takes no value, and has ${quote(value)}`, `write ${name} alone`];
}

/** An option of commands before the name of the command. */
function earlyOption(program: Command, words: readonly string[]): ClientError | undefined {
  const [flag = ''] = (words[0] ?? '').split('=');
  const isKnown = program.commands.some((command) =>
    command.options.some(({ short, long }) => flag === short || flag === long),
  );
  if (!isKnown) return undefined;
  const name = words.find((word) => program.commands.some((command) => command.name() === word));
  return refused(
    `Option ${quote(flag)} stands before the command`,
    `options follow the command: stackyard ${name ?? '<command>'} ${flag}; see stackyard --help`,
  );
}

/** `<build> [file]` */
function argumentsOf({ registeredArguments }: Command): string {
  return registeredArguments
    .map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${name}>` : `[${name}]`;
    })
    .join(' ');
}

/** `--cwd` of `-C, --cwd <folder>`. */
function longOf(flags: string): string {
  return /--[a-z][a-z-]*/.exec(flags)?.[0] ?? flags;
}

function refused(message: string, hint: string): ClientError {
  return new ClientError('ERR_USAGE', message, { hint });
}

function capital(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '');
  return `${upperCase(line.slice(0, 1))}${line.slice(1)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
