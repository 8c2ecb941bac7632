/**
 * Measures deployments against `aws s3 sync`, on the same index, each to a server of its own (moto): the first upload at the same
 * time, publications one after the other.
 *
 *     npm run bench:deploy -- [--builds N] [--folder DIR] [--packages DIR]
 *
 * `--packages`: a folder that has moto and awscli from PyPI; by default they are installed for the run. Prints for the first upload objects per second of both, and for one publication in the finished registry the seconds
 * of both, with their ratios. The programs are started as users start them. `aws s3 sync` compares sizes and times; it
 * cannot keep the order in which documents may appear.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../tools/free-port.ts';
import { print } from './measured-process.ts';
import { makeRepository, publishOne } from './made-repository.ts';

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '10000' },
    folder: { type: 'string', default: '/dev/shm' },
    packages: { type: 'string' },
  },
});
const builds = Number(values.builds);
const folder = mkdtempSync(join(values.folder, 'stackyard-bench-'));
const [repository, index] = [join(folder, 'repository'), join(folder, 'index')];
const packages = values.packages ?? join(folder, 'python');
const MAIN = join(import.meta.dirname, '../generator/main.ts');
const FILES = 4;
const PUBLICATIONS = 3;

const env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: 'testing',
  AWS_SECRET_ACCESS_KEY: 'testing',
  AWS_DEFAULT_REGION: 'us-east-1',
  PYTHONPATH: packages,
};

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const pip = ['-m', 'pip', 'install', '-q', '--target', packages];
  if (values.packages === undefined) {
    run('python3', [...pip, 'moto[s3,server]==5.2.5', 'awscli==1.46.3']);
  }
  await makeRepository(repository, { builds, versions: 1, files: FILES });
  generate();
  const objects = readdirSync(index, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
  print('index', `${builds} builds, ${objects} objects`);
  const [ours, theirs] = [await makeBucket('ours'), await makeBucket('theirs')];
  const deploy = (): Promise<Measured> =>
    measure(process.execPath, [
      MAIN,
      'deploy',
      `s3://${ours.bucket}`,
      '--endpoint',
      ours.endpoint,
      '--out',
      index,
    ]);
  const sync = (): Promise<Measured> => {
    const words = ['s3', 'sync', index, `s3://${theirs.bucket}`, '--delete', '--only-show-errors'];
    return measure('python3', ['-m', 'awscli', ...words, '--endpoint-url', theirs.endpoint]);
  };
  // Side by side: what else the machine does slows both down.
  const first = await Promise.all([deploy(), sync()]);
  report('first upload', first, objects);
  for (let round = 0; round < PUBLICATIONS; round += 1) {
    await publishOne(repository, 7, 1 + round, FILES, builds + 1 + round);
    generate();
    // One after the other: the first to end would leave the machine to the other one.
    const both = [await deploy(), await sync()];
    // The first one fills the cache of digests.
    if (round > 0) report('one publication', both, 1);
  }
}

interface Measured {
  readonly seconds: number;
  /** Of the program, without the store. */
  readonly processor: number;
}

function report(what: string, [ours, theirs]: readonly Measured[], objects: number): void {
  for (const [name, one] of [
    ['deploy', ours!],
    ['aws s3 sync', theirs!],
  ] as const) {
    const rate = objects === 1 ? '' : `, ${(objects / one.seconds).toFixed(0)} objects/s`;
    print(`${what}, ${name}`, `${textOf(one)}${rate}`);
  }
  const [clock, processor] = [theirs!.seconds / ours!.seconds, theirs!.processor / ours!.processor];
  print(
    '  ratio',
    `${clock.toFixed(2)} x by the clock, ${processor.toFixed(2)} x by the processor`,
  );
}

function textOf({ seconds, processor }: Measured): string {
  return `${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s`;
}

function generate(): void {
  run(process.execPath, [
    MAIN,
    'generate',
    '--repo',
    repository,
    '--out',
    index,
    '--no-client',
    '--no-site',
  ]);
}

async function measure(program: string, args: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const child = spawn('/usr/bin/time', ['-f', '%U %S', program, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));
  const [status] = (await once(child, 'close')) as [number];
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(stderr);
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { seconds, processor: user + system };
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A bucket in a server of its own. */
async function makeBucket(name: string): Promise<{ bucket: string; endpoint: string }> {
  const [bucket, endpoint] = [`${name}-bench`, await startMoto()];
  await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  return { bucket, endpoint };
}

async function startMoto(): Promise<string> {
  const port = await findFreePort();
  const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const server = spawn('python3', args, { env, stdio: 'ignore' });
  process.once('exit', () => server.kill('SIGKILL'));
  server.unref();
  const endpoint = `http://127.0.0.1:${port}`;
  for (;;) {
    if (
      await fetch(endpoint).then(
        () => true,
        () => false,
      )
    )
      return endpoint;
    await wait(100);
  }
}
