/** Runs commands of a project with a limit of time, and ends all of their processes. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { readText } from '../project/read-file.ts';
import { killGroup, startProgram, withoutIdentity } from '../project/start-program.ts';

export interface Ran {
  /** Its exit status; `undefined` when it was ended at the limit of time. */
  readonly status: number | undefined;
  /** What it wrote to its standard output, and to both streams. */
  readonly stdout: string;
  readonly output: string;
}

const MAX_OUTPUT_CHARACTERS = 2_000_000;
const KILL_DELAY_MS = 2_000;
const POLL_MS = 50;

/** Tools that watch for changes, ask or colour, do none of it. */
function environmentOf(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...env } = withoutIdentity(process.env);
  const quiet = { CI: 'true', NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1' };
  return { ...env, ...quiet, ...more };
}

/** Nothing is deployed here: where nobody chose otherwise, applications run for development. */
function modeOf(cwd: string): NodeJS.ProcessEnv {
  const files = ['.env', '.env.local'].map((name) => parseEnv(readText(join(cwd, name))));
  const unset = ['NODE_ENV', 'APP_ENV'].filter((name) =>
    [process.env, ...files].every((variables) => (variables[name] ?? '') === ''),
  );
  return Object.fromEntries(unset.map((name) => [name, 'development']));
}

export interface RunOptions {
  readonly timeMs: number;
  readonly signal: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  readonly written: { stdout: string; output: string };
}

function start(command: string, cwd: string, env: NodeJS.ProcessEnv): Running {
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows
    ? ['cmd.exe', ['/d', '/s', '/c', command]]
    : ['sh', ['-c', command]];
  const child = startProgram(program, args, {
    cwd,
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it starts is ended with it.
    detached: !isWindows,
  });
  const written = { stdout: '', output: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written.output = (written.output + text).slice(-MAX_OUTPUT_CHARACTERS);
      if (name === 'stdout')
        written.stdout = (written.stdout + text).slice(0, MAX_OUTPUT_CHARACTERS);
    });
  }
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (status) => resolve(status ?? 1));
  });
  return { child, ended, written };
}

/** Ends the processes of a command, also those that outlive it. */
async function stop({ child, ended }: Running): Promise<void> {
  killGroup(child, 'SIGTERM');
  await Promise.race([ended, sleep(KILL_DELAY_MS, undefined, { ref: false })]);
  killGroup(child, 'SIGKILL');
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * Runs `command` in the folder `cwd` to its end, or to the limit.
 * @throws what `signal` is aborted with, after its processes ended
 */
export async function runLimited(
  command: string,
  cwd: string,
  { timeMs, signal, env = {} }: RunOptions,
): Promise<Ran> {
  const running = start(command, cwd, env);
  try {
    // The command keeps the process alive, and the timer does not.
    const limit = sleep(timeMs, undefined, { signal, ref: false });
    const status = await Promise.race([running.ended, limit]);
    // What it has written arrives with the end of its streams.
    if (status !== undefined) await sleep(POLL_MS);
    return { status, ...running.written };
  } finally {
    await stop(running);
  }
}

/** Why an application did not answer, or what `work` found out while it listened. */
export type Started<Result> =
  | { readonly kind: 'listened'; readonly result: Result }
  | { readonly kind: 'silent' | 'ended'; readonly output: string };

/**
 * Starts an application with a free port in `PORT`, and works with it while it listens, wherever that is on this machine.
 * @throws what `signal` is aborted with, after its processes ended
 */
export async function withApplication<Result>(
  command: string,
  cwd: string,
  { timeMs, signal, env = {} }: RunOptions,
  work: (address: string) => Promise<Result>,
): Promise<Started<Result>> {
  const port = await freePort();
  const here = { PORT: String(port), HOST: '127.0.0.1', ...modeOf(cwd) };
  const running = start(command, cwd, { ...env, ...here });
  let hasEnded = false;
  void running.ended.then(() => (hasEnded = true));
  try {
    for (const until = Date.now() + timeMs; Date.now() < until;) {
      const found = await listeningPort(port, running.child.pid ?? 0);
      if (found !== undefined) {
        return { kind: 'listened', result: await work(`http://127.0.0.1:${found}`) };
      }
      if (hasEnded) return { kind: 'ended', output: running.written.output };
      await sleep(POLL_MS, undefined, { signal });
    }
    return { kind: 'silent', output: running.written.output };
  } finally {
    await stop(running);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The port that was given, or another one that a process of the group listens on, where the system shows it. */
async function listeningPort(given: number, group: number): Promise<number | undefined> {
  if (await isListening(given)) return given;
  for (const port of portsOf(group)) if (await isListening(port)) return port;
  return undefined;
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (found: boolean) => (): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', end(true)).once('error', end(false));
    socket.setTimeout(1_000, end(false));
  });
}

const LISTENING = '0A';

/** By /proc of Linux, where sockets of processes have numbers; empty on other systems. */
function portsOf(group: number): number[] {
  try {
    const inodes = new Set<string>();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
      const [, , of] = (status?.slice(status.lastIndexOf(')') + 2) ?? '').split(' ');
      if (Number(of) !== group) continue;
      for (const fd of tryRead(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
        const link = tryRead(() => readlinkSync(`/proc/${pid}/fd/${fd}`));
        const [, inode] = /^socket:\[(\d+)\]$/.exec(link ?? '') ?? [];
        if (inode !== undefined) inodes.add(inode);
      }
    }
    const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      (tryRead(() => readFileSync(file, 'utf8')) ?? '').split('\n').slice(1),
    );
    return rows.flatMap((row) => {
      const [, local = '', , state = '', , , , , , inode = ''] = row.trim().split(/\s+/);
      const isOwn = state === LISTENING && inodes.has(inode);
      return isOwn ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
    });
  } catch {
    return [];
  }
}

function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
