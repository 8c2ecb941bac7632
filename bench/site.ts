/**
 * Measures the pages of a registry as they are by default, with colours and images:
 *
 *     npm run bench:site -- [--builds N] [--versions N] [--rounds N] [--folder DIR]
 *
 * Prints a full run with pages against one without, by the clock and in processor time, in rounds that alternate; number and bytes of
 * what pages add; what a new version of a build adds to the index, and what is written for it; this repository from the start of
 * `npm start` to its first page, and the size of its index. Last, like with like: one page for each README, ours and that of
 * Eleventy (`bench/site-pages.ts`). Use a folder in memory (`--folder /dev/shm`) to exclude the disk.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeRepository, publishOne, repositoryOptions } from './made-repository.ts';
import { measureProcess, filesSince } from './measured-process.ts';

const {
  builds,
  versions,
  files,
  rounds,
  folder: base,
} = repositoryOptions({
  builds: 400,
  versions: 3,
  files: 8,
  rounds: 3,
});
const ROOT = join(import.meta.dirname, '..');
const GENERATE = join(ROOT, 'generator/main.ts');
const PAGES = join(import.meta.dirname, 'site-pages.ts');
const PORT = 4_717;
const folder = mkdtempSync(join(base, 'stackyard-bench-'));

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Run {
  readonly seconds: number;
  readonly processor: number;
}

async function main(): Promise<void> {
  const repository = join(folder, 'repository');
  await makeRepository(repository, { builds, versions, files });
  const [out, bare] = [join(folder, 'index'), join(folder, 'bare')];
  const [withPages, without]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    without.push(await generate(repository, bare, ['--full', '--no-site']));
    withPages.push(await generate(repository, out, ['--full']));
  }
  print('versions', `${builds} builds x ${versions} versions x ${files} files`);
  print('full run without pages', describe(without));
  print('full run with pages', describe(withPages));
  for (const what of ['seconds', 'processor'] as const) {
    const ratio = lowest(withPages, what) / lowest(without, what);
    print(`  ${what === 'seconds' ? 'by the clock' : 'processor time'}`, `${ratio.toFixed(2)} x`);
  }
  const [all, documents] = [filesSince(out, 0), filesSince(bare, 0)];
  const added = `${all.length - documents.length} files, ${megabytes(sum(all) - sum(documents))}`;
  print('pages', `${added}; the whole index ${all.length} files, ${megabytes(sum(all))}`);
  for (let round = 0; round < rounds; round += 1) await measurePublication(repository, out, round);
  const ours = makePages('ours', out);
  print('README pages, ours', `${ours.toFixed(2)} s, ${(builds / ours).toFixed(0)} pages/s`);
  const theirs = makePages('eleventy', readmes(repository));
  const speed = `${theirs.toFixed(2)} s, ${(builds / theirs).toFixed(0)} pages/s`;
  print('README pages, Eleventy', speed);
  await measureStart();
}

async function measurePublication(repository: string, out: string, round: number): Promise<void> {
  const before = filesSince(out, 0);
  await publishOne(repository, 7, versions + round, files, 3_000_000 + round);
  // File systems keep times of some milliseconds.
  await wait(50);
  const started = Date.now();
  const { seconds, processor } = await generate(repository, out, []);
  const [after, written] = [filesSince(out, 0), filesSince(out, started)];
  const more = `${after.length - before.length} files, ${kilobytes(sum(after) - sum(before))} more`;
  const time = `${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s`;
  print('one more version', `${more}; ${written.length} written; ${time}`);
}

/** From a fresh clone, with the packages of this one. */
async function measureStart(): Promise<void> {
  const clone = join(folder, 'clone');
  run('git', ['clone', '-q', ROOT, clone]);
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '.cache') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
  }
  for (const name of ['first', 'second']) {
    const started = performance.now();
    const env = { ...process.env, PORT: String(PORT) };
    const server = spawn('npm', ['start'], { cwd: clone, env, stdio: 'ignore', detached: true });
    const address = `http://127.0.0.1:${PORT}/builds/stackyard/account/`;
    try {
      for (;;) {
        const isThere = await fetch(address).then(
          async (answer) => (await answer.arrayBuffer(), answer.ok),
          () => false,
        );
        if (isThere) break;
        await wait(20);
      }
      const seconds = (performance.now() - started) / 1000;
      const index = filesSince(join(clone, 'index'), 0);
      const size = `index ${index.length} files, ${megabytes(sum(index))}`;
      print(`npm start, ${name} page`, `${seconds.toFixed(1)} s; ${size}`);
    } finally {
      process.kill(-server.pid!, 'SIGKILL');
      await wait(200);
    }
  }
}

async function generate(repository: string, out: string, args: readonly string[]): Promise<Run> {
  const start = [
    '--max-semi-space-size=8',
    GENERATE,
    'generate',
    '--repo',
    repository,
    '--out',
    out,
  ];
  const ended = await measureProcess([...start, '--no-client', '--json', ...args]);
  if (ended.status !== 0) throw new Error(ended.stderr);
  return ended;
}

/** Processor seconds for one page for each build. */
function makePages(contender: string, from: string): number {
  const text = run(process.execPath, [PAGES, contender, from, join(folder, contender)]);
  return (JSON.parse(text.trim().split('\n').at(-1) ?? '') as { seconds: number }).seconds;
}

/** The folder of all READMEs, with a layout of one line. */
function readmes(repository: string): string {
  const input = join(folder, 'readmes');
  run('git', ['checkout', '-q', '-f', 'main'], repository);
  mkdirSync(join(input, '_includes'), { recursive: true });
  writeFileSync(
    join(input, '_includes/page.html'),
    '<!doctype html><title>{{ title }}</title>{{ content }}',
  );
  for (const owner of readdirSync(join(repository, 'builds'))) {
    for (const name of readdirSync(join(repository, 'builds', owner))) {
      const text = readFileSync(join(repository, 'builds', owner, name, 'README.md'), 'utf8');
      const file = join(input, owner, `${name}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `---\nlayout: page.html\ntitle: ${name}\n---\n${text}`);
    }
  }
  return input;
}

function run(file: string, args: readonly string[], cwd?: string): string {
  const ended = spawnSync(file, args, { cwd, encoding: 'utf8', maxBuffer: 1e9 });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return ended.stdout;
}

function describe(runs: readonly Run[]): string {
  const [seconds, processor] = [lowest(runs, 'seconds'), lowest(runs, 'processor')];
  return `${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s (best of ${runs.length})`;
}

function lowest(runs: readonly Run[], what: keyof Run): number {
  return Math.min(...runs.map((one) => one[what]));
}

function sum(written: ReturnType<typeof filesSince>): number {
  return written.reduce((bytes, { size }) => bytes + size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1e3).toFixed(1)} kB`;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(26)} ${value}`);
}
