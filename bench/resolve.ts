/**
 * How long the resolver takes for families of universes, beside `uv pip compile` on the same universes as
 * local packages:
 *
 *     npm run bench:resolve -- [--rounds N] [--seeds N] [--only text]
 *
 * Both are timed as whole processes, which read heads or wheels from the disk: ours in one file, as the
 * client is shipped, with heads as files; uv with a cache that a first run filled. Runs are interleaved; medians are printed as
 * Markdown, with the ratio of both where both decide, the time of our search alone, and our peak memory.
 * Without uv (the variable UV, PATH, or pip in a temporary environment) ours is printed alone.
 */
import { spawnSync, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { strToU8, zipSync } from 'fflate';
import { headsOf } from '../tests/client/resolve-family.ts';
import {
  chain,
  diamonds,
  pigeonhole,
  randomUniverse,
  sharedCore,
  type Family,
} from '../tests/client/universe-families.ts';
import { median } from './measured-process.ts';
import type { OwnRun } from './resolve-run.ts';

// A family of universes as local Python packages, and uv, which resolves them.

const UV_TIMEOUT_MS = 60_000;

interface UvRun {
  readonly outcome: 'solved' | 'refuted' | 'gave up' | 'crashed';
  readonly ms: number;
  /** What it prints on standard error. */
  readonly text: string;
}

/** The path of uv: that of the variable UV, of PATH, or of a new environment in `folder`; else why not. */
function findUv(folder: string): { readonly path: string } | { readonly problem: string } {
  for (const path of [process.env['UV'] ?? '', 'uv']) {
    if (path !== '' && spawnSync(path, ['--version']).status === 0) return { path };
  }
  const environment = join(folder, 'venv');
  try {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: 'pipe' });
    execFileSync(join(environment, 'bin/pip'), ['install', '-q', 'uv'], { stdio: 'pipe' });
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : String(error)).split('\n')[0]! };
  }
  return { path: join(environment, 'bin/uv') };
}

/** Writes `family` below `folder` as wheels that hold nothing but their metadata. */
function writeWheels({ builds, requests }: Family, folder: string): void {
  const wheels = join(folder, 'wheels');
  mkdirSync(wheels, { recursive: true });
  for (const [id, versions] of Object.entries(builds)) {
    for (const [version, needs] of Object.entries(versions)) {
      const required = Object.entries(needs).map(
        ([other, range]) => `Requires-Dist: ${requirement(other, range)}`,
      );
      const metadata = ['Metadata-Version: 2.1', `Name: ${id}`, `Version: ${version}`, ...required];
      const info = `${id}-${version}.dist-info`;
      const files = {
        [`${info}/METADATA`]: strToU8(`${metadata.join('\n')}\n\n`),
        [`${info}/WHEEL`]: strToU8(
          'Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
        ),
        [`${info}/RECORD`]: strToU8(''),
      };
      writeFileSync(join(wheels, `${id}-${version}-py3-none-any.whl`), zipSync(files));
    }
  }
  const lines = requests.map(([id, range]) => requirement(id, range));
  writeFileSync(join(folder, 'requirements.in'), `${lines.join('\n')}\n`);
}

/** One run of uv as a whole process, with a cache that is kept in `folder`. */
function runUv(uv: string, folder: string): UvRun {
  const args = ['pip', 'compile', '--offline', '--no-build', '--no-index', '-q'];
  const places = ['--find-links', join(folder, 'wheels'), '--cache-dir', join(folder, 'cache')];
  const started = performance.now();
  const ended = spawnSync(uv, [...args, ...places, join(folder, 'requirements.in')], {
    encoding: 'utf8',
    timeout: UV_TIMEOUT_MS,
  });
  const ms = performance.now() - started;
  const text = ended.stderr;
  if (ended.status === 0) return { outcome: 'solved', ms, text };
  if (ended.status === 1 && text.includes('No solution found')) {
    return { outcome: 'refuted', ms, text };
  }
  if (ended.status === null) {
    const isLate = ended.signal === 'SIGTERM' && ms >= UV_TIMEOUT_MS;
    return { outcome: isLate ? 'gave up' : 'crashed', ms, text };
  }
  throw new Error(`uv ended with ${ended.status}: ${text}`);
}

function requirement(id: string, range: string): string {
  return range === '*' ? id : `${id} ${range.replaceAll(' ', ',')}`;
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seeds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});

await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-bench-resolve-'));
  try {
    const program = join(folder, 'resolve-run.mjs');
    const bundle = await rolldown({
      input: join(import.meta.dirname, 'resolve-run.ts'),
      platform: 'node',
    });
    await bundle.write({ file: program });
    const uv = findUv(folder);
    const found =
      'path' in uv
        ? spawnSync(uv.path, ['--version'], { encoding: 'utf8' }).stdout.trim()
        : `uv cannot be had, so it is left out: ${uv.problem}`;
    console.log(
      `Node ${process.version}, ${found}, ${availableParallelism()} x ${cpus()[0]?.model}`,
    );
    console.log(`Load before: ${loadavg()[0]?.toFixed(1)}; medians of ${values.rounds} rounds\n`);
    console.log('| Family | Ours | uv | Ours : uv | Search alone | Peak memory |');
    console.log('|---|---|---|---|---|---|');
    const uvPath = 'path' in uv ? uv.path : undefined;
    for (const [name, members] of families()) {
      if (name.includes(values.only)) console.log(row(name, members, program, uvPath));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function families(): [name: string, members: Family[]][] {
  const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed);
  const single = (family: Family): [string, Family[]] => [family.name, [family]];
  return [
    ...[sharedCore(6, 8), sharedCore(20, 20), sharedCore(50, 50)].map(single),
    [`random 20 x 10, ${seeds.length} seeds`, seeds.map((seed) => randomUniverse(20, 10, seed))],
    [`random 50 x 50, ${seeds.length} seeds`, seeds.map((seed) => randomUniverse(50, 50, seed))],
    ...[5, 6, 7, 8].map((count) => single(pigeonhole(count))),
    ...[chain(1000), chain(5000), diamonds(1000)].map(single),
  ];
}

/** Sums over the members of a family of the median of each. */
function row(
  name: string,
  members: readonly Family[],
  program: string,
  uv: string | undefined,
): string {
  const total = { ours: 0, uv: 0, search: 0, peak: 0, bothOurs: 0 };
  const [own, others]: Record<string, number>[] = [{}, {}];
  for (const family of members) {
    const folder = join(dirname(program), 'universe');
    writeUniverse(family, folder);
    const times: { ours: number[]; uv: number[]; search: number[] } = {
      ours: [],
      uv: [],
      search: [],
    };
    let last: { ours?: OwnRun; uv?: UvRun } = {};
    // The first run of uv fills its cache.
    if (uv !== undefined) runUv(uv, folder);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const { ms, ...ours } = runOurs(program, folder);
      times.ours.push(ms);
      times.search.push(ours.searchMs);
      total.peak = Math.max(total.peak, ours.peakBytes);
      last = { ours };
      if (uv === undefined) continue;
      const theirs = runUv(uv, folder);
      times.uv.push(theirs.ms);
      last = { ours, uv: theirs };
    }
    count(own!, last.ours!.outcome);
    total.ours += median(times.ours);
    total.search += median(times.search);
    if (last.uv !== undefined) {
      count(others!, last.uv.outcome);
      total.uv += median(times.uv);
      if (last.uv.outcome === 'solved' || last.uv.outcome === 'refuted') {
        if (last.uv.outcome !== last.ours!.outcome) throw new Error(`${family.name}: uv disagrees`);
      }
    }
    rmSync(folder, { recursive: true, force: true });
  }
  const time = (ms: number): string => `${Math.round(ms / members.length)} ms`;
  const outcomes = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([outcome, times]) => (members.length === 1 ? outcome : `${times} ${outcome}`))
      .join(', ');
  const hasUv = uv !== undefined;
  const isDecided = (counts: Record<string, number>): boolean =>
    Object.keys(counts).every((outcome) => outcome === 'solved' || outcome === 'refuted');
  const isComparable = hasUv && isDecided(own!) && isDecided(others!);
  return [
    `| ${name}`,
    `${time(total.ours)} (${outcomes(own!)})`,
    hasUv ? `${time(total.uv)} (${outcomes(others!)})` : 'not there',
    isComparable ? (total.ours / total.uv).toFixed(2) : '-',
    time(total.search),
    `${Math.round(total.peak / 1e6)} MB |`,
  ].join(' | ');
}

function count(counts: Record<string, number>, outcome: string): void {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

function writeUniverse(family: Family, folder: string): void {
  const heads = join(folder, 'heads');
  mkdirSync(heads, { recursive: true });
  for (const [id, head] of headsOf(family)) {
    writeFileSync(join(heads, `${id}.json`), JSON.stringify(head));
  }
  writeFileSync(join(folder, 'requests.json'), JSON.stringify(family.requests));
  writeWheels(family, folder);
}

function runOurs(program: string, folder: string): OwnRun & { readonly ms: number } {
  const started = performance.now();
  const ended = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
  const ms = performance.now() - started;
  if (ended.status !== 0) throw new Error(ended.stderr);
  return { ...(JSON.parse(ended.stdout) as OwnRun), ms };
}
