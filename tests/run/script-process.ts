/** Runs a script as a program: with a working folder, an environment, an output and an exit status of its own. */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ScriptRun {
  /** The absolute path of the script. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads; by default nothing. */
  readonly input?: string | undefined;
  /** Sends it SIGINT, or SIGTERM where that is the reason. */
  readonly interruption?: AbortSignal | undefined;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const RESIDENT = join(import.meta.dirname, 'resident-program.ts');

let resident: ChildProcess | undefined;
let isBusy = false;

/** Runs a script to its end, in a process of its own. */
export async function runProcess(script: ScriptRun): Promise<Ended> {
  const { file, args = [], cwd, env, input, interruption } = script;
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  interruption?.addEventListener('abort', () => {
    child.kill(interruption.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
  });
  // A program that ends before it has read everything is no fault of the test.
  child.stdin?.on('error', () => {}).end(input);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/**
 * Runs a script to its end, in a process that stays for the next one. What the scripts import is loaded and compiled
 * once, which takes several times as long as most of them. For tests that are about what a program does, not about
 * its process. A script with input or signals has a process of its own, as has one that starts while another runs.
 */
export async function runResident(script: ScriptRun): Promise<Ended> {
  if (isBusy || script.input !== undefined || script.interruption !== undefined) {
    return runProcess(script);
  }
  isBusy = true;
  try {
    return await send(script);
  } finally {
    isBusy = false;
  }
}

function send(script: ScriptRun): Promise<Ended> {
  const child = (resident ??= fork(RESIDENT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  return new Promise((resolve, reject) => {
    const onEnd = (ended: Ended): void => {
      child.off('exit', onExit);
      resolve(ended);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      child.off('message', onEnd);
      resident = undefined;
      // A test may kill it, as any process.
      if (signal !== null) resolve({ status: null, stdout: '', stderr: '' });
      else reject(new Error(`The process ended in ${script.file} with status ${code}`));
    };
    child.once('message', onEnd).once('exit', onExit).send(script);
  });
}
