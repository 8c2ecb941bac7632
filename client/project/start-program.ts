/**
 * Starts programs of others: package managers, git, Python. A name is looked up on the PATH only, never in
 * the folder that a command works in, which may be hostile. On Windows, package managers are `.cmd` files,
 * for which `cross-spawn` writes the command line of `cmd.exe`.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import spawn from 'cross-spawn';
import { programPath } from './find-program.ts';

/** Characters that no command line of Windows can quote. */
// oxlint-disable-next-line no-control-regex
const UNQUOTABLE = /[\0\r\n]/;

/** The variables with which a run of GitHub Actions signs in its own name. */
const CI_IDENTITY = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'];

/** The environment of a program that must not sign anything, such as a test. */
export function withoutIdentity(
  env: Readonly<Record<string, string | undefined>>,
): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !CI_IDENTITY.includes(name)));
}

interface StartOptions extends SpawnOptions {
  /** The folder that the program works in. */
  readonly cwd: string;
}

/**
 * @param program a name, or a path relative to `cwd`
 * @throws {Error} when the PATH has no such program; {TypeError} for an argument with a line break or NUL
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: StartOptions,
): ChildProcess {
  if ([program, ...args].some((word) => UNQUOTABLE.test(word))) {
    throw new TypeError(`an argument of ${program} has a line break or NUL`);
  }
  return spawn(locate(program, options.cwd), [...args], { ...options, shell: false });
}

export interface CaptureOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** For its standard input, which is closed without it. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Of what it writes, UTF-8 by default. */
  readonly encoding?: BufferEncoding;
  readonly signal?: AbortSignal | undefined;
  /** What it writes to its standard error is dropped by default: what it leaves running may keep that open. */
  readonly errors?: 'pipe';
  /** Looked at twice a second: what it states ends the program. */
  readonly watch?: () => string | undefined;
}

/** What came of a program: its end, or why it was not started or ended by us. */
export type Ran =
  | { readonly status: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly problem: string };

const WATCH_MS = 500;

/**
 * Runs a program to its end or to a limit, with all that it started. It has no terminal: nothing that it starts can ask there.
 * @throws what `signal` is aborted with
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: CaptureOptions,
): Promise<Ran> {
  const { cwd = '.', env, timeoutMs, maxBytes, signal, watch } = options;
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    const isWindows = process.platform === 'win32';
    try {
      const more = env === undefined ? {} : { env };
      const stdio: SpawnOptions['stdio'] = ['pipe', 'pipe', options.errors ?? 'ignore'];
      // A session of its own ends as a whole.
      const own = { detached: !isWindows, windowsHide: true };
      child = startProgram(program, args, { cwd, stdio, ...own, ...more });
    } catch {
      resolve({ problem: 'it cannot be started' });
      return;
    }
    const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    let length = 0;
    const end = (ran: Ran): void => {
      clearTimeout(timer);
      clearInterval(watching);
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve(ran);
    };
    // Not after a normal end: what a program leaves running on purpose, such as a cache, stays.
    const stop = (problem: string): void => {
      killGroup(child, 'SIGKILL');
      for (const name of ['stdout', 'stderr'] as const) child[name]?.destroy();
      end({ problem });
    };
    const abort = (): void => stop('it was aborted');
    // The option `timeout` of Node.js keeps its timer when a program cannot be started.
    const timer = setTimeout(() => stop(`no answer in ${timeoutMs / 1000} seconds`), timeoutMs);
    const watching =
      watch &&
      setInterval(() => {
        const problem = watch();
        if (problem !== undefined) stop(problem);
      }, WATCH_MS);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        length += chunk.length;
        written[name].push(chunk);
        if (length > maxBytes) stop('its answer is too long');
      });
    }
    // One that does not read its input has closed it.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
    child.on('error', () => end({ problem: 'it cannot be started' }));
    child.on('close', (status) => {
      const [stdout, stderr] = [written.stdout, written.stderr].map((one) =>
        Buffer.concat(one).toString(options.encoding),
      );
      end({ status, stdout: stdout!, stderr: stderr! });
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort);
  });
}

/** Ends a program that was started detached, with all that it started. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** The standard output of a program that ends with status 0; `undefined` for every failure. */
export async function captureProgram(
  program: string,
  args: readonly string[],
  options: CaptureOptions,
): Promise<string | undefined> {
  const ran = await runProgram(program, args, options);
  return 'problem' in ran || ran.status !== 0 ? undefined : ran.stdout;
}

function locate(program: string, cwd: string): string {
  if (isAbsolute(program)) return program;
  if (/[\\/]/.test(program)) return join(cwd, program);
  const found = programPath(program);
  if (found !== undefined) return found;
  throw new Error(`there is no program "${program}" on the path`);
}
