/** Runs commands of a project with a limit of time, and ends all of their processes. */
import { randomUUID } from 'node:crypto';
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
  const quiet = { CI: 'true', NO_COLOR: '1' };
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
}

/** Processes inherit it, also those that leave the group: so all of them are found. */
const MARK = 'STACKYARD_RUN';

interface Running {
  readonly child: ChildProcess;
  /** What the environment of each process of the command has. */
  readonly mark: string;
  readonly ended: Promise<number>;
  readonly written: { stdout: string; output: string };
}

function start(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Running {
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows
    ? ['cmd.exe', ['/d', '/s', '/c', command]]
    : ['sh', ['-c', command]];
  const id = randomUUID();
  const child = startProgram(program, args, {
    cwd,
    env: environmentOf({ ...env, [MARK]: id }),
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
  return { child, mark: `${MARK}=${id}`, ended, written };
}

/** Ends the processes of a command, also those that outlive it or left its group. */
async function stop({ child, mark, ended }: Running): Promise<void> {
  const until = Date.now() + KILL_DELAY_MS;
  killGroup(child, 'SIGTERM');
  await Promise.race([ended, sleep(KILL_DELAY_MS, undefined, { ref: false })]);
  // Twice: one that becomes another program has no environment for a moment.
  for (let absent = 0; absent < 2 && Date.now() < until + KILL_DELAY_MS; await sleep(POLL_MS)) {
    const left = processesWith(mark);
    absent = left.length === 0 ? absent + 1 : 0;
    if (Date.now() < until) continue;
    for (const pid of left) tryTo(() => process.kill(pid, 'SIGKILL'));
  }
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
  { timeMs, signal }: RunOptions,
): Promise<Ran> {
  const running = start(command, cwd);
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
  { timeMs, signal }: RunOptions,
  work: (address: string) => Promise<Result>,
): Promise<Started<Result>> {
  const port = await freePort();
  const running = start(command, cwd, { PORT: String(port), HOST: '127.0.0.1', ...modeOf(cwd) });
  let hasEnded = false;
  void running.ended.then(() => (hasEnded = true));
  try {
    for (const until = Date.now() + timeMs; Date.now() < until;) {
      const found = await findAddress(port, running.mark);
      if (found !== undefined) {
        return { kind: 'listened', result: await work(found) };
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

/** Where the application listens: at the port that was given, or at another one, where the system shows it. */
async function findAddress(given: number, mark: string): Promise<string | undefined> {
  for (const port of [given, ...portsOf(mark)]) {
    // Servers for development often have one family of addresses only.
    for (const host of ['127.0.0.1', '::1']) {
      if (await isListening(port, host)) return `http://${host === '::1' ? '[::1]' : host}:${port}`;
    }
  }
  return undefined;
}

async function isListening(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (found: boolean) => (): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', end(true)).once('error', end(false));
    socket.setTimeout(1_000, end(false));
  });
}

const LISTENING = '0A';
/** Of a debugger. */
const INSPECTOR_PORT = 9229;

/** By /proc of Linux; empty on other systems. */
function processesWith(mark: string): number[] {
  const names = tryTo(() => readdirSync('/proc')) ?? [];
  return names.filter((name) => /^\d+$/.test(name) && hasMark(name, mark)).map(Number);
}

function hasMark(pid: string, mark: string): boolean {
  return tryTo(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))?.includes(mark) === true;
}

/** Sockets of processes have numbers. */
function portsOf(mark: string): number[] {
  const inodes = new Set<string>();
  for (const pid of processesWith(mark)) {
    for (const fd of tryTo(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
      const link = tryTo(() => readlinkSync(`/proc/${pid}/fd/${fd}`));
      const [, inode] = /^socket:\[(\d+)\]$/.exec(link ?? '') ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    (tryTo(() => readFileSync(file, 'utf8')) ?? '').split('\n').slice(1),
  );
  return rows.flatMap((row) => {
    const [, local = '', , state = '', , , , , , inode = ''] = row.trim().split(/\s+/);
    const isOwn = state === LISTENING && inodes.has(inode);
    const port = Number.parseInt(local.split(':')[1] ?? '', 16);
    return isOwn && port !== INSPECTOR_PORT ? [port] : [];
  });
}

function tryTo<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
