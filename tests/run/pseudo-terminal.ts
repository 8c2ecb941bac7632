/** Runs a program at a terminal of its own, as a user does, by the module `pty` of Python. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SCRIPT = join(import.meta.dirname, 'pseudo-terminal.py');

/** What the user does when the terminal shows a text: types, or closes it. */
export type TerminalStep =
  | { readonly at: string; readonly type: string }
  | { readonly at: string; readonly close: true };

interface TerminalRun {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly steps: readonly TerminalStep[];
}

/** Runs `command` to its end; the status of a signal is negative. */
export async function runAtTerminal(
  command: readonly string[],
  { cwd = '.', env, steps }: TerminalRun,
): Promise<{ readonly status: number; readonly shown: string }> {
  const child = spawn('python3', [SCRIPT, JSON.stringify({ command, steps })], {
    cwd,
    env: { ...process.env, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(printed) as { status: number; shown: string };
}
