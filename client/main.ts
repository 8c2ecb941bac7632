/** The program `stackyard` and its only catch. The commands are in `command-table/`, loaded when chosen. */
import { Command, CommanderError } from 'commander';
import { StackyardError } from '../format/errors.ts';
import { addChangingCommands } from './command-table/changing.ts';
import type { Execute } from './command-table/entry.ts';
import { addInstalledCommands } from './command-table/installed.ts';
import { addPublishingCommands } from './command-table/publishing.ts';
import { addReadingCommands } from './command-table/reading.ts';
import type { Outcome } from './commands/command.ts';
import { ClientError } from './errors.ts';
import { EXIT_DIFFERENT, EXIT_DONE, EXIT_INTERNAL, EXIT_USAGE, exitStatus } from './exit-status.ts';
import { openTerminal, printable } from './terminal.ts';
import type { Terminal } from './terminal.ts';

const VERSION = '0.1.0';
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interruption = new AbortController();
let interruptedStatus = 0;
for (const [name, status] of Object.entries(SIGNAL_STATUS)) {
  process.on(name, () => {
    // The second signal ends at once; the journal lets the next run mend what is half done.
    if (interruptedStatus !== 0) process.exit(status);
    interruptedStatus = status;
    interruption.abort();
  });
}

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<number> {
  const isJson = argv.includes('--json');
  const terminal = openTerminal(argv.includes('-q') || argv.includes('--quiet'));
  let status = EXIT_DONE;
  let name = 'help';
  const program = makeProgram(async (command, run) => {
    name = command;
    const outcome = await run({ terminal, signal: interruption.signal });
    print(command, outcome, isJson, terminal);
    if (outcome.status === 'different') status = EXIT_DIFFERENT;
    if (outcome.error !== undefined) status = exitStatus(outcome.error);
  }, isJson);
  try {
    await program.parseAsync(argv);
    return status;
  } catch (error) {
    return fail(name, error, isJson, terminal);
  }
}

function makeProgram(execute: Execute, isJson: boolean): Command {
  const program = new Command('stackyard')
    .description('Installs reusable project builds from a Stackyard registry')
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    // With --json the one document on standard output says it all; else `fail` prints the error.
    .configureOutput({ outputError: (text, write) => (isJson ? undefined : write(text)) });
  addReadingCommands(program, execute);
  addPublishingCommands(program, execute);
  addChangingCommands(program, execute);
  addInstalledCommands(program, execute);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

function print(command: string, outcome: Outcome, isJson: boolean, terminal: Terminal): void {
  const { status, data, warnings = [], next = [], text, error } = outcome;
  if (isJson) {
    const ok = error === undefined && status !== 'different';
    const envelope = { schema: `stackyard/${command}@1`, ok, status, data, warnings, next };
    writeJson(error === undefined ? envelope : { ...envelope, error: errorJson(error) });
    return;
  }
  for (const line of text) terminal.result(line);
  if (error !== undefined) sayError(error, terminal);
}

function fail(command: string, error: unknown, isJson: boolean, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_DONE;
    // Without a command commander prints the help, and says so with this code.
    if (error.code === 'commander.help') return EXIT_USAGE;
    const problem = error.message.replace(/^error: /, '');
    const usage = new ClientError('ERR_USAGE', problem, { hint: 'see stackyard --help' });
    if (isJson) writeJson(failure(command, usage));
    else terminal.hint('see stackyard --help');
    return EXIT_USAGE;
  }
  if (interruptedStatus !== 0) {
    const interrupted = new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
    if (isJson) writeJson(failure(command, interrupted));
    else terminal.error(interrupted.message);
    return interruptedStatus;
  }
  if (error instanceof StackyardError) {
    if (isJson) writeJson(failure(command, error));
    else sayError(error, terminal);
    return exitStatus(error);
  }
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (isJson)
    writeJson(failure(command, { code: 'ERR_INTERNAL', message: defect, hint: undefined }));
  else terminal.error(`This is a defect of stackyard: ${defect}`);
  return EXIT_INTERNAL;
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

function failure(command: string, error: Told): object {
  const schema = `stackyard/${command}@1`;
  const told = errorJson(error);
  return { schema, ok: false, status: 'error', data: {}, warnings: [], error: told, next: [] };
}

function errorJson({ code, message, hint = '' }: Told): object {
  return { code, message: printable(message), hint: printable(hint) };
}

function sayError({ message, hint }: Told, terminal: Terminal): void {
  terminal.error(message);
  if (hint !== undefined) terminal.hint(hint);
}

function writeJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
