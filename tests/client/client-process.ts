/** The program `stackyard`, run as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import '../run/global-setup.ts';

/** The file of the program. */
export const MAIN: string = inject('programs').client;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClientRun {
  /** The working folder. */
  readonly cwd: string;
  /** The file of the program; by default `MAIN`. */
  readonly program?: string | undefined;
  /** Environment variables on top of those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the program reads; by default nothing. */
  readonly input?: string | undefined;
  /** Sends the program SIGINT, or SIGTERM where that is the reason. */
  readonly interruption?: AbortSignal | undefined;
}

/** Runs the program to its end. */
export async function runClient(args: readonly string[], run: ClientRun): Promise<Ended> {
  const child = spawn(process.execPath, [run.program ?? MAIN, ...args], {
    cwd: run.cwd,
    env: { ...process.env, NO_COLOR: '1', ...run.variables },
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  run.interruption?.addEventListener('abort', () => {
    child.kill(run.interruption?.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
  });
  // A program that ends before it has read everything is no fault of the test.
  child.stdin?.on('error', () => {}).end(run.input);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}
