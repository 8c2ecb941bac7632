/**
 * Measures the pages of a registry in processor seconds, with one thread, without colours and images, which are kept by
 * content and so are made once:
 *
 *     npm run bench:site -- [--builds N] [--folder DIR]
 *
 * First all that pages add to a full run: pages of builds, versions, files, owners and labels, twins, feeds, badges, search data,
 * and their way into the index. A build page is the page of a build or of a version. Then like with like: one page for each
 * README, ours and that of Eleventy (`bench/site-pages.ts`). Last, publications, and what each writes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeRepository, publishOne } from './made-repository.ts';
import { describeWritten, filesSince } from './written-files.ts';

const { values } = parseArgs({
  options: { builds: { type: 'string', default: '2000' }, folder: { type: 'string' } },
});
const builds = Number(values.builds);
const FILES = 8;
const PUBLICATIONS = 3;
const GENERATE = join(import.meta.dirname, '../generator/commands/generate.ts');
const PAGES = join(import.meta.dirname, 'site-pages.ts');
const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'stackyard-bench-'));

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const repository = join(folder, 'repository');
  await makeRepository(repository, { builds, versions: 1, files: FILES });
  const config = JSON.stringify({ site: { highlighting: false, images: false } });
  execFileSync('git', ['checkout', '-q', '-f', 'main'], { cwd: repository });
  writeFileSync(join(repository, 'registry.config.json'), config);
  const commit =
    '-c user.name=Bench -c user.email=bench@example.org commit -q -m Configure --date 2030-01-01T00:00:00Z';
  execFileSync('git', ['add', 'registry.config.json'], { cwd: repository });
  execFileSync('git', commit.split(' '), {
    cwd: repository,
    env: { ...process.env, GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z' },
  });
  const out = join(folder, 'index');
  const bare = generate(repository, join(folder, 'bare'), ['--full', '--no-site']);
  const full = generate(repository, out, ['--full']);
  const pages = countPages(out);
  const added = full.written - bare.written;
  print('builds', `${builds}, ${pages} pages in HTML`);
  print('full run without pages', `${bare.all.toFixed(2)} s`);
  print('full run with pages', `${full.all.toFixed(2)} s, ${(full.all / bare.all).toFixed(2)} x`);
  // Of each build: its page, and that of its only version.
  print('build pages, all charged', `${((2 * builds) / added).toFixed(0)} pages/s`);
  print('all pages', `${(pages / added).toFixed(0)} pages/s`);
  const ours = makePages('ours', out);
  print('README pages, ours', `${ours.toFixed(2)} s, ${(builds / ours).toFixed(0)} pages/s`);
  const theirs = makePages('eleventy', readmes(repository));
  print(
    'README pages, Eleventy',
    `${theirs.toFixed(2)} s, ${(builds / theirs).toFixed(0)} pages/s`,
  );
  for (let round = 0; round < PUBLICATIONS; round += 1)
    await measurePublication(repository, out, round);
}

async function measurePublication(repository: string, out: string, round: number): Promise<void> {
  await publishOne(repository, 7, 1 + round, FILES, 3_000_000 + round);
  // File systems keep times of some milliseconds.
  await wait(50);
  const started = Date.now();
  const { seconds } = generate(repository, out, []);
  const whole = (Date.now() - started) / 1000;
  const note = describeWritten(filesSince(out, started));
  print(
    'one publication',
    `${seconds.toFixed(2)} s, with the start of Node.js ${whole.toFixed(2)} s; ${note}`,
  );
}

interface Run {
  /** Of the run by the clock, without the start of Node.js. */
  readonly seconds: number;
  /** Processor seconds of all stages. */
  readonly all: number;
  /** Processor seconds of the stages that write. */
  readonly written: number;
}

function generate(repository: string, out: string, args: readonly string[]): Run {
  const places = ['--repo', repository, '--out', out];
  const run = [GENERATE, ...places, '--no-client', '--threads', '1', '--json', ...args];
  const ended = onOneProcessor(['--max-semi-space-size=8', ...run]);
  const report = JSON.parse(ended) as { seconds: number; stages: Record<string, number> };
  const { record = 0, emit = 0 } = report.stages;
  const all = Object.values(report.stages).reduce((sum, one) => sum + one, 0);
  return { seconds: report.seconds, all, written: record + emit };
}

/** Processor seconds for one page for each build. */
function makePages(contender: string, from: string): number {
  const text = onOneProcessor([PAGES, contender, from, join(folder, contender)]);
  return (JSON.parse(text.trim().split('\n').at(-1) ?? '') as { seconds: number }).seconds;
}

/** The folder of all READMEs, with a layout of one line. */
function readmes(repository: string): string {
  const input = join(folder, 'readmes');
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

function onOneProcessor(args: readonly string[]): string {
  const canHold = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const [file, all] = canHold
    ? ['taskset', ['-c', '0', process.execPath, ...args]]
    : [process.execPath, [...args]];
  const ended = spawnSync(file, all, { encoding: 'utf8', maxBuffer: 1e9 });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return ended.stdout;
}

function countPages(out: string): number {
  const entries = readdirSync(out, { recursive: true, encoding: 'utf8' });
  return entries.filter((path) => path.endsWith('.html')).length;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(30)} ${value}`);
}
