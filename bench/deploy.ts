/**
 * Measures deployments against `aws s3 sync`, on the same index, to the same store (moto), in the same run.
 *
 *     npm run bench:deploy -- [--builds N] [--folder DIR] [--packages DIR]
 *
 * `--packages`: a folder that has moto and awscli from PyPI; by default they are installed for the run. Prints for the first upload objects per second of both, and for one publication in the finished registry the seconds
 * of both, with their ratios. The programs are started as users start them. `aws s3 sync` compares sizes and times; it
 * cannot keep the order in which documents may appear.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../tools/free-port.ts';
import { print } from './figures.ts';
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
const COMMANDS = join(import.meta.dirname, '../generator/commands');
const FILES = 4;

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
  const endpoint = await startMoto();
  const deploy = (bucket: string): number =>
    measure(process.execPath, [
      join(COMMANDS, 'deploy.ts'),
      `s3://${bucket}`,
      '--endpoint',
      endpoint,
      '--out',
      index,
    ]);
  const sync = (bucket: string): number => {
    const words = ['s3', 'sync', index, `s3://${bucket}`, '--delete', '--only-show-errors'];
    return measure('python3', ['-m', 'awscli', ...words, '--endpoint-url', endpoint]);
  };
  for (const bucket of ['ours', 'theirs'])
    await fetch(`${endpoint}/${bucket}-bench`, { method: 'PUT' });
  const first = { ours: deploy('ours-bench'), theirs: sync('theirs-bench') };
  for (const [name, seconds] of Object.entries(first)) {
    print(
      `first upload, ${nameOf(name)}`,
      `${seconds.toFixed(1)} s, ${(objects / seconds).toFixed(0)} objects/s`,
    );
  }
  print('  ratio', `${(first.theirs / first.ours).toFixed(2)} x as fast`);
  // The first one fills the cache of digests.
  for (let round = 0; round < 4; round += 1) {
    await publishOne(repository, 7, 1 + round, FILES, builds + 1 + round);
    generate();
    const one = { ours: deploy('ours-bench'), theirs: round === 3 ? sync('theirs-bench') : 0 };
    print(`one publication, ${nameOf('ours')}`, `${one.ours.toFixed(2)} s`);
    if (round < 3) continue;
    print(`four publications, ${nameOf('theirs')}`, `${one.theirs.toFixed(2)} s`);
    print('  ratio of the last', `${(one.theirs / one.ours).toFixed(1)} x as fast`);
  }
}

function nameOf(side: string): string {
  return side === 'ours' ? 'deploy' : 'aws s3 sync';
}

function generate(): void {
  run(process.execPath, [
    join(COMMANDS, 'generate.ts'),
    '--repo',
    repository,
    '--out',
    index,
    '--no-client',
    '--no-site',
  ]);
}

function measure(program: string, args: readonly string[]): number {
  const started = performance.now();
  run(program, args);
  return (performance.now() - started) / 1000;
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
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
