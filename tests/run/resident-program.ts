/** The program of `runResident()`: evaluates one script after the other, each as if it had the process for itself. */
import { pathToFileURL } from 'node:url';
import type { Ended, ScriptRun } from './script-process.ts';

/** Listeners for them belong to the script that added them. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const { channel } = process;

let runs = 0;
let isRunning = false;
let read = (): Ended => ({ status: null, stdout: '', stderr: '' });

process.on('disconnect', () => process.exit());
process.on('message', (script: ScriptRun) => void run(script));
// A script ends when nothing is left for it to do, as its process would.
process.on('beforeExit', () => {
  if (!isRunning) return;
  isRunning = false;
  channel?.ref();
  process.send?.(read());
});

async function run({ file, args = [], cwd, env }: ScriptRun): Promise<void> {
  process.chdir(cwd);
  process.argv = [process.execPath, file, ...args];
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) process.env[name] = value;
  process.exitCode = undefined;
  const [out, errors] = [capture(process.stdout), capture(process.stderr)];
  read = () => {
    for (const name of SIGNALS) process.removeAllListeners(name);
    const status = Number(process.exitCode ?? 0);
    process.exitCode = undefined;
    return { status, stdout: out(), stderr: errors() };
  };
  isRunning = true;
  channel?.unref();
  try {
    // Evaluates the script again, and not what it imports.
    await import(`${pathToFileURL(file).href}?run=${(runs += 1)}`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
}

/** Takes over what is written to a stream; returns a function that ends this, and returns the text. */
function capture(stream: NodeJS.WriteStream): () => string {
  const write = stream.write.bind(stream);
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  return () => {
    stream.write = write;
    stream.removeAllListeners('error');
    return text;
  };
}
