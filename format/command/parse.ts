/**
 * The schema of a command as fields, the words of a command line as its values, and values as words.
 */
import { z } from 'zod';
import { CommandError, kebab, matches, nearest, spellings } from './command.ts';
import type { Field, Program } from './command.ts';
import { argumentsText, flagsText } from './help.ts';

declare module 'zod' {
  /** Metadata of a field of a command; stands last, after `.optional()` and `.default()`. */
  interface GlobalMeta {
    /** One line for help. */
    description?: string;
    /** Given by its place, not as `--name`; an array takes all the remaining words. */
    isArgument?: boolean;
    /** The letter of `-C`. */
    short?: string;
    /** What the value is: `folder` prints `--cwd <folder>`. */
    placeholder?: string;
    /** The heading in the help of the command; "Options" by default. */
    group?: string;
    /** A flag without a default that can be denied too: `--wire`, `--no-wire`. */
    isNegatable?: boolean;
    /** A list that may be given as one word: `--keep a,b`. */
    hasCommas?: boolean;
    /** The name of an option that excludes this one. */
    excludes?: string;
    /** Words that completion offers in addition to the choices; `@name` stands for a list that the program knows. */
    suggests?: readonly string[];
  }
}

/**
 * The fields of a command's schema, in their order.
 * @throws {TypeError} for a field that is not described, or of a type that no word can have
 */
export function fieldsOf({ shape }: z.ZodObject): Field[] {
  return Object.entries(shape).map(([name, schema]) => fieldOf(name, schema as z.ZodType));
}

function fieldOf(name: string, schema: z.ZodType): Field {
  const { description, isNegatable, placeholder, short, group, excludes, suggests, ...meta } =
    schema.meta() ?? {};
  if (description === undefined) throw new TypeError(`Field "${name}" has no description`);
  let inner = schema;
  let [isRequired, fallback]: [boolean, unknown] = [true, undefined];
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) {
    isRequired = false;
    if (inner instanceof z.ZodDefault) fallback = inner.def.defaultValue;
    inner = inner.unwrap() as z.ZodType;
  }
  const isList = inner instanceof z.ZodArray;
  if (inner instanceof z.ZodArray) inner = inner.element as z.ZodType;
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
  return {
    name,
    kind: kindOf(name, inner),
    description,
    isRequired,
    isList,
    fallback,
    choices,
    short,
    placeholder,
    group,
    excludes,
    suggests,
    isNegatable,
    isNegated: fallback === true,
    isArgument: meta.isArgument === true,
    hasCommas: meta.hasCommas === true,
  };
}

function kindOf(name: string, schema: z.ZodType): Field['kind'] {
  if (schema instanceof z.ZodBoolean) return 'flag';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'text';
  throw new TypeError(`Field "${name}" is of a type that no word has`);
}

/** The JSON Schema (draft 2020-12) of a command's input, such as for a tool of an agent. */
export function inputJsonSchema(input: z.ZodType): Record<string, unknown> {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of COMMAND_LINE_KEYS) delete jsonSchema[key];
    },
  });
  // A plain object: zod adds its own methods to the result.
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}

/** Metadata that is about the command line alone. */
const COMMAND_LINE_KEYS = [
  'isArgument',
  'short',
  'placeholder',
  'group',
  'isNegatable',
  'hasCommas',
  'excludes',
  'suggests',
];

/** The words that belong to one field, and where the next word stands. */
interface Taken {
  readonly field: Field;
  readonly value: unknown;
}

/**
 * Parses the words after the name of a command.
 * @param elsewhere the command that takes the arguments that this one does not
 * @throws {CommandError} `ERR_USAGE`
 */
export function parseWords(
  { name: program, shared }: Pick<Program, 'name' | 'shared'>,
  command: string,
  schema: z.ZodObject,
  words: readonly string[],
  elsewhere?: string,
): { input: Record<string, unknown>; shared: Record<string, unknown> } {
  const own = fieldsOf(schema);
  const refuse = (message: string, way?: string): CommandError => {
    const see = `ee ${program} ${command} --help`;
    if (way === undefined) return new CommandError(message, `s${see}`);
    return new CommandError(message, way.endsWith('?') ? `${way} S${see}` : `${way}; s${see}`);
  };
  const { taken, places } = takeOptions([...own, ...shared], words, refuse);
  const named = own.filter(({ isArgument }) => isArgument);
  const way =
    elsewhere === undefined ? undefined : `write ${program} ${elsewhere} ${places.join(' ')}`;
  const values = valuesOf([...taken, ...takeArguments(command, named, places, refuse, way)]);
  for (const { name, excludes } of [...own, ...shared]) {
    if (excludes === undefined || !values.has(name) || !values.has(excludes)) continue;
    const message = `Option --${kebab(name)} cannot be used with --${kebab(excludes)}`;
    throw refuse(message, 'leave one of them out');
  }
  const pick = (fields: readonly Field[]): Record<string, unknown> => {
    return Object.fromEntries(
      fields.flatMap(({ name }) => (values.has(name) ? [[name, values.get(name)]] : [])),
    );
  };
  const given = pick(own);
  const missing = own.find(({ name, isRequired }) => isRequired === true && !(name in given));
  if (missing !== undefined) {
    if (missing.isArgument !== true) {
      throw refuse(`Option --${kebab(missing.name)} is missing`, `add ${flagsText(missing)}`);
    }
    const usage = `${program} ${command} ${argumentsText(own)}`;
    throw refuse(`Argument <${missing.name}> is missing`, `write ${usage}`);
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw refuseIssue(own, given, parsed.error.issues, refuse);
  return { input: parsed.data, shared: { ...defaultsOf(shared), ...pick(shared) } };
}

type Refuse = (message: string, way?: string) => CommandError;

/** Takes the options out of `words`; what is left are the arguments. */
function takeOptions(
  fields: readonly Field[],
  words: readonly string[],
  refuse: Refuse,
): { taken: Taken[]; places: string[] } {
  const [taken, places]: [Taken[], string[]] = [[], []];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { taken, places: [...places, ...rest] };
    if (!isOption(word)) {
      places.push(word);
      continue;
    }
    if (/^-[^-]./s.test(word)) {
      // "-qC folder" is "-q -C folder", and "-Cfolder" is "-C folder".
      const [letter, tail] = [word.slice(0, 2), word.slice(2)];
      const isFlag = fieldAt(fields, letter, refuse).kind === 'flag';
      rest.unshift(letter, isFlag ? `-${tail}` : tail);
      word = rest.shift()!;
    }
    const at = word.indexOf('=');
    const [flag, inline] = at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
    const field = fieldAt(fields, flag, refuse);
    if (field.kind === 'flag') {
      if (inline !== undefined) {
        const message = `Option ${flag} takes no value, and has ${JSON.stringify(inline)}`;
        throw refuse(message, `write ${flag} alone`);
      }
      taken.push({ field, value: flag !== `--no-${kebab(field.name)}` });
      continue;
    }
    const [next] = rest;
    if (inline === undefined && (next === undefined || isOption(next))) {
      const way = `write it as ${flagsText(field)}`;
      const dashed = next === undefined ? '' : `, and a value that begins with "-" as ${flag}=-x`;
      throw refuse(`Option --${kebab(field.name)} has no value`, `${way}${dashed}`);
    }
    taken.push({ field, value: inline ?? rest.shift()! });
  }
  return { taken, places };
}

/** `-` alone stands for standard input, and is a value. */
function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function fieldAt(fields: readonly Field[], flag: string, refuse: Refuse): Field {
  const field = fields.find((one) => matches(one, flag));
  if (field !== undefined) return field;
  const known = fields.filter(({ isArgument }) => isArgument !== true).flatMap(spellings);
  const near = nearest(flag, [...known, '--help']);
  const message = `Option ${JSON.stringify(flag)} is unknown`;
  throw near === undefined ? refuse(message) : refuse(message, `did you mean ${near}?`);
}

function takeArguments(
  command: string,
  fields: readonly Field[],
  words: readonly string[],
  refuse: Refuse,
  way: string | undefined,
): Taken[] {
  const taken: Taken[] = [];
  let left = words;
  for (const field of fields) {
    const mine = left.slice(0, field.isList === true ? undefined : 1);
    left = left.slice(mine.length);
    taken.push(...mine.map((value) => ({ field, value })));
  }
  if (left.length === 0) return taken;
  const takes =
    fields.length === 0
      ? 'no arguments'
      : `${fields.length} argument${fields.length === 1 ? '' : 's'}`;
  const got = JSON.stringify(words.join(', ')).slice(1, -1);
  throw refuse(`Command "${command}" takes ${takes}, and got ${words.length}: ${got}`, way);
}

/** By name. A list collects its words; of another field the last word counts. */
function valuesOf(taken: readonly Taken[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { field, value } of taken) {
    const { name, kind, isList, hasCommas } = field;
    const isWord = typeof value === 'string';
    const split =
      isWord && hasCommas === true ? value.split(',').map((part) => part.trim()) : [value];
    const typed = split.map((part) => {
      // A word that is not a number stays, so that the schema refuses it.
      return kind === 'number' && /^-?\d{1,15}$/.test(String(part)) ? Number(part) : part;
    });
    const before = (values.get(name) ?? []) as unknown[];
    values.set(name, isList === true ? [...before, ...typed] : typed[0]);
  }
  return values;
}

/** The first problem that a schema has with the values. */
function refuseIssue(
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
  [issue]: readonly z.core.$ZodIssue[],
  refuse: Refuse,
): CommandError {
  const [name = '', at] = issue?.path ?? [];
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return refuse(issue?.message ?? 'The arguments are wrong');
  const what =
    field.isArgument === true ? `Argument <${field.name}>` : `Option --${kebab(field.name)}`;
  const value = given[field.name];
  const wrong = Array.isArray(value) && typeof at === 'number' ? value[at] : value;
  const { choices } = field;
  const isText = typeof wrong === 'string' || typeof wrong === 'number';
  const shown = isText ? JSON.stringify(String(wrong)) : 'not what it must be';
  const way = choices === undefined ? issue?.message : `the choices are ${choices.join(', ')}`;
  return refuse(`${what} is ${shown}`, way);
}

/** Shared options have no schema: flags are false (or true, where they are denied), others absent. */
function defaultsOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, kind, isNegated }) => [
      name,
      kind === 'flag' ? isNegated === true : undefined,
    ]),
  );
}
