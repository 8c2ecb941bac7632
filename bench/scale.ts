/**
 * Measures a large registry, on a repository with owners' folders in shards that `git fast-import` makes:
 *
 *     npm run bench:scale -- [--builds N] [--versions N] [--files N] [--rounds N] [--folder DIR]
 *
 * Prints a row for each of: a full run (versions per second of processor time, peak memory, number and bytes of files) without pages and with them,
 * which is the default; one publication with pages, from the
 * commit to the emitted files, with the number and bytes of the files that a deployment would upload; the gate for a new version
 * and for a new name; `search` of the built client with a warm cache. Seconds are elapsed, processor time includes git's, and
 * the load of the machine is printed beside: on a busy machine only processor time means something. 100,000 builds with
 * 3 versions take about 20 minutes of processor time, 10 GB and 1.5 million files; use a folder on a disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serveIndex } from '../generator/serve/serve-index.ts';
import { buildClient } from '../tools/build.ts';
import { makeCatalogShards } from './made-catalog-shards.ts';
import { makeRepository, publishOne } from './made-repository.ts';
import { measureGate } from './measure-gate.ts';
import { measureProcess } from './measured-process.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { repositoryOptions } from './repository-options.ts';
import { describeWritten, filesSince } from './written-files.ts';

const options = repositoryOptions({ builds: 1_000, versions: 3, files: 4, rounds: 3 });
const { builds, versions, files, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-scale-'));
const repository = join(folder, 'repository');
const out = join(folder, 'index');
const GENERATE = join(import.meta.dirname, '../generator/main.ts');

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  await makeRepository(repository, { builds, versions, files, layout: 'sharded' });
  const total = builds * versions;
  for (const [what, args] of [
    [', no pages', ['--full', '--no-site']],
    ['', ['--full']],
  ] as const) {
    const full = await generate(args);
    const speed = `${(total / full.processor).toFixed(0)} versions per second of processor time`;
    const size = describeWritten(filesSince(out, 0));
    print(`full run, ${builds} builds x ${versions}${what}`, full, `${speed}; ${size}`);
  }
  for (let round = 0; round < rounds; round += 1) await measurePublication(round);
  const made = { builds, versions, files, layout: 'sharded' } as const;
  for await (const { what, measured } of measureGate(repository, made, rounds)) {
    for (const run of measured) print(`gate, ${what}`, run);
  }
  await measureSearch();
}

async function measurePublication(round: number): Promise<void> {
  // In the minute after the last one: after a longer time, reputations of other owners change as well.
  const minute = builds * versions + 1 + round;
  await publishOne(repository, round, versions, files, minute, 'sharded');
  // File systems keep times of some milliseconds.
  await setTimeout(50);
  const started = Date.now();
  const run = await generate([]);
  const note = describeWritten(filesSince(out, started));
  print('one publication', run, note);
}

async function measureSearch(): Promise<void> {
  const index = join(folder, 'catalog');
  makeCatalogShards(index, builds);
  const server = await serveIndex(index, 0);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dist = join(folder, 'client');
  await buildClient(dist);
  const env = { ...process.env, STACKYARD_CACHE: join(folder, 'cache') };
  const args = [join(dist, 'stackyard.mjs'), 'search', 'sqlite', 'react', '--registry', origin];
  for (let round = 0; round <= rounds; round += 1) {
    const run = await measureProcess([...args, '--json'], env);
    if (run.status !== 0) throw new Error(run.stderr);
    print(round === 0 ? 'search, cold cache' : 'search, warm cache', run);
  }
  server.closeAllConnections();
  server.close();
}

async function generate(args: readonly string[]): Promise<MeasuredProcess> {
  const base = [
    '--max-semi-space-size=8',
    GENERATE,
    'generate',
    '--repo',
    repository,
    '--out',
    out,
  ];
  const run = await measureProcess([...base, '--no-client', '--json', ...args]);
  if (run.status !== 0) throw new Error(run.stderr);
  return run;
}

function print(what: string, run: MeasuredProcess, note = ''): void {
  const { seconds, processor, peakMb } = run;
  const load = `load ${loadavg()[0]!.toFixed(0)}`;
  const figures = `${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s, ${peakMb.toFixed(0)} MB`;
  console.log([what.padEnd(34), figures, note, load].filter(Boolean).join('  '));
}
