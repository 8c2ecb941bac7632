/**
 * Measures the pages of a registry: of a whole one, after one publication, and Eleventy on the same texts in the same run.
 *
 *     node bench/site.ts [--builds N] [--folder DIR]
 *
 * One thread, on one processor where the system can hold it there; without colours and images, which are kept by content
 * and so are made once. A build page is the page of a build or of a version, with its README.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRepository, publishOne } from './made-repository.ts';

const { values } = parseArgs({
  options: { builds: { type: 'string', default: '2000' }, folder: { type: 'string' } },
});
const builds = Number(values.builds);
const FILES = 8;
const GENERATE = join(import.meta.dirname, '../generator/commands/generate.ts');
const ELEVENTY = join(import.meta.dirname, '../node_modules/@11ty/eleventy/cmd.cjs');
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
  const bare = generate(repository, join(folder, 'bare'), ['--full', '--no-site']);
  const out = join(folder, 'index');
  const full = generate(repository, out, ['--full']);
  const pages = countPages(out);
  // Of each build: its page, and that of its only version.
  const perSecond = (2 * builds) / (full - bare);
  print('builds', `${builds}, ${pages} pages in HTML`);
  print('full run without pages', `${bare.toFixed(2)} s`);
  print('full run with pages', `${full.toFixed(2)} s`);
  print('build pages per second', perSecond.toFixed(0));
  print('all pages per second', (pages / (full - bare)).toFixed(0));
  await publishOne(repository, 7, 1, FILES, 3_000_000);
  print('one publication', `${generate(repository, out, []).toFixed(2)} s`);
  await publishOne(repository, 7, 2, FILES, 3_000_001);
  print('another one', `${generate(repository, out, []).toFixed(2)} s`);
  const eleventy = measureEleventy(repository);
  print(
    'Eleventy, the READMEs alone',
    `${eleventy.toFixed(2)} s, ${(builds / eleventy).toFixed(0)} pages/s`,
  );
}

function generate(repository: string, out: string, args: readonly string[]): number {
  const run = [
    GENERATE,
    '--repo',
    repository,
    '--out',
    out,
    '--no-client',
    '--threads',
    '1',
    '--json',
  ];
  const ended = onOneProcessor(['--max-semi-space-size=8', ...run, ...args], folder);
  return (JSON.parse(ended) as { seconds: number }).seconds;
}

/** Seconds of its own clock, without the start of Node.js; a layout of one line. */
function measureEleventy(repository: string): number {
  const input = join(folder, 'eleventy');
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
  const text = onOneProcessor([ELEVENTY, '--input', '.', '--output', 'out'], input);
  const seconds = /in ([\d.]+) seconds/.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`Eleventy printed no time: ${text.slice(-300)}`);
  return Number(seconds);
}

function onOneProcessor(args: readonly string[], cwd: string): string {
  const canHold = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const [file, all] = canHold
    ? ['taskset', ['-c', '0', process.execPath, ...args]]
    : [process.execPath, [...args]];
  const ended = spawnSync(file, all, { cwd, encoding: 'utf8', maxBuffer: 1e9 });
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
