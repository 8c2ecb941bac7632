/**
 * Measures speed and memory of the generator, as ratios to a floor that is measured in the same rounds.
 *
 *     npm run bench -- [--builds N] [--versions N] [--files N] [--rounds N] [--folder DIR] [--large] [--tiny]
 *
 * Prints, as the best and the median of all rounds: the floor; a full run with one thread, with two and with the
 * default number of threads; the processor time of each stage in the median run, and how long its main thread waited; the peak
 * memory of a process; and an incremental run of one publication in a registry of 1,000 builds (`--large`: of 30,000 builds, too, which
 * takes minutes to prepare). `--tiny` only shows that it runs. All checks are on, the log is signed, and pages are made, which is the default; beside each run stands one without pages. The floor and the run with one thread are pinned to one processor,
 * the run with two threads to two. Processor time is that of the process and all that it starts, such as git, and their start; other
 * work on the machine changes it least. Use a folder in memory (`--folder /dev/shm`) to exclude the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatNoteSigner, noteSigner } from '../format/log/note-key.ts';
import { measureProcess } from './measured-process.ts';
import { makeRepository, publishOne } from './made-repository.ts';

const { values } = parseArgs({
  options: {
    builds: { type: 'string' },
    versions: { type: 'string' },
    files: { type: 'string' },
    rounds: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    large: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
  },
});
const usual = values.tiny
  ? { builds: 2, versions: 1, files: 4, rounds: 1 }
  : { builds: 2_000, versions: 3, files: 8, rounds: 3 };
const builds = Number(values.builds ?? usual.builds);
const versions = Number(values.versions ?? usual.versions);
const files = Number(values.files ?? usual.files);
const rounds = Number(values.rounds ?? usual.rounds);
const folder = mkdtempSync(join(values.folder, 'stackyard-bench-'));
const GENERATE = join(import.meta.dirname, '../generator/main.ts');
/** As public registries do, the index is signed. */
process.env['STACKYARD_LOG_KEY'] ??= formatNoteSigner(
  noteSigner('localhost/log', 'note', new Uint8Array(32).fill(7)),
);
/** As in the script `generate` of package.json. */
const NODE_FLAGS = ['--max-semi-space-size=8'];
/** For the runs that stand beside those with pages. */
const NO_PAGES = ['--no-site'] as const;
const FLOOR = join(import.meta.dirname, 'floor.ts');
/** Sizes of the registries whose incremental run is measured; they have one version of each build. */
const INCREMENTAL_BUILDS = values.tiny ? [2] : values.large ? [1_000, 30_000] : [1_000];
const INCREMENTAL_ROUNDS = values.tiny ? 1 : Math.max(rounds, 3);
const WARM_ROUNDS = values.tiny ? 0 : 1;

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  /** User and system time in seconds. */
  readonly processor: number;
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
  const { floor, full, bare } = await measureRounds();
  const rate = total / best(floor).seconds;
  print('floor, one process', `${seconds(floor)}, ${rate.toFixed(0)} versions/s`);
  print('  processor time', processor(floor));
  for (const [threads, runs] of full) {
    const without = bare.get(threads)!;
    print(`full, ${nameOf(threads)}`, `${seconds(runs)}, ${ratios(runs, floor, 'seconds')}`);
    const more = `pages ${(best(runs).seconds / best(without).seconds).toFixed(2)} x`;
    print('  without pages', `${seconds(without)}, ${ratios(without, floor, 'seconds')}; ${more}`);
    print('    processor time', `${processor(without)}, ${ratios(without, floor, 'processor')}`);
    print('    peak memory', `${peakOf(without)} MB`);
    print('  processor time', `${processor(runs)}, ${ratios(runs, floor, 'processor')}`);
    for (const [stage, used] of Object.entries(median(runs).stages)) {
      print(`  ${stage}`, `${used.toFixed(2)} s`);
    }
    print('  peak memory', `${peakOf(runs)} MB`);
  }
  for (const count of INCREMENTAL_BUILDS) {
    await measureIncremental(count, []);
    if (!values.tiny) await measureIncremental(count, NO_PAGES);
  }
}

async function measureRounds(): Promise<{
  floor: readonly Measured[];
  full: ReadonlyMap<number, readonly Measured[]>;
  bare: ReadonlyMap<number, readonly Measured[]>;
}> {
  const repository = join(folder, 'repository');
  await makeRepository(repository, { builds, versions, files });
  const reference = join(folder, 'reference');
  await generate(repository, reference, ['--full', ...NO_PAGES]);
  const floor: Measured[] = [];
  const counts = new Set(values.tiny ? [1] : [1, 2, availableParallelism()]);
  const none = [...counts].map((threads) => [threads, [] as Measured[]] as const);
  const [full, bare] = [
    new Map(none),
    new Map(none.map(([threads]) => [threads, [] as Measured[]])),
  ];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await measureFloor(repository, reference));
    for (const [threads, runs] of full) {
      runs.push(await measureFull(repository, threads, []));
      bare.get(threads)!.push(await measureFull(repository, threads, NO_PAGES));
    }
  }
  rmSync(reference, { recursive: true });
  rmSync(repository, { recursive: true });
  return { floor, full, bare };
}

/** One publication in a registry of `count` builds; those of `WARM_ROUNDS` warm the disk cache, and are not counted. */
async function measureIncremental(count: number, more: readonly string[]): Promise<void> {
  const repository = join(folder, `registry-${count}`);
  const out = join(folder, `index-${count}`);
  await makeRepository(repository, { builds: count, versions: 1, files });
  await generate(repository, out, ['--full', ...more], availableParallelism());
  const runs: Measured[] = [];
  for (let round = 0; round < WARM_ROUNDS + INCREMENTAL_ROUNDS; round += 1) {
    await publishOne(repository, 7, 1 + round, files, count + 1 + round);
    const run = await generate(repository, out, ['--threads', '1', ...more]);
    if (round >= WARM_ROUNDS) runs.push(run);
  }
  const whole = runs.map((run) => ({ ...run, seconds: run.wholeSeconds }));
  const what = more === NO_PAGES ? ', no pages' : '';
  print(`incremental, ${count} builds${what}`, `${seconds(runs)}, ${peakOf(runs)} MB`);
  print('  with the start of Node.js', seconds(whole));
  rmSync(repository, { recursive: true });
  rmSync(out, { recursive: true });
  rmSync(join(folder, `.index-${count}.state.sqlite`));
}

async function measureFull(
  repository: string,
  threads: number,
  more: readonly string[],
): Promise<Measured> {
  const out = join(folder, 'full');
  const isDefault = threads === availableParallelism();
  const args = isDefault ? ['--full'] : ['--full', '--threads', String(threads)];
  const measured = await generate(repository, out, [...args, ...more], threads);
  rmSync(out, { recursive: true });
  rmSync(join(folder, '.full.state.sqlite'));
  return measured;
}

async function measureFloor(repository: string, reference: string): Promise<Measured> {
  const out = join(folder, 'floor');
  const { status, stdout, stderr, peakMb } = await measureProcess(
    [FLOOR, repository, reference, out],
    process.env,
    1,
  );
  if (status !== 0) throw new Error(stderr);
  // Without the list of what it reads, which is made before.
  const run = JSON.parse(stdout) as Pick<Measured, 'seconds' | 'processor'>;
  rmSync(out, { recursive: true });
  return { ...run, wholeSeconds: run.seconds, peakMb, stages: {} };
}

/** `seconds` is the run without the start of Node.js. */
async function generate(
  repository: string,
  out: string,
  args: readonly string[],
  processors = 1,
): Promise<Measured> {
  const run = [...NODE_FLAGS, GENERATE, 'generate', '--repo', repository, '--out', out, '--json'];
  const ended = await measureProcess([...run, ...args], process.env, processors);
  if (ended.status !== 0) throw new Error(ended.stderr);
  const report = JSON.parse(ended.stdout) as Pick<Measured, 'seconds' | 'stages'>;
  const { seconds: wholeSeconds, processor: used, peakMb } = ended;
  return { ...report, wholeSeconds, processor: used, peakMb };
}

function nameOf(threads: number): string {
  const name = ['no', 'one', 'two'][threads] ?? String(threads);
  const thread = threads === 1 ? 'thread' : 'threads';
  return `${name} ${thread}${threads === availableParallelism() ? ' (default)' : ''}`;
}

function peakOf(runs: readonly Measured[]): string {
  return Math.max(...runs.map((run) => run.peakMb)).toFixed(0);
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

function processor(runs: readonly Measured[]): string {
  const [low, middle] = lowAndMiddle(runs, 'processor');
  return `${low.toFixed(2)} s (median ${middle.toFixed(2)} s)`;
}

function ratios(
  runs: readonly Measured[],
  floor: readonly Measured[],
  what: 'seconds' | 'processor',
): string {
  const [low, middle] = lowAndMiddle(runs, what);
  const [lowFloor, middleFloor] = lowAndMiddle(floor, what);
  return `${(low / lowFloor).toFixed(2)} x floor (median ${(middle / middleFloor).toFixed(2)} x)`;
}

function lowAndMiddle(
  runs: readonly Measured[],
  what: 'seconds' | 'processor',
): readonly [number, number] {
  const sorted = runs.map((run) => run[what]).sort((a, b) => a - b);
  return [sorted[0]!, sorted[Math.ceil(sorted.length / 2) - 1]!];
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(30)} ${value}`);
}
