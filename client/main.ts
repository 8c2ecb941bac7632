/** The program `stackyard`: its signals, its output, and its only catch. */
import './check-node.ts';
import { findEntry, hasOption, readCommandLine, type Reading } from '../format/command/command.ts';
import { commandData, commandHelp, programData, programHelp } from '../format/command/help.ts';
import { StackyardError } from '../format/errors.ts';
import {
  EXIT_DIFFERENT,
  EXIT_DONE,
  EXIT_INTERNAL,
  EXIT_USAGE,
  exitStatus,
} from './terminal/exit-status.ts';
import {
  failureEnvelope,
  formatEnvelope,
  outcomeEnvelope,
  openTerminal,
  printWarnings,
  type Outcome,
  type Failure,
  type Display,
} from './terminal/command.ts';
import type { Envelope } from './terminal/envelope.ts';
import { formatDuration } from './terminal/closing-sentence.ts';
import { isUnattended, wantsColor } from './terminal/environment.ts';
import { ownCommand } from './project/served-registry.ts';
import { ClientError } from './errors.ts';
import type { Ask } from './plan/question.ts';
import type { ClientCommand } from './terminal/options.ts';
import { PROGRAM, globalOptions, VERSION } from './program.ts';
import { span, nameCommands, type NameCommands } from './terminal/styled-text.ts';

type Terminal = ReturnType<typeof openTerminal>;

const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interruption = new AbortController();
/** Known when the command line is read. */
let nameCommand: NameCommands = (text) => text;
const commandName: NameCommands = (text) => nameCommand(text);
let interruptedStatus = 0;
for (const [name, status] of Object.entries(SIGNAL_STATUS)) {
  process.on(name, () => {
    // The second signal ends at once; the journal lets the next run recover.
    if (interruptedStatus !== 0) process.exit(status);
    interruptedStatus = status;
    interruption.abort();
  });
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe (`stackyard list | head -1`) or the terminal: the work still ends normally.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

// Not awaited, because the built program is CommonJS. A promise that never settles is a defect.
process.exitCode = EXIT_INTERNAL;
void main(process.argv).then((status) => {
  process.exitCode = status;
});

async function main(argv: readonly string[]): Promise<number> {
  const words = argv.slice(2);
  const isJson = hasOption(words, ['--json']);
  const displays = { ...displaysOf(hasOption(words, ['--no-color'])), name: commandName };
  let terminal = openTerminal({ isQuiet: isJson, isVerbose: false, ...displays });
  nameCommand = nameCommands(
    ownCommand(),
    PROGRAM.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  );
  const name = words.map((word) => findEntry(PROGRAM, word)?.name).find(Boolean) ?? 'help';
  try {
    const reading = await readCommandLine(PROGRAM, words);
    if (reading.kind !== 'run') return answer(reading, isJson);
    const { command, input, shared } = reading;
    const options = globalOptions(shared);
    terminal = openTerminal({
      isQuiet: options.quiet,
      isVerbose: options.verbose,
      ...displays,
    });
    terminal.detail(`stackyard ${VERSION}, Node.js ${process.versions.node}, ${process.platform}`);
    const started = performance.now();
    const [isAnswerable, isYes] = [canAnswer(shared), shared['yes'] === true];
    const outcome = await command.run(input as never, options, {
      program: PROGRAM,
      terminal,
      note: terminal.message,
      canAsk: isAnswerable && !isYes,
      ask: lazyAsk(isAnswerable, isYes),
      signal: interruption.signal,
    });
    const duration = performance.now() - started;
    terminal.detail(`${name} took ${Math.round(duration)} ms`);
    print(name, withClosing(outcome, duration), isJson, terminal);
    if (outcome.exitStatus !== undefined) return outcome.exitStatus;
    if (outcome.error !== undefined) return exitStatus(outcome.error);
    return outcome.status === 'different' ? EXIT_DIFFERENT : EXIT_DONE;
  } catch (error) {
    const failed = failureOf(error);
    if (isJson) writeJson(failureEnvelope(name, failed.failure, commandName));
    else printFailure(failed.failure, terminal);
    if (error instanceof Error) for (const line of traceOf(error)) terminal.detail(line);
    return failed.status;
  }
}

/** What asks questions loads with the first of them. */
function lazyAsk(isAnswerable: boolean, isYes: boolean): Ask {
  let ask: Ask | undefined;
  return async (questions) => {
    const { openAsk } = await import('./terminal/ask.ts');
    ask ??= openAsk(isAnswerable, isYes, interruption.signal);
    return ask(questions);
  };
}

/** Prints the help or the version. */
function answer(
  reading: Exclude<Reading<ClientCommand>, { kind: 'run' }>,
  isJson: boolean,
): number {
  const { columns } = process.stdout;
  if (reading.kind === 'bare') {
    process.stderr.write(programHelp(PROGRAM, process.stderr.columns));
    return EXIT_USAGE;
  }
  if (reading.kind === 'version') {
    const data = { version: VERSION, node: process.versions.node };
    if (isJson) writeJson(outcomeEnvelope('version', { status: 'done', data, text: [] }));
    else process.stdout.write(`${VERSION}\n`);
    return EXIT_DONE;
  }
  const own = reading.kind === 'command-help' ? reading : undefined;
  if (isJson) {
    const data =
      own === undefined
        ? programData(PROGRAM)
        : commandData(PROGRAM, own.entry, own.command, own.fields);
    writeJson(outcomeEnvelope('help', { status: 'done', data, text: [] }));
    return EXIT_DONE;
  }
  const text =
    own === undefined
      ? programHelp(PROGRAM, columns)
      : commandHelp(PROGRAM, own.entry, own.command, own.fields, columns);
  process.stdout.write(text);
  return EXIT_DONE;
}

/** Colour and width of both output streams. */
function displaysOf(isColorOff: boolean): { results: Display; messages: Display } {
  const of = (stream: NodeJS.WriteStream): Display => {
    const hasColor = wantsColor(stream, process.env, isColorOff);
    return { hasColor, columns: stream.isTTY ? stream.columns : undefined };
  };
  return { results: of(process.stdout), messages: of(process.stderr) };
}

/** Whether a user can answer a question. */
function canAnswer({ json, input }: Record<string, unknown>): boolean {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  return isTerminal && json !== true && input !== false && !isUnattended(process.env);
}

function print(command: string, outcome: Outcome, isJson: boolean, terminal: Terminal): void {
  const { warnings = [], isAnnounced } = outcome;
  if (isAnnounced !== true) printWarnings({ warnings }, { terminal });
  if (isJson) return writeJson(outcomeEnvelope(command, outcome, commandName));
  if (outcome.raw !== undefined) process.stdout.write(outcome.raw);
  else for (const line of outcome.text) terminal.result(line, outcome.isVerbatim);
  if (outcome.error !== undefined) printFailure(outcome.error, terminal);
}

/** The output of a pipe stays the same in every run: the sentence with the time is for a terminal. */
function withClosing(outcome: Outcome, duration: number): Outcome {
  const { closing, text } = outcome;
  if (closing === undefined || !process.stdout.isTTY) return outcome;
  const sentence = span('faint', `${closing}, in ${formatDuration(duration)}`);
  return { ...outcome, text: [...text, [sentence]] };
}

/** The failure to print for an error, and the exit status. */
function failureOf(error: unknown): { failure: Failure; status: number } {
  // Changes that an interrupted run could not undo are more important than the interruption.
  const isLeft = error instanceof ClientError && error.code === 'ERR_JOURNAL';
  const isAtQuestion = error instanceof ClientError && error.code === 'ERR_INTERRUPTED';
  if (interruptedStatus !== 0 && !isLeft && !isAtQuestion) {
    const failure = new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
    return { failure, status: interruptedStatus };
  }
  if (error instanceof StackyardError) return { failure: error, status: exitStatus(error) };
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `This is a defect of stackyard: ${defect}`;
  return { failure: { code: 'ERR_INTERNAL', message }, status: EXIT_INTERNAL };
}

function printFailure({ message, hint = '' }: Failure, terminal: Terminal): void {
  terminal.error(message);
  if (hint !== '') terminal.hint(hint);
}

/** The stack of an error and of its causes, for `--verbose`. */
function traceOf(error: Error): string[] {
  const lines = (error.stack ?? error.message).split('\n');
  const { cause } = error;
  return cause instanceof Error ? [...lines, 'caused by', ...traceOf(cause)] : lines;
}

function writeJson(envelope: Envelope): void {
  process.stdout.write(formatEnvelope(envelope));
}
