/** A command line of the client, run in this process: its outcome, or the error that it ends with. */
import { readCommandLine } from '../../format/command/command.ts';
import { PROGRAM, globalOptions } from '../../client/program.ts';
import { ClientError } from '../../client/errors.ts';
import { askWith, openAsk } from '../../client/terminal/ask.ts';
import { printWarnings, SILENT, type Outcome } from '../../client/terminal/command.ts';
import type { RunContext } from '../../client/terminal/options.ts';

/** The outcome, and the warnings that were printed while the command ran. */
export type CommandRun = Outcome & { readonly printed: readonly string[] };

/** @throws {StackyardError} that of the command; nothing is printed */
export async function runCommand(...args: readonly string[]): Promise<CommandRun> {
  const printed: string[] = [];
  const reading = await readCommandLine(PROGRAM, args);
  if (reading.kind !== 'run') throw new Error(`No command was run: ${args.join(' ')}`);
  const terminal = { ...SILENT, warn: (line: string): void => void printed.push(line) };
  const { signal } = new AbortController();
  const outcome = await reading.command.run(reading.input as never, globalOptions(reading.shared), {
    program: PROGRAM,
    terminal,
    signal,
    note: terminal.message,
    canAsk: false,
    ask: openAsk(false, true, signal),
  });
  const { warnings = [], isAnnounced } = outcome;
  if (isAnnounced !== true) printWarnings({ warnings }, { terminal });
  return { ...outcome, printed };
}

/** A user who types `answers`, an empty one for the default, and then ends the input. @param asked gets what is printed */
export function typing(answers: readonly string[], asked: string[]): RunContext {
  const left = [...answers];
  const ask = askWith(async (lines, prompt) => {
    asked.push([...lines, prompt].join('\n'));
    const typed = left.shift();
    if (typed === undefined) throw new ClientError('ERR_INTERRUPTED', 'Interrupted');
    return typed;
  });
  const { signal } = new AbortController();
  return { program: PROGRAM, terminal: SILENT, note: SILENT.message, canAsk: true, ask, signal };
}
