import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  CommandError,
  defineCommand,
  kebab,
  readCommandLine,
  type Field,
  type Program,
} from './command.ts';
import { commandData, commandHelp, programHelp } from './help.ts';
import { fieldsOf, inputJsonSchema, parseWords } from './parse.ts';

const Input = z.object({
  builds: z.array(z.string()).min(1).meta({ description: 'what to add', isArgument: true }),
  dryRun: z.boolean().default(false).meta({ description: 'write nothing' }),
  install: z.boolean().default(true).meta({ description: 'do not install packages' }),
  wire: z
    .boolean()
    .optional()
    .meta({ description: 'carry out the steps, or not', isNegatable: true }),
  conflict: z
    .enum(['fail', 'ours'])
    .default('fail')
    .meta({ description: 'what to do', placeholder: 'what' }),
  keep: z
    .array(z.string())
    .default([])
    .meta({ description: 'keep ranges', placeholder: 'packages', hasCommas: true }),
  limit: z
    .int('give a number from 1 to 9')
    .min(1, 'give a number from 1 to 9')
    .max(9, 'give a number from 1 to 9')
    .default(5)
    .meta({ description: 'how many', placeholder: 'count', group: 'Other options' }),
  to: z.string().optional().meta({ description: 'a folder', placeholder: 'folder', short: 't' }),
});

const SHARED: readonly Field[] = [
  { name: 'cwd', kind: 'text', short: 'C', placeholder: 'folder', description: 'the project' },
  { name: 'quiet', kind: 'flag', short: 'q', description: 'no messages' },
  { name: 'offline', kind: 'flag', description: 'no network', excludes: 'online' },
  { name: 'online', kind: 'flag', description: 'only network' },
  { name: 'registry', kind: 'text', isList: true, placeholder: 'address', description: 'where' },
  { name: 'color', kind: 'flag', isNegated: true, description: 'no colour' },
];

const add = defineCommand({
  description: 'Adds builds',
  input: Input,
  examples: ['add a/b'],
  run: async ({ builds }) => builds,
});
const none = defineCommand({
  description: 'Lists',
  input: z.object({}),
  examples: [],
  notes: ['Exit status: 0 done.'],
  run: async () => [],
});

const program: Program = {
  name: 'prog',
  description: 'A program',
  version: '1.2.3',
  commands: [
    { name: 'add', group: 'Install', summary: 'adds', aliases: ['i'], load: async () => add },
    { name: 'list', group: 'Look', summary: 'lists', load: async () => none },
  ],
  shared: SHARED,
  examples: ['add a/b'],
};

const parse = (...words: string[]) => parseWords(program, 'add', Input, words);

test('parseWords() gives the values of the schema and of the shared options', () => {
  const words = 'a/b --dry-run --no-install --no-wire --conflict ours --keep x,y --keep=z';
  const more = '--limit=3 -tsrc -qC there --registry r1 --registry r2 --no-color -- -c/d';
  expect(parse(...`${words} ${more}`.split(' '))).toEqual({
    input: {
      builds: ['a/b', '-c/d'],
      dryRun: true,
      install: false,
      wire: false,
      conflict: 'ours',
      keep: ['x', 'y', 'z'],
      limit: 3,
      to: 'src',
    },
    shared: {
      cwd: 'there',
      quiet: true,
      offline: false,
      online: false,
      registry: ['r1', 'r2'],
      color: false,
    },
  });
});

test('parseWords() takes --no-x of a field that is called so', () => {
  const schema = z.object({ noSite: z.boolean().default(false).meta({ description: 'no pages' }) });
  expect(parseWords(program, 'list', schema, ['--no-site']).input).toEqual({ noSite: true });
  expect(formatWords(schema, { noSite: true })).toEqual(['--no-site']);
});

test.each([
  ['--dryrun a', 'Option "--dryrun" is unknown', 'did you mean --dry-run? See prog add --help'],
  ['--fast a', 'Option "--fast" is unknown', 'see prog add --help'],
  [
    '--install a',
    'Option "--install" is unknown',
    'did you mean --no-install? See prog add --help',
  ],
  ['', 'Argument <builds> is missing', 'write prog add <builds...>; see prog add --help'],
  ['a --to', 'Option --to has no value', 'write it as -t, --to <folder>; see prog add --help'],
  [
    'a --to --dry-run',
    'Option --to has no value',
    'write it as -t, --to <folder>, and a value that begins with "-" as --to=-x; see prog add --help',
  ],
  [
    'a --dry-run=yes',
    'Option --dry-run takes no value, and has "yes"',
    'write --dry-run alone; see prog add --help',
  ],
  [
    'a --conflict mine',
    'Option --conflict is "mine"',
    'the choices are fail, ours; see prog add --help',
  ],
  ['a --limit 10', 'Option --limit is "10"', 'give a number from 1 to 9; see prog add --help'],
  ['a --limit x', 'Option --limit is "x"', 'give a number from 1 to 9; see prog add --help'],
  [
    'a --offline --online',
    'Option --offline cannot be used with --online',
    'leave one of them out; see prog add --help',
  ],
])('parseWords() refuses "%s"', (line, message, hint) => {
  const words = line.split(' ').filter((word) => word !== '');
  const error = refusal(() => parse(...words));
  expect([error.code, error.message, error.hint]).toEqual(['ERR_USAGE', message, hint]);
});

test('parseWords() refuses more arguments than the command takes', () => {
  const error = refusal(() => parseWords(program, 'list', z.object({}), ['x']));
  expect(error.message).toBe('Command "list" takes no arguments, and got 1: x');
  expect(refusal(() => parseWords(program, 'list', z.object({}), ['x'], 'add')).hint).toBe(
    'write prog add x; see prog list --help',
  );
});

test('readCommandLine() names the command, or its help', async () => {
  const kinds = async (line: string): Promise<unknown> => {
    const reading = await readCommandLine(program, line === '' ? [] : line.split(' '));
    return reading.kind === 'run' || reading.kind === 'command-help'
      ? [reading.kind, reading.entry.name]
      : reading.kind;
  };
  expect(await kinds('')).toBe('bare');
  expect(await kinds('--help')).toBe('help');
  expect(await kinds('help')).toBe('help');
  expect(await kinds('help --help')).toBe('help');
  for (const line of ['--version', '-v', 'version', '-q -V'])
    expect(await kinds(line)).toBe('version');
  for (const line of ['-C x list', '-Cx -q list'])
    expect(await kinds(line)).toEqual(['run', 'list']);
  expect(await kinds('help i')).toEqual(['command-help', 'add']);
  expect(await kinds('add -h')).toEqual(['command-help', 'add']);
  expect(await kinds('i x')).toEqual(['run', 'add']);
  expect(await kinds('add -- --help')).toEqual(['run', 'add']);
  const refused = async (line: string): Promise<unknown> => {
    const error = await readCommandLine(program, line.split(' ')).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof CommandError ? [error.message, error.hint] : error;
  };
  expect(await refused('Lst')).toEqual([
    'Command "Lst" is unknown',
    'did you mean list? See prog --help',
  ]);
  expect(await refused('lsit')).toEqual([
    'Command "lsit" is unknown',
    'did you mean list? See prog --help',
  ]);
  expect(await refused('-C x')).toEqual(['The command is missing', 'see prog --help']);
  expect(await refused('--what list')).toEqual([
    'Option "--what" is unknown',
    'see prog list --help',
  ]);
});

test('commandHelp() prints the options of the command, programHelp() the shared ones', () => {
  const help = commandHelp(program, program.commands[0]!, add, fieldsOf(Input));
  expect(help).toBe(`Usage: prog add <builds...> [options]

Adds builds. Also written i.

Arguments:
  builds             what to add

Options:
  --dry-run          write nothing
  --no-install       do not install packages
  --[no-]wire        carry out the steps, or not
  --conflict <what>  what to do (one of fail, ours; default: fail)
  --keep <packages>  keep ranges
  -t, --to <folder>  a folder

Other options:
  --limit <count>    how many (default: 5)

Example: prog add a/b
Options of every command: prog --help
`);
  const general = programHelp(program, 60);
  expect(general).toContain('Install:\n  add, i ');
  expect(general).toContain('Options of every command:\n  -C, --cwd <folder>');
  expect(general.split('\n').every((line) => line.length <= 60)).toBe(true);
});

test('commandHelp() prints the notes of a command below its options', () => {
  expect(commandHelp({ name: 'prog', shared: [] }, program.commands[1]!, none, [])).toBe(
    'Usage: prog list\n\nLists.\n\nExit status: 0 done.\n',
  );
});

test('commandData() has the choices and which options take a value', () => {
  const data = commandData(program, program.commands[0]!, add, fieldsOf(Input));
  expect(data).toMatchObject({
    command: 'add',
    usage: 'prog add <builds...>',
    arguments: [{ name: 'builds', required: true, several: true }],
  });
  expect(data['options']).toContainEqual({
    flags: '--conflict <what>',
    long: '--conflict',
    description: 'what to do',
    takes_value: true,
    choices: ['fail', 'ours'],
  });
});

test('inputJsonSchema() leaves out what is about the command line', () => {
  const { properties, required } = inputJsonSchema(Input) as {
    properties: Record<string, object>;
    required: string[];
  };
  expect(properties['to']).toEqual({ description: 'a folder', type: 'string' });
  expect(properties['limit']).not.toHaveProperty('group');
  expect(required).toEqual(['builds']);
});

test('fieldsOf() refuses a field that no help can describe, and one that no word can have', () => {
  expect(() => fieldsOf(z.object({ a: z.string() }))).toThrow(TypeError);
  expect(() =>
    fieldsOf(z.object({ a: z.record(z.string(), z.string()).meta({ description: 'x' }) })),
  ).toThrow(TypeError);
});

const word = fc.string({ maxLength: 6 });
const plain = fc.stringMatching(/^[a-z-]{1,5}$/);
const inputs = fc.record(
  {
    builds: fc.array(word, { minLength: 1, maxLength: 3 }),
    dryRun: fc.boolean(),
    install: fc.boolean(),
    wire: fc.boolean(),
    conflict: fc.constantFrom('fail' as const, 'ours' as const),
    keep: fc.array(plain, { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 9 }),
    to: word,
  },
  { requiredKeys: ['builds'] },
);

test('parseWords() gives the values of which formatWords() made the words', () => {
  fc.assert(
    fc.property(inputs, (values) => {
      const input = Input.parse(values);
      const words = formatWords(Input, input);
      expect(parse(...words).input).toEqual(input);
      expect(formatWords(Input, Input.parse(parse(...words).input))).toEqual(words);
    }),
  );
});

test('parseWords() gives values or a CommandError for any words', () => {
  const flags = ['--dry-run', '--no-wire', '--keep', '--limit', '-t', '-qC', '--', '-', '3'];
  const words = fc.array(fc.oneof(fc.constantFrom(...flags), word), { maxLength: 8 });
  fc.assert(
    fc.property(words, (given) => {
      try {
        const { input } = parse(...given);
        expect(parse(...formatWords(Input, Input.parse(input))).input).toEqual(input);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
      }
    }),
  );
});

function refusal(call: () => unknown): CommandError {
  try {
    call();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

/** The words that give `input`, as the schema parsed it, without what is so by default. */
function formatWords(
  schema: z.ZodObject,
  input: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string[] {
  const [options, places]: [string[], string[]] = [[], []];
  for (const field of fieldsOf(schema)) {
    const { name, kind, isArgument, fallback } = field;
    const { [name]: value } = input;
    if (value === undefined || JSON.stringify(value) === JSON.stringify(fallback)) continue;
    if (isArgument === true) places.push(...[value].flat().map(String));
    else if (kind === 'flag') options.push(`--${value === true ? '' : 'no-'}${kebab(name)}`);
    else for (const one of [value].flat()) options.push(`--${kebab(name)}=${String(one)}`);
  }
  return [
    ...options,
    ...(places.some((place) => /^-./s.test(place)) || places.includes('--') ? ['--'] : []),
    ...places,
  ];
}
