/** The program `stackyard`: its signals, its output, and its only catch. */
import './check-node.ts';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { StackyardError } from '../format/errors.ts';
import { confirmDanger, openAsk } from './terminal/ask.ts';
import { openChoose } from './terminal/choose.ts';
import { isUnattended, wantsColor } from './terminal/colors.ts';
import type { Outcome } from './terminal/command.ts';
import type { Envelope } from './output-schema/envelope.ts';
import type { Failure } from './terminal/envelope.ts';

import { formatDuration } from './terminal/closing-sentence.ts';
import { ownCommand } from './registry/served-registry.ts';
import { failureEnvelope, formatEnvelope, outcomeEnvelope } from './terminal/envelope.ts';
import { ClientError } from './errors.ts';
import { EXIT_DIFFERENT, EXIT_DONE, EXIT_INTERNAL, exitStatus } from './terminal/exit-status.ts';
import { helpData } from './terminal/help-data.ts';
import { makeProgram } from './program.ts';
import { span } from './terminal/styled-text.ts';
import type { NameCommands } from './terminal/own-command.ts';
import { nameCommands } from './terminal/own-command.ts';
import { openTerminal } from './terminal/terminal.ts';
import type { Display, Terminal } from './terminal/terminal.ts';
import { helpOfNothing, usageError } from './terminal/usage-error.ts';
import { VERSION } from './version.ts';
import type { Plan } from './plan/plan.ts';

/** The error when the general help was printed; it is printed with --json only. */
const BARE = 'No command was given';
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
    // The reader has closed the pipe (`stackyard list | head -1`): the work still ends normally.
    if (error.code !== 'EPIPE') throw error;
  });
}

// Not awaited, because the built program is CommonJS. A promise that never settles is a defect.
process.exitCode = EXIT_INTERNAL;
void main(process.argv).then((status) => {
  process.exitCode = status;
});

async function main(argv: readonly string[]): Promise<number> {
  const words = argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined);
  const isJson = words.includes('--json');
  const displays = { ...displaysOf(words.includes('--no-color')), name: commandName };
  let terminal = openTerminal({ isQuiet: isJson, isVerbose: false, ...displays });
  let status = EXIT_DONE;
  let name = 'help';
  let chosen: Record<string, unknown> = {};
  let helped: Command | undefined;
  const program: Command = makeProgram({
    chosen: (command, options) => {
      [name, chosen] = [command, options];
      const isVerbose = options['verbose'] === true;
      terminal = openTerminal({ isQuiet: options['quiet'] === true, isVerbose, ...displays });
    },
    execute: async (command, run) => {
      terminal.detail(
        `stackyard ${VERSION}, Node.js ${process.versions.node}, ${process.platform}`,
      );
      const started = performance.now();
      const ask = openAsk(canAnswer(chosen), chosen['yes'] === true, interruption.signal);
      const approve = (plan: Plan): Promise<void> => confirmDanger(plan, ask);
      const hasAnswers = canAnswer(chosen) && chosen['yes'] !== true;
      const choose = hasAnswers ? openChoose(interruption.signal) : undefined;
      const outcome = await run({ terminal, approve, ask, choose, signal: interruption.signal });
      const duration = performance.now() - started;
      terminal.detail(`${command} took ${Math.round(duration)} ms`);
      print(command, withClosing(outcome, duration), isJson, terminal);
      if (outcome.status === 'different') status = EXIT_DIFFERENT;
      if (outcome.error !== undefined) status = exitStatus(outcome.error);
      if (outcome.exitStatus !== undefined) status = outcome.exitStatus;
    },
    helped: (command) => (helped = command),
    output: {
      // With --json, standard output is exactly one document.
      out: (text) => void (isJson || process.stdout.write(text)),
      // `printFailure` prints errors; this is the help for a call without a command.
      error: (text) => void (isJson || process.stderr.write(text)),
    },
  });
  const names = program.commands.map((command) => command.name());
  nameCommand = nameCommands(ownCommand(), names);
  name = program.commands.find((command) => command.name() === words[0])?.name() ?? name;
  try {
    await program.parseAsync(isJson ? withHelpOption(argv, program) : argv);
    return status;
  } catch (error) {
    // Commander takes `help --help` as the help of an unknown command.
    const isHelp = words[0] === 'help' && (words[1] === '--help' || words[1] === '-h');
    if (error instanceof CommanderError && (error.exitCode === 0 || isHelp)) {
      if (isJson) writeJson(envelopeOfCommander(helped));
      return EXIT_DONE;
    }
    const refused = error instanceof CommanderError ? refusalOf(error, program, words) : error;
    const failed = failureOf(refused);
    if (isJson) writeJson(failureEnvelope(name, failed.failure, commandName));
    else if (failed.failure.message !== BARE) printFailure(failed.failure, terminal);
    if (error instanceof Error) for (const line of traceOf(error)) terminal.detail(line);
    return failed.status;
  }
}

/** Colour and width of both output streams. */
function displaysOf(isColorOff: boolean): { results: Display; messages: Display } {
  const of = (stream: NodeJS.WriteStream): Display => {
    const hasColor = wantsColor(stream, process.env, isColorOff);
    return { hasColor, columns: stream.isTTY ? stream.columns : undefined };
  };
  return { results: of(process.stdout), messages: of(process.stderr) };
}

/** `help add --json` as `add --help --json`: the command `help` takes no options. */
function withHelpOption(argv: readonly string[], program: Command): readonly string[] {
  const [node = '', file = '', first, ...rest] = argv;
  if (first !== 'help') return argv;
  const words = rest.filter((word) => word !== '--json');
  if (words.length === 0) return [node, file, '--help', '--json'];
  const [name = ''] = words;
  const isKnown = program.commands.some((command) => command.name() === name);
  return isKnown ? [node, file, ...words, '--help', '--json'] : [node, file, first, ...words];
}

/** Whether a user can answer a question. */
function canAnswer({ json, input }: Record<string, unknown>): boolean {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  return isTerminal && json !== true && input !== false && !isUnattended(process.env);
}

function print(command: string, outcome: Outcome, isJson: boolean, terminal: Terminal): void {
  if (isJson) return writeJson(outcomeEnvelope(command, outcome, commandName));
  if (outcome.raw !== undefined) process.stdout.write(outcome.raw);
  else for (const line of outcome.text) terminal.result(line);
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
  if (interruptedStatus !== 0 && !isLeft) {
    const failure = new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
    return { failure, status: interruptedStatus };
  }
  if (error instanceof StackyardError) return { failure: error, status: exitStatus(error) };
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `This is a defect of stackyard: ${defect}`;
  return { failure: { code: 'ERR_INTERNAL', message }, status: EXIT_INTERNAL };
}

/** The error for a command line that cannot be parsed. */
function refusalOf(error: CommanderError, program: Command, words: readonly string[]): ClientError {
  // Without a command, commander prints the help and throws with this code.
  const isBare = error.code === 'commander.help' || error.code === 'commander.helpDisplayed';
  const hint = 'see stackyard --help; options follow the command';
  const [first, name = '-'] = words;
  if (isBare && first === 'help' && !name.startsWith('-')) return helpOfNothing(name);
  if (isBare) return new ClientError('ERR_USAGE', BARE, { hint });
  const command = program.commands.find((known) => known.name() === words[0]);
  return usageError(error, program, command, words);
}

/** The output of `--help` and `--version` with `--json`. */
function envelopeOfCommander(helped: Command | undefined): Envelope {
  const isHelp = helped !== undefined;
  const data = isHelp ? helpData(helped) : { version: VERSION, node: process.versions.node };
  return outcomeEnvelope(isHelp ? 'help' : 'version', { status: 'done', data, text: [] });
}

function printFailure({ message, hint = '', explanation }: Failure, terminal: Terminal): void {
  terminal.error(message);
  // The message states a single clash; several failing branches need their derivation.
  if (explanation?.isBranching === true)
    for (const line of explanation.lines) terminal.message(line);
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
