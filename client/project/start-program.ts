/**
 * Starts programs of others: package managers, git, Python. A name is looked up on the PATH only, never in
 * the folder that a command works in, which may be hostile. On Windows, package managers are `.cmd` files,
 * for which `cross-spawn` writes the command line of `cmd.exe`.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import spawn from 'cross-spawn';
import { programPath } from './safe-path.ts';

/** Characters that no command line of Windows can quote. */
// oxlint-disable-next-line no-control-regex
const UNQUOTABLE = /[\0\r\n]/;

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

interface CaptureOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The standard output of a program that ends with status 0; `undefined` for every failure. */
export function captureProgram(
  program: string,
  args: readonly string[],
  options: CaptureOptions,
): Promise<string | undefined> {
  const { cwd = '.', env, timeoutMs, maxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'ignore'];
      const more = {
        ...(env === undefined ? {} : { env }),
        ...(signal === undefined ? {} : { signal }),
      };
      child = startProgram(program, args, { cwd, stdio, ...more });
    } catch {
      resolve(undefined);
      return;
    }
    // The option `timeout` of Node.js keeps its timer when a program cannot be started.
    const timer = setTimeout(() => child.kill(), timeoutMs);
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) child.kill();
      else chunks.push(chunk);
    });
    const end = (isGood: boolean): void => {
      clearTimeout(timer);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve(isGood && length <= maxBytes ? Buffer.concat(chunks).toString() : undefined);
    };
    child.on('error', () => end(false));
    child.on('close', (status) => end(status === 0));
  });
}

function locate(program: string, cwd: string): string {
  if (isAbsolute(program)) return program;
  if (/[\\/]/.test(program)) return join(cwd, program);
  const found = programPath(program);
  if (found !== undefined) return found;
  throw new Error(`there is no program "${program}" on the path`);
}
