/**
 * Measures speed and memory of the generator, as ratios to a floor that is measured in the same rounds.
 *
 *     npm run bench -- [--builds N] [--versions N] [--files N] [--rounds N] [--folder DIR] [--large]
 *
 * Prints, as the best and the median of all rounds: the floor; a full run with one thread, with two and with the
 * default number of threads; the processor time of each stage in the median run; the peak memory of the process;
 * and an incremental run of one publication in a registry of 1,000 builds (`--large`: of 30,000 builds, too, which
 * takes minutes to prepare). All checks are on, the log is signed, pages are left out (`npm run bench:site`). The floor and the run with one thread are pinned to one processor,
 * the run with two threads to two. Use a folder in memory (`--folder /dev/shm`) to exclude the disk.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { formatNoteSigner, noteSigner } from '../format/log/note-key.ts';
import { makeRepository, publishOne } from './made-repository.ts';
import { repositoryOptions } from './repository-options.ts';

const options = repositoryOptions({ builds: 2_000, versions: 3, files: 8, rounds: 3 });
const { builds, versions, files, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-bench-'));
const GENERATE = join(import.meta.dirname, '../generator/commands/generate.ts');
/** As public registries do, the index is signed. */
process.env['STACKYARD_LOG_KEY'] ??= formatNoteSigner(
  noteSigner('localhost/log', 'note', new Uint8Array(32).fill(7)),
);
/** As in the script `generate` of package.json. */
const NODE_FLAGS = ['--max-semi-space-size=8'];
const FLOOR = join(import.meta.dirname, 'floor.ts');
/** Sizes of the registries whose incremental run is measured; they have one version of each build. */
const INCREMENTAL_BUILDS = options.large ? [1_000, 30_000] : [1_000];
const INCREMENTAL_ROUNDS = Math.max(rounds, 3);

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  /** Of the whole process, its start included. */
  readonly wholeSeconds: number;
  readonly stages: Readonly<Record<string, number>>;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const total = builds * versions;
  print('versions', `${total} (${builds} builds x ${versions} versions x ${files} files)`);
  const { floor, full } = await measureRounds();
  const base = { best: best(floor).seconds, median: median(floor).seconds };
  print('floor, one process', `${seconds(floor)}, ${(total / base.best).toFixed(0)} versions/s`);
  for (const [threads, runs] of full) {
    const [low, middle] = [best(runs).seconds, median(runs).seconds];
    const ratios = `${ratio(low, base.best)} x floor (median ${ratio(middle, base.median)} x)`;
    print(`full, ${nameOf(threads)}`, `${seconds(runs)}, ${ratios}`);
    for (const [stage, used] of Object.entries(median(runs).stages)) {
      print(`  ${stage}`, `${used.toFixed(2)} s, ${ratio(used, base.median)} x floor`);
    }
    print('  peak memory', `${Math.max(...runs.map((run) => run.peakMb)).toFixed(0)} MB`);
  }
  for (const count of INCREMENTAL_BUILDS) await measureIncremental(count);
}

async function measureRounds(): Promise<{
  floor: readonly Measured[];
  full: ReadonlyMap<number, readonly Measured[]>;
}> {
  const repository = join(folder, 'repository');
  await makeRepository(repository, { builds, versions, files });
  const reference = join(folder, 'reference');
  generate(repository, reference, ['--full']);
  const floor: Measured[] = [];
  const counts = new Set([1, 2, availableParallelism()]);
  const full = new Map([...counts].map((threads) => [threads, [] as Measured[]]));
  for (let round = 0; round < rounds; round += 1) {
    floor.push(measureFloor(repository, reference));
    for (const [threads, runs] of full) runs.push(measureFull(repository, threads));
  }
  rmSync(reference, { recursive: true });
  rmSync(repository, { recursive: true });
  return { floor, full };
}

/** One publication in a registry of `count` builds; the first is not counted, because it warms the disk cache. */
async function measureIncremental(count: number): Promise<void> {
  const repository = join(folder, `registry-${count}`);
  const out = join(folder, `index-${count}`);
  await makeRepository(repository, { builds: count, versions: 1, files });
  generate(repository, out, ['--full'], availableParallelism());
  const runs: Measured[] = [];
  for (let round = 0; round <= INCREMENTAL_ROUNDS; round += 1) {
    await publishOne(repository, 7, 1 + round, files, count + 1 + round);
    const run = generate(repository, out, ['--threads', '1']);
    if (round > 0) runs.push(run);
  }
  const peak = Math.max(...runs.map((run) => run.peakMb)).toFixed(0);
  const whole = runs.map((run) => ({ ...run, seconds: run.wholeSeconds }));
  print(`incremental, ${count} builds`, `${seconds(runs)}, ${peak} MB`);
  print('  with the start of Node.js', seconds(whole));
  rmSync(repository, { recursive: true });
  rmSync(out, { recursive: true });
}

function measureFull(repository: string, threads: number): Measured {
  const out = join(folder, 'full');
  const isDefault = threads === availableParallelism();
  const args = isDefault ? ['--full'] : ['--full', '--threads', String(threads)];
  const measured = generate(repository, out, args, threads);
  rmSync(out, { recursive: true });
  rmSync(join(folder, '.full.state.sqlite'));
  return measured;
}

function measureFloor(repository: string, reference: string): Measured {
  const out = join(folder, 'floor');
  const [file, args] = onProcessors(1, [FLOOR, repository, reference, out]);
  const run = JSON.parse(execFileSync(file, args, { encoding: 'utf8' })) as { seconds: number };
  rmSync(out, { recursive: true });
  return { seconds: run.seconds, wholeSeconds: run.seconds, peakMb: 0, stages: {} };
}

/** Seconds of the run without the start of Node.js, and the peak resident memory of its process. */
function generate(
  repository: string,
  out: string,
  args: readonly string[],
  processors = 1,
): Measured {
  const memory = join(folder, 'memory');
  const watch = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(memory)}, String(process.resourceUsage().maxRSS)))`;
  const preload = `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${encodeURIComponent(watch)}`;
  const run = [...NODE_FLAGS, '--import', preload, GENERATE, '--no-site', '--repo', repository];
  const [file, all] = onProcessors(processors, [...run, '--out', out, '--json', ...args]);
  const started = performance.now();
  const ended = spawnSync(file, all, { encoding: 'utf8', maxBuffer: 1e9 });
  const wholeSeconds = (performance.now() - started) / 1000;
  if (ended.status !== 0) throw new Error(ended.stderr);
  const report = JSON.parse(ended.stdout) as Pick<Measured, 'seconds' | 'stages'>;
  const peakMb = Number(readFileSync(memory, 'utf8')) / 1024;
  return { seconds: report.seconds, wholeSeconds, stages: report.stages, peakMb };
}

/** Node.js with `args`, pinned to so many processors when the system supports that. */
function onProcessors(count: number, args: readonly string[]): [string, string[]] {
  const list = `0-${count - 1}`;
  const canHold = spawnSync('taskset', ['-c', list, 'true']).status === 0;
  return canHold
    ? ['taskset', ['-c', list, process.execPath, ...args]]
    : [process.execPath, [...args]];
}

function nameOf(threads: number): string {
  const name = ['no', 'one', 'two'][threads] ?? String(threads);
  const thread = threads === 1 ? 'thread' : 'threads';
  return `${name} ${thread}${threads === availableParallelism() ? ' (default)' : ''}`;
}

function best(runs: readonly Measured[]): Measured {
  return inOrder(runs)[0]!;
}

/** The lower of the two middle values when the number is even, so that its stages are those of one run. */
function median(runs: readonly Measured[]): Measured {
  return inOrder(runs)[Math.ceil(runs.length / 2) - 1]!;
}

function inOrder(runs: readonly Measured[]): Measured[] {
  return [...runs].sort((a, b) => a.seconds - b.seconds);
}

function seconds(runs: readonly Measured[]): string {
  return `${best(runs).seconds.toFixed(2)} s (median ${median(runs).seconds.toFixed(2)} s)`;
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(30)} ${value}`);
}
