/** A bash process that runs one command after the other: folders, variables and jobs stay, as in a terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Shell {
  /** Runs a command without input; standard output and standard error are one text. */
  readonly run: (command: string) => Promise<{ output: string; status: number; folder: string }>;
  /** Ends the shell and every process that it started. */
  readonly close: () => Promise<void>;
}

const MARK = '\u0001';

export function startShell(folder: string, variables: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: variables,
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own, so that `close` reaches the jobs.
    detached: true,
  });
  const exit = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { run, close };

  async function run(command: string): Promise<{ output: string; status: number; folder: string }> {
    output = '';
    child.stdin.write(`{ ${command}\n} 2>&1 < /dev/null\n`);
    child.stdin.write(`printf '\\001%s\\001%s\\001' "$?" "$PWD"\n`);
    while (output.split(MARK).length < 4) {
      await Promise.race([once(child.stdout, 'data'), exit]);
      if (child.exitCode !== null) throw new Error(`The shell ended in: ${command}`);
    }
    const [text = '', status = '', current = ''] = output.split(MARK);
    return { output: text, status: Number(status), folder: current };
  }

  async function close(): Promise<void> {
    process.kill(-child.pid!, 'SIGKILL');
    await exit;
  }
}
