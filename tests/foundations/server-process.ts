// Runs a server of a starter as a process of its own, on a free port, and keeps what it prints.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a server may take until it responds to `/health`. */
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** What it has written to standard output and to standard error. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<Exit>;
  /** Ends it at once. */
  readonly stop: () => Promise<void>;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to `PATH` and the folder of compiled code, which are all that is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** It starts the server as another process: all that it has started ends with it. */
  readonly isGroup?: boolean;
}

/** Runs `command`, of which the server is expected to listen on `port`, without waiting for it. */
export function runServer(
  { file, args, cwd, env, isGroup = false }: Command,
  port: number,
): ServerProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(file, args, {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Exit);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    stop: async () => {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Runs `command` and waits until the server responds to `/health`. */
export async function startServer(command: Command, port: number): Promise<ServerProcess> {
  const server = runServer(command, port);
  let hasExited = false;
  void server.exit.then(() => (hasExited = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!hasExited && Date.now() < deadline) {
    const response = await fetch(`${server.url}/health`).catch(() => undefined);
    if (response?.status === 200) return server;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await server.stop();
  throw new Error(`The server did not start: ${server.stdout()}${server.stderr()}`);
}

/** Waits until `condition` returns a value, and returns that value. */
export async function until<T>(condition: () => T | undefined | false): Promise<T> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const value = condition();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('What was waited for did not happen');
}
