/** Runs a program of a measured project with a time limit, in a group of its own, without the secrets of this process. */
import { spawn } from 'node:child_process';

interface ProgramResult {
  readonly isOk: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT_CHARACTERS = 2_000_000;
const STEP_TIMEOUT_MS = 900_000;

/** What a program gets to see of the environment: settings of package managers, proxies and a browser, no tokens. */
const PASSED =
  /^(?:PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|CHROMIUM|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?:npm_config|pip|uv)_\w+|(?:https?|no|all)_proxy)$/i;
const SECRET = /token|secret|password|passwd|credential|_auth|key$/i;

/** The variables of `env` that programs of builds get. */
export function passedVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => PASSED.test(name) && !SECRET.test(name)),
  );
}

export async function runProgram(
  program: string,
  args: readonly string[],
  {
    cwd,
    env,
    input,
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
  timeoutMs: number = STEP_TIMEOUT_MS,
): Promise<ProgramResult> {
  const isGroup = process.platform !== 'win32';
  const child = spawn(program, args, {
    cwd,
    env,
    detached: isGroup,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program may end without reading it.
  child.stdin.on('error', () => undefined).end(input ?? '');
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout = (output.stdout + text).slice(0, MAX_OUTPUT_CHARACTERS);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(0, MAX_OUTPUT_CHARACTERS);
  });
  const stop = (): void => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch {
      // It has already exited.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  // A signal to this process reaches the group of the child through this.
  process.once('exit', stop);
  const status = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output.stderr += `Error: ${error.message}\n`;
      resolve(127);
    });
    child.on('close', resolve);
  });
  clearTimeout(timer);
  process.off('exit', stop);
  // What it has started and left behind.
  stop();
  if (isLate) output.stderr = `Error: no end after ${timeoutMs / 1000} s\n${output.stderr}`;
  return { isOk: status === 0 && !isLate, ...output };
}
