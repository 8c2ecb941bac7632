/** A command line of the client, run in this process: its outcome, or the error that it ends with. */
import { makeProgram } from '../../client/program.ts';
import type { Outcome } from '../../client/terminal/command.ts';
import { SILENT } from '../../client/terminal/terminal.ts';

/** The outcome, and the warnings that were printed while the command ran. */
export type CommandRun = Outcome & { readonly printed: readonly string[] };

/** @throws {StackyardError} that of the command; nothing is printed */
export async function runCommand(...args: readonly string[]): Promise<CommandRun> {
  const printed: string[] = [];
  let ended: Outcome | undefined;
  const program = makeProgram({
    chosen: () => {},
    helped: () => {},
    output: { out: () => {}, error: () => {} },
    execute: async (_command, run) => {
      const terminal = { ...SILENT, warn: (line: string): void => void printed.push(line) };
      const { signal } = new AbortController();
      ended = await run({ terminal, signal, approve: async () => {}, ask: async () => {} });
    },
  });
  await program.parseAsync(['node', 'stackyard', ...args]);
  if (ended === undefined) throw new Error(`No command was run: ${args.join(' ')}`);
  return { ...ended, printed };
}
