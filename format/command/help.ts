/** The help of a program and of its commands, as text and as data. */
import { kebab, type AnyCommand, type CommandEntry, type Field, type Program } from './command.ts';

/** Without the terminal's width, as in a pipe. */
const COLUMNS = 80;
/** A narrower terminal breaks the lines itself. */
const MIN_COLUMNS = 40;
const HELP: Field = { name: 'help', kind: 'flag', short: 'h', description: 'print this help' };
const VERSION: Field = {
  name: 'version',
  kind: 'flag',
  short: 'V',
  description: 'print the version',
};

/** A row of a table: what it is about, and the text beside it. */
type Row = readonly [name: string, text: string];

/** The help of the program: its commands by group, and the options that all of them have. */
export function programHelp(program: Program, columns = COLUMNS): string {
  const { name, description, commands, shared, examples } = program;
  const groups = Map.groupBy(commands, ({ group }) => group);
  const options: Row[] = [...shared, HELP, VERSION].map((field) => [
    flagsText(field),
    textOf(field),
  ]);
  const names = (entry: CommandEntry): string => [entry.name, ...(entry.aliases ?? [])].join(', ');
  const tables = [...groups].map(([title, entries]): [string, Row[]] => {
    return [title, entries.map((entry) => [names(entry), entry.summary])];
  });
  return page(
    `Usage: ${name} <command> [options]`,
    description,
    [...tables, ['Options of every command', options]],
    [...exampleLines(name, examples), `More about a command: ${name} <command> --help`],
    columns,
  );
}

/** The help of one command, with its own options alone. @param fields of its schema */
export function commandHelp(
  { name: program, shared }: Pick<Program, 'name' | 'shared'>,
  { name, aliases = [] }: Pick<CommandEntry, 'name' | 'aliases'>,
  { description, examples, notes = [] }: Pick<AnyCommand, 'description' | 'examples' | 'notes'>,
  fields: readonly Field[],
  columns = COLUMNS,
): string {
  const places = fields.filter(({ isArgument }) => isArgument === true);
  const options = fields.filter(({ isArgument }) => isArgument !== true);
  const tables = [...Map.groupBy(options, ({ group }) => group ?? 'Options')].map(
    ([title, group]): [string, Row[]] => {
      return [title, group.map((field) => [flagsText(field), textOf(field)])];
    },
  );
  const rows = places.map((field): Row => [field.name, textOf(field)]);
  const also = aliases.length === 0 ? '' : ` Also written ${aliases.join(', ')}.`;
  const more = shared.length === 0 ? [] : [`Options of every command: ${program} --help`];
  return page(
    `Usage: ${[program, name, argumentsText(fields), ...(options.length > 0 ? ['[options]'] : [])].filter((word) => word !== '').join(' ')}`,
    `${description}.${also}`,
    [['Arguments', rows], ...tables],
    [...exampleLines(program, examples), ...more],
    columns,
    notes,
  );
}

/** The help of a command as data, for programs and for completion. */
export function commandData(
  program: Pick<Program, 'name' | 'shared'>,
  entry: CommandEntry,
  { description, examples }: Pick<AnyCommand, 'description' | 'examples'>,
  fields: readonly Field[],
): Record<string, unknown> {
  const places = fields.filter(({ isArgument }) => isArgument === true);
  const options = fields.filter(({ isArgument }) => isArgument !== true);
  const { name, summary, aliases = [] } = entry;
  return {
    command: name,
    summary,
    description,
    aliases,
    usage: [program.name, name, argumentsText(fields)].join(' ').trim(),
    arguments: places.map((field) => ({
      name: field.name,
      description: field.description,
      required: field.isRequired === true,
      several: field.isList === true,
      choices: field.choices ?? [],
    })),
    options: [...options, ...program.shared, HELP].map(optionData),
    examples: exampleLines(program.name, examples),
  };
}

/** The help of the program as data. */
export function programData({
  name,
  description,
  commands,
  shared,
}: Program): Record<string, unknown> {
  return {
    command: name,
    description,
    usage: `${name} <command> [options]`,
    arguments: [],
    options: [...shared, HELP, VERSION].map(optionData),
    commands: commands.map(({ load: _load, ...entry }) => entry),
  };
}

function optionData(field: Field): Record<string, unknown> {
  const { description, kind, choices = [], short } = field;
  const [flags, long] = [flagsText(field), longFlag(field)];
  const letter = short === undefined ? {} : { short: `-${short}` };
  return { flags, ...letter, long, description, takes_value: kind !== 'flag', choices };
}

/** `<builds...> [file]` */
export function argumentsText(fields: readonly Field[]): string {
  return fields
    .filter(({ isArgument }) => isArgument === true)
    .map(({ name, isRequired, isList }) => {
      const text = `${name}${isList === true ? '...' : ''}`;
      return isRequired === true ? `<${text}>` : `[${text}]`;
    })
    .join(' ');
}

/** `-C, --cwd <folder>` */
export function flagsText(field: Field): string {
  const { kind, short, placeholder = 'value' } = field;
  const value = kind === 'flag' ? '' : ` <${placeholder}>`;
  return `${short === undefined ? '' : `-${short}, `}${longFlag(field)}${value}`;
}

/** `--cwd`, `--no-install` */
export function longFlag({ name, isNegated, isNegatable }: Field): string {
  const no = isNegatable === true ? '[no-]' : isNegated === true ? 'no-' : '';
  return `--${no}${kebab(name)}`;
}

function textOf({ description, choices, fallback, kind, isRequired, isArgument }: Field): string {
  const notes = [
    ...(isRequired === true && isArgument !== true ? ['required'] : []),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(kind === 'flag' || !['string', 'number'].includes(typeof fallback)
      ? []
      : [`default: ${String(fallback)}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function exampleLines(program: string, examples: readonly string[]): string[] {
  return examples.map((example) => `Example: ${program} ${example}`);
}

function page(
  usage: string,
  description: string,
  tables: readonly (readonly [title: string, rows: readonly Row[]])[],
  last: readonly string[],
  columns: number,
  notes: readonly string[] = [],
): string {
  const width = Math.max(columns, MIN_COLUMNS);
  const filled = tables.filter(([, rows]) => rows.length > 0);
  const names = filled.flatMap(([, rows]) => rows.map(([name]) => name.length));
  // A name that is longer than this has its text in the next line.
  const column = Math.min(Math.max(0, ...names), Math.floor(width / 3)) + 4;
  const blocks = filled.map(([title, rows]) => [
    `${title}:`,
    ...rows.flatMap((row) => rowLines(row, column, width)),
  ]);
  const remarks = notes.map((note) => wrap(note, width));
  const all = [[usage], wrap(description, width), ...blocks, ...remarks, last];
  const parts = all.filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function rowLines([name, text]: Row, column: number, width: number): string[] {
  const [first = '', ...more] = wrap(text, width - column);
  const indent = ' '.repeat(column);
  const start = `  ${name}`;
  const lines =
    start.length + 2 > column ? [start, indent + first] : [start.padEnd(column) + first];
  return [...lines, ...more.map((line) => indent + line)];
}

/** Lines of at most `width` characters; a longer word has its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
