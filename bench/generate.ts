/**
 * Speed and memory of the generator, as ratios to a floor that is measured in the same rounds.
 *
 *     npm run bench -- [--builds N] [--versions N] [--rounds N]
 *
 * The floor and the run with one thread are held on one processor, the run with two on two. Prints the
 * best of all rounds, which what else the machine does disturbs least: full run with one
 * thread and with two, floor, one incremental publication; the highest peak memory, and the same with a
 * third of the versions.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository, publishOne } from './made-repository.ts';
import { repositoryOptions } from './repository-options.ts';

const options = repositoryOptions({ builds: 2_000, versions: 3, files: 8, rounds: 3 });
const { builds, versions, files, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-bench-'));
const GENERATE = join(import.meta.dirname, '../generator/commands/generate.ts');
/** As in the script `generate` of package.json. */
const NODE_FLAGS = ['--max-semi-space-size=8'];
const FLOOR = join(import.meta.dirname, 'floor.ts');

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const repository = join(folder, 'repository');
  await makeRepository(repository, { builds, versions, files });
  const reference = join(folder, 'reference');
  generate(repository, reference, ['--full']);
  const one: Measured[] = [];
  const two: Measured[] = [];
  const floor: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(measureFloor(repository, reference));
    one.push(measureFull(repository, 1));
    two.push(measureFull(repository, 2));
  }
  const total = builds * versions;
  const base = best(floor);
  print('versions', `${total} (${builds} builds x ${versions} versions x ${files} files)`);
  print('floor, one process', `${base.toFixed(2)} s, ${(total / base).toFixed(0)} versions/s`);
  for (const [name, runs] of [
    ['full, one thread', one],
    ['full, two threads', two],
  ] as const) {
    const seconds = best(runs);
    print(
      name,
      `${seconds.toFixed(2)} s, ${(total / seconds).toFixed(0)} versions/s, ${(seconds / base).toFixed(2)} x floor`,
    );
  }
  print('peak memory, one thread', `${Math.max(...one.map((m) => m.peakMb)).toFixed(0)} MB`);
  print('peak memory, two threads', `${Math.max(...two.map((m) => m.peakMb)).toFixed(0)} MB`);
  await measureIncremental(repository, reference, best(one));
  await measureThird();
}

async function measureIncremental(repository: string, out: string, full: number): Promise<void> {
  const runs: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await publishOne(repository, 7, 100 + round, files);
    runs.push(generate(repository, out, ['--threads', '1']));
  }
  const seconds = best(runs);
  print(
    'incremental, one publication',
    `${seconds.toFixed(2)} s, ${((100 * seconds) / full).toFixed(1)} % of full`,
  );
}

/** The same with a third of the builds: what grows with the registry, and what does not. */
async function measureThird(): Promise<void> {
  const small = Math.ceil(builds / 3);
  const repository = join(folder, 'third');
  await makeRepository(repository, { builds: small, versions, files });
  const out = join(folder, 'third-index');
  const full = generate(repository, out, ['--full', '--threads', '1']);
  print(`peak memory, ${small * versions} versions`, `${full.peakMb.toFixed(0)} MB`);
  const runs: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await publishOne(repository, 7, 100 + round, files);
    runs.push(generate(repository, out, ['--threads', '1']));
  }
  print(`incremental, ${small} builds`, `${best(runs).toFixed(2)} s`);
}

function measureFull(repository: string, threads: number): Measured {
  const out = join(folder, 'full');
  const measured = generate(repository, out, ['--full', '--threads', String(threads)], threads);
  rmSync(out, { recursive: true });
  rmSync(join(folder, '.full.state.sqlite'));
  return measured;
}

function measureFloor(repository: string, reference: string): Measured {
  const out = join(folder, 'floor');
  const [file, args] = onProcessors(1, [FLOOR, repository, reference, out]);
  const run = execFileSync(file, args, { encoding: 'utf8' });
  rmSync(out, { recursive: true });
  return { seconds: (JSON.parse(run) as { seconds: number }).seconds, peakMb: 0 };
}

/** Seconds of the run itself, and the highest resident memory of its process (Linux: VmHWM). */
function generate(
  repository: string,
  out: string,
  args: readonly string[],
  processors = 1,
): Measured {
  const memory = join(folder, 'memory');
  const watch = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(memory)}, String(process.resourceUsage().maxRSS)))`;
  const preload = `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${encodeURIComponent(watch)}`;
  const run = [...NODE_FLAGS, '--import', preload, GENERATE, '--repo', repository, '--out', out];
  const [file, all] = onProcessors(processors, [...run, '--json', ...args]);
  const ended = spawnSync(file, all, { encoding: 'utf8', maxBuffer: 1e9 });
  if (ended.status !== 0) throw new Error(ended.stderr);
  const { seconds } = JSON.parse(ended.stdout) as { seconds: number };
  return { seconds, peakMb: existsSync(memory) ? Number(readFileSync(memory, 'utf8')) / 1024 : 0 };
}

/** Node.js with `args`, held on so many processors where the system can do that. */
function onProcessors(count: number, args: readonly string[]): [string, string[]] {
  const list = `0-${count - 1}`;
  const canHold = spawnSync('taskset', ['-c', list, 'true']).status === 0;
  return canHold
    ? ['taskset', ['-c', list, process.execPath, ...args]]
    : [process.execPath, [...args]];
}

function best(runs: readonly Measured[]): number {
  return Math.min(...runs.map((run) => run.seconds));
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(30)} ${value}`);
}
