/** Runs a program and measures it by GNU time: with the processes that it starts, such as git. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

interface MeasuredProcess {
  readonly seconds: number;
  /** User and system time, which other work on the machine affects least. */
  readonly processor: number;
  /** Highest resident memory of one of its processes. */
  readonly peakMb: number;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Does not block: a server in this process can answer the program.
 * @param processors that it may use at most, where the system can hold it there; by default all
 */
export async function measureProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  processors?: number,
): Promise<MeasuredProcess> {
  const started = performance.now();
  const held = processors === undefined ? [] : onProcessors(processors);
  const command = ['-f', '%U %S %M', ...held, process.execPath, ...args];
  const child = spawn('/usr/bin/time', command, { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  const seconds = (performance.now() - started) / 1000;
  const [user = 0, system = 0, peakKb = 0] = (stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, processor: user + system, peakMb: peakKb / 1024, status, stdout, stderr };
}

function onProcessors(count: number): string[] {
  const command = ['taskset', '-c', `0-${count - 1}`];
  return spawnSync(command[0]!, [...command.slice(1), 'true']).status === 0 ? command : [];
}
