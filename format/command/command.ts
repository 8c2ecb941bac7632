/**
 * A command of a program, defined once: one zod object has its arguments and options, from which come its
 * command line and the JSON Schema of its input (`parse.ts`), its help (`help.ts`) and its TypeScript type.
 *
 *     export const command = defineCommand({
 *       description: 'Prints the folder of the cache',
 *       input: z.object({
 *         action: z.enum(['dir', 'clean']).meta({ description: 'what to do', isArgument: true }),
 *         dryRun: z.boolean().default(false).meta({ description: 'write nothing' }),
 *       }),
 *       examples: ['cache clean --dry-run'],
 *       run: async ({ action, dryRun }, shared, context) => ...,
 *     });
 *
 * A program lists its commands by name and summary, and loads one when it is called: its own help needs no schema, so
 * that nothing here loads zod.
 */
import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { StackyardError } from '../errors.ts';

/** An argument or an option as data: what parsing and help need to know. */
export interface Field {
  /** `dryRun`, on the command line `--dry-run`. */
  readonly name: string;
  readonly kind: 'flag' | 'text' | 'number';
  readonly description: string;
  readonly isArgument?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
  readonly isList?: boolean | undefined;
  readonly short?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly group?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  /** A flag that is `true` by default, and is denied by `--no-name`. */
  readonly isNegated?: boolean | undefined;
  readonly isNegatable?: boolean | undefined;
  readonly hasCommas?: boolean | undefined;
  readonly excludes?: string | undefined;
  readonly suggests?: readonly string[] | undefined;
  readonly fallback?: unknown;
}

/** @template Context what the program hands to a command @template Shared values of the shared options */
export interface Command<Input extends z.ZodObject, Shared, Context, Outcome> {
  /** One or two sentences. */
  readonly description: string;
  readonly input: Input;
  /** The schema of what the command prints as JSON. */
  readonly output?: z.ZodType;
  /** Command lines without the name of the program; `# ...` after one is a remark. */
  readonly examples: readonly string[];
  /** What its help states below the options, such as variables and exit statuses: sentences with a full stop. */
  readonly notes?: readonly string[];
  /** The command that takes what this one does not. */
  readonly elsewhere?: string;
  readonly run: (input: z.infer<Input>, shared: Shared, context: Context) => Promise<Outcome>;
}

/** Any command: what a program knows of the commands that it loads. */
// A list of commands with different inputs: `run` gets what `input` has parsed.
export type AnyCommand<Shared = never, Context = never, Outcome = unknown> = Omit<
  Command<z.ZodObject, Shared, Context, Outcome>,
  'run'
> & { readonly run: (input: never, shared: Shared, context: Context) => Promise<Outcome> };

/** A command as its program lists it: enough for the program's help. */
export interface CommandEntry<C extends AnyCommand = AnyCommand> {
  readonly name: string;
  readonly group: string;
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly aliases?: readonly string[];
  readonly load: () => Promise<C>;
}

export interface Program<C extends AnyCommand = AnyCommand> {
  /** What the user types: `stackyard`. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** In the order of the help; each group is printed where its first command stands. */
  readonly commands: readonly CommandEntry<C>[];
  /** Options of every command. As data, because the program's help loads no schemas. */
  readonly shared: readonly Field[];
  readonly examples: readonly string[];
}

/** A command line that cannot be parsed. */
export class CommandError extends StackyardError<'ERR_USAGE'> {
  constructor(message: string, hint: string) {
    super('ERR_USAGE', message, { hint });
  }
}

/** `command`, with the input of `run` typed by its schema. */
export function defineCommand<Input extends z.ZodObject, Shared, Context, Outcome>(
  command: Command<Input, Shared, Context, Outcome>,
): Command<Input, Shared, Context, Outcome> {
  return command;
}

/** The command that is called `word`, or has it as another name. */
export function findEntry<C extends AnyCommand>(
  { commands }: Program<C>,
  word: string,
): CommandEntry<C> | undefined {
  return commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

/** The known word that was probably meant: one that differs in at most a third of its letters, or in their order. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = lowerAscii(word);
  const lettersOf = (text: string): string => text.split('').sort().join('');
  const ranked = known
    .map((one) => ({ one, far: lettersOf(one) === lettersOf(typed) ? 1 : distance(typed, one) }))
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(one.replace(/^-+/, '').length / 3)))
    .sort((a, b) => a.far - b.far || (a.one < b.one ? -1 : 1));
  return ranked[0]?.one;
}

/** How an option is written: `-C`, `--cwd`. */
export function spellings({ name, short, isNegated, isNegatable }: Field): string[] {
  const long = kebab(name);
  const flags = isNegated === true ? [`--no-${long}`] : [`--${long}`];
  if (isNegatable === true) flags.push(`--no-${long}`);
  return short === undefined ? flags : [`-${short}`, ...flags];
}

export function matches(field: Field, flag: string): boolean {
  return field.isArgument !== true && spellings(field).includes(flag);
}

/** `dry-run` of `dryRun`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${lowerAscii(letter)}`);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

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
  const at = commandAt(program, words);
  const [first, ...after] = words.slice(at);
  const before = words.slice(0, at);
  const rest = [...before, ...after];
  const isHelp = hasOption(words, ['--help', '-h']);
  if (first === undefined || first === 'help') {
    const name = after.find((word) => !word.startsWith('-'));
    if (name !== undefined) return helpOf(entryOf(program, name));
    if (first !== undefined || isHelp) return { kind: 'help' };
  }
  // Alone "-v" asks for the version, before a command for more messages.
  const isVersion = hasOption(before, ['--version', '-V']) || String(words) === '-v';
  if (isVersion || first === 'version') return { kind: 'version' };
  if (words.length === 0) return { kind: 'bare' };
  if (first === undefined) {
    throw new CommandError('The command is missing', `see ${program.name} --help`);
  }
  const entry = entryOf(program, first);
  if (isHelp) return helpOf(entry);
  const [command, { parseWords }] = await Promise.all([entry.load(), import('./parse.ts')]);
  return {
    kind: 'run',
    entry,
    command,
    ...parseWords(program, entry.name, command.input, rest, command.elsewhere),
  };
}

/** Where the command stands: options of every command may be in front of it. */
function commandAt({ shared }: Program, words: readonly string[]): number {
  let at = 0;
  for (let word = words[0]; word !== undefined && /^-./.test(word); word = words[at]) {
    const flag = word;
    at += shared.some((field) => field.kind !== 'flag' && matches(field, flag)) ? 2 : 1;
  }
  return at;
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
  const { name, commands } = program;
  const see = `see ${name} --help`;
  const near = nearest(
    word,
    commands.flatMap(({ name: known, aliases = [] }) => [known, ...aliases]),
  );
  const hint = near === undefined ? see : `did you mean ${near}? See ${name} --help`;
  throw new CommandError(`Command ${JSON.stringify(word)} is unknown`, hint);
}
