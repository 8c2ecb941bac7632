/** A command line of the client, run in this process: its outcome, or the error that it ends with. */
import { readCommandLine } from '../../format/command/command.ts';
import { PROGRAM, globalOptions } from '../../client/program.ts';
import { SILENT, type Outcome } from '../../client/terminal/command.ts';

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
    approve: async () => {},
    ask: async () => {},
  });
  return { ...outcome, printed };
}
