// The service as operators run it: compiled, a process of its own, configured by its environment alone.

import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOnce } from '../run/make-once.ts';

export interface BuiltService {
  /**
   * Starts a process with these variables, that of compiled code, and NODE_ENV as in development, and no others, in a
   * working folder of its own.
   */
  run(env?: Readonly<Record<string, string>>): ServiceProcess;
  /** Runs `npm run auth` in the repository and waits until it listens. */
  startScript(env?: Readonly<Record<string, string>>): Promise<RunningService>;
  /** Starts a process and waits until it listens, on a free port of the loopback interface. */
  start(env?: Readonly<Record<string, string>>): Promise<RunningService>;
  /** The working folder of all processes. */
  readonly folder: string;
  /** Ends what is still running and deletes the folders. */
  remove(): void;
}

export interface ServiceProcess {
  readonly process: ChildProcess;
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string };
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface RunningService extends ServiceProcess {
  readonly url: string;
  kill(signal: NodeJS.Signals): Promise<{ readonly code: number | null }>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, `undefined` without one. */
  readonly body: {
    readonly user: { readonly id: number; readonly email: string };
    readonly token: string;
    readonly error: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
}

const ROOT = join(import.meta.dirname, '..', '..');
const START_TIMEOUT_MS = 20_000;

/** The service, compiled once in a run. */
export async function buildService(): Promise<BuiltService> {
  const dist = await makeOnce('auth-service', compileService);
  const main = join(dist, 'auth-service', 'main.js');
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-'));
  const children = new Set<ChildProcess>();

  const remove = (): void => {
    process.off('exit', remove);
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // A test run that is ended in the middle leaves no process behind.
  process.once('exit', remove);

  const watch = (child: ChildProcessWithoutNullStreams): ServiceProcess => {
    children.add(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (output.stderr += text));
    const exit = once(child, 'close').then(([code, signal]) => {
      children.delete(child);
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
    return { process: child, output, exit };
  };

  const run: BuiltService['run'] = (env = {}) => {
    const all = {
      NODE_ENV: 'development',
      ...env,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    };
    return watch(
      spawn(process.execPath, ['--enable-source-maps', main], { cwd: folder, env: all }),
    );
  };

  return {
    folder,
    run,
    start: (env = {}) => toRunning(run({ HOST: '127.0.0.1', PORT: '0', ...env })),
    startScript(env = {}) {
      const { PATH = '', HOME = '' } = process.env;
      const mode = { NODE_ENV: 'development' };
      const all = { PATH, HOME, HOST: '127.0.0.1', PORT: '0', ...mode, ...env };
      return toRunning(watch(spawn('npm', ['run', 'auth'], { cwd: ROOT, env: all })));
    },
    remove,
  };
}

function compileService(folder: string): void {
  // The packages of the service are found, as in the repository.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(ROOT, 'auth-service'), '--outDir', folder];
  execFileSync(process.execPath, args);
}

/** Sends a request; `body` as JSON. Rejects when the connection breaks. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
  const parsed = (isJson ? JSON.parse(text) : undefined) as Answer['body'];
  return { status: answer.status, headers: answer.headers, text, body: parsed };
}

/** What a busy client has seen. */
interface Asked {
  readonly statuses: ReadonlySet<number>;
  /** Of requests that were sent and have no complete answer: the codes of their errors. */
  readonly broken: readonly string[];
}

/** Sends one request after the other, on one connection until an answer closes it, until the server is gone. */
export async function askUntilRefused(url: string): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses = new Set<number>();
  const broken: string[] = [];
  for (let isRefused = false; !isRefused;) {
    try {
      const [answer] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage];
      statuses.add(answer.statusCode ?? 0);
      answer.resume();
      await once(answer, 'end');
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      isRefused = code === 'ECONNREFUSED';
      if (!isRefused) broken.push(code);
    }
  }
  agent.destroy();
  return { statuses, broken };
}

/** The header of a login token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Lines of the log, parsed. */
export function readLog({ output }: ServiceProcess): Record<string, unknown>[] {
  return output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function toRunning(started: ServiceProcess): Promise<RunningService> {
  const port = await waitForPort(started);
  return {
    ...started,
    url: `http://127.0.0.1:${port}`,
    async kill(signal) {
      started.process.kill(signal);
      return started.exit;
    },
  };
}

async function waitForPort(started: ServiceProcess): Promise<number> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && started.process.exitCode === null) {
    const complete = { ...started, output: { ...started.output, stdout: completeLines(started) } };
    const line = readLog(complete).find(({ msg }) => msg === 'The service is listening');
    if (line) return line['port'] as number;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { stdout, stderr } = started.output;
  throw new Error(`The service did not start:\n${stdout}\n${stderr}`);
}

function completeLines({ output: { stdout } }: ServiceProcess): string {
  return stdout.slice(0, stdout.lastIndexOf('\n') + 1);
}
