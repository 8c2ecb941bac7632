/** The input and the result that all commands share. */
import { stripVTControlCharacters } from 'node:util';
import pico from 'picocolors';
import { wrapAnsi } from 'fast-wrap-ansi';
import { UNPRINTABLE, printable } from './printable.ts';
import type { ProjectChoice } from '../project/choose-project.ts';
import type { ClientError, OpenQuestion } from '../errors.ts';
import type { Envelope, NextStep, EnvelopeError } from './envelope.ts';
import { span, paintText, type StyledText, type NameCommands } from './styled-text.ts';
import type { Plan, Warning } from '../plan/plan.ts';

/** Options that every command has. */
export interface GlobalOptions extends ProjectChoice {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Prints details, such as why the cache is not used. */
  readonly verbose: boolean;
  /** The address of a registry in this run. */
  readonly registry: string | undefined;
  /** Uses no network: only the cache and folders. */
  readonly offline: boolean;
}

/** What the parts of a command get: how it is stopped, and watched. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Called with a line about what begins. */
  readonly note: (line: string) => void;
  /** Aborted by Ctrl-C and by termination signals. */
  readonly signal: AbortSignal;
}

/** The result of a command: `--json` prints it as JSON, otherwise `text` is printed. */
export interface Outcome {
  readonly status: Exclude<Envelope['status'], 'action_required'>;
  readonly data: object;
  readonly warnings?: readonly Warning[];
  /** Whether the warnings were printed before the work. */
  readonly isAnnounced?: boolean;
  readonly next?: readonly NextStep[];
  /** Lines for standard output, without `--json`. */
  readonly text: readonly StyledText[];
  /** Whether these are no prose, and not wrapped. */
  readonly isVerbatim?: boolean;
  /** What happened, without an end: a terminal gets it with the time that it took. */
  readonly closing?: string;
  /** Bytes for standard output, printed unchanged instead of `text`. */
  readonly raw?: Uint8Array;
  /** The exit status, where it is that of a program that the command ran. */
  readonly exitStatus?: number;
  /** An error after the work was done, such as a failed package manager. */
  readonly error?: ClientError;
}

/** `Next: <command>  (<why>)` */
export function nextLine({ command, why }: Pick<NextStep, 'command' | 'why'>): StyledText {
  return ['Next: ', span('command', command), `  (${why})`];
}

/** Prints warnings, such as those of a plan, on standard error. */
export function printWarnings(
  { warnings }: Pick<Plan, 'warnings'>,
  { terminal }: Pick<CommandContext, 'terminal'>,
): void {
  for (const { path, message } of warnings) {
    terminal.warn(path === '' ? message : `${path}: ${message}`);
  }
}

// The one JSON document that a command prints with `--json`:
//
//     {"schema":"stackyard/add@1","ok":true,"status":"done","data":{},"warnings":[],"next":[]}

/** An error as it is printed; also one that is not of our classes. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly question?: OpenQuestion | undefined;
}

const asTheyAre: NameCommands = (text) => text;

/**
 * The envelope of a command that ended with `outcome`.
 * @param name how commands of this client are written
 */
export function outcomeEnvelope(
  command: string,
  outcome: Outcome,
  name: NameCommands = asTheyAre,
): Envelope {
  const { status, data, warnings = [], next = [], error } = outcome;
  const envelope = {
    schema: schemaOf(command),
    ok: error === undefined && status !== 'different' && status !== 'error',
    status,
    data,
    warnings: warnings.map((warning) => ({ ...warning })),
    next: next.map((step) => ({ ...step, command: name(step.command) })),
  };
  return error === undefined ? envelope : { ...envelope, error: toEnvelopeError(error, name) };
}

/** The envelope of a command that threw `failure`. */
export function failureEnvelope(
  command: string,
  failure: Failure,
  name: NameCommands = asTheyAre,
): Envelope {
  return {
    schema: schemaOf(command),
    ok: false,
    status: failure.code === 'ERR_NEEDS_ANSWER' ? 'action_required' : 'error',
    data: {},
    warnings: [],
    error: toEnvelopeError(failure, name),
    next: [],
  };
}

/** The envelope as text. Characters that control terminals are escaped, so that no data is lost. */
export function formatEnvelope(envelope: Envelope): string {
  return `${escapeUnprintable(JSON.stringify(envelope, null, 2))}\n`;
}

function schemaOf(command: string): string {
  return `stackyard/${command}@1`;
}

function toEnvelopeError(
  { code, message, hint = '', question }: Failure,
  name: NameCommands,
): EnvelopeError {
  const open =
    question === undefined
      ? {}
      : { question: { lines: question.lines.map(printable), choices: [...question.choices] } };
  return { code, message: printable(message), hint: printable(name(hint)), ...open };
}

function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Output for people: messages on standard error, results on standard output, no control characters. */
interface Terminal {
  /** A line of the result, on standard output. */
  readonly result: (line: StyledText, isVerbatim?: boolean) => void;
  /** A message on standard error; none when quiet. */
  readonly message: (line: string) => void;
  /** A detail on standard error, with `--verbose` only. */
  readonly detail: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly error: (line: string) => void;
  readonly hint: (line: string) => void;
}

/** How a stream shows text. */
export interface Display {
  readonly hasColor: boolean;
  /** The width of the terminal; undefined for a file or a pipe, where lines are not wrapped. */
  readonly columns: number | undefined;
}

/** Which messages are printed, and how. */
interface TerminalOptions {
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  /** Standard output. */
  readonly results: Display;
  /** Standard error. */
  readonly messages: Display;
  /** How commands of this client are written. */
  readonly name: NameCommands;
}

/** The terminal of this process. */
export function openTerminal(options: TerminalOptions): Terminal {
  const { isQuiet, isVerbose, results, messages, name } = options;
  const pc = pico.createColors(messages.hasColor);
  const put = (stream: NodeJS.WriteStream, line: string, display: Display): void =>
    void stream.write(`${wrapLine(line, display.columns)}\n`);
  const print = (line: StyledText): void =>
    put(process.stderr, paintText(line, messages.hasColor, name), messages);
  const labelled = (label: string, line: string): void =>
    put(process.stderr, `${label} ${printable(name(line))}`, messages);
  return {
    result: (line, isVerbatim = false) => {
      const display = isVerbatim ? { ...results, columns: undefined } : results;
      put(process.stdout, paintText(line, results.hasColor, name), display);
    },
    message: isQuiet ? () => {} : print,
    detail: isVerbose && !isQuiet ? (line) => print([span('faint', line)]) : () => {},
    warn: isQuiet ? () => {} : (line) => labelled(pc.yellow('warning:'), line),
    error: (line) => labelled(pc.red('error:'), line),
    hint: (line) => labelled(pc.cyan('hint:'), line),
  };
}

/** Prints nothing. */
export const SILENT: Terminal = {
  result: () => {},
  message: () => {},
  detail: () => {},
  warn: () => {},
  error: () => {},
  hint: () => {},
};

/** Below this width, wrapped lines are harder to read than those that the terminal breaks. */
const MIN_COLUMNS = 40;
/** Continuations stand below the text after a label that is at most this wide, otherwise two columns in. */
const MAX_INDENT = 16;

/**
 * The line in pieces of at most `columns` columns, broken between words; a word that is longer stays whole, so
 * that a path or an address can be copied. Colour codes take no room.
 * @param columns undefined: the output is no terminal, and the line stays as it is
 */
export function wrapLine(line: string, columns: number | undefined): string {
  if (columns === undefined || columns < MIN_COLUMNS || line.length <= columns) return line;
  return line
    .split('\n')
    .map((part) => wrapPart(part, columns))
    .join('\n');
}

function wrapPart(line: string, columns: number): string {
  const label = /^ *\S+ {2,}/.exec(line)?.[0] ?? '';
  const width = stripVTControlCharacters(label).length;
  const isLabelled = width > 0 && width <= MAX_INDENT;
  const lead = isLabelled ? label : /^ */.exec(line)![0];
  const indent = ' '.repeat(isLabelled ? width : lead.length + 2);
  const body = line.slice(lead.length);
  const [first = '', ...more] = wrapAnsi(body, columns - indent.length, { trim: true }).split('\n');
  return [lead + first, ...more.map((rest) => indent + rest)].join('\n');
}
