/**
 * `generate` with pages, killed before any of its renames and removals: no page and no document of what is then served refers
 * to a file that is missing, and the next run completes the index.
 */
// oxlint-disable vitest/expect-expect -- expectNothingMissing() does
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { runProcess } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import type { Files } from './git-fixture.ts';
import { expectSoundIndex, readTree } from './index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRELOAD = join(ROOT, 'tests/client/kill-at.ts');
const BASE_URL = 'https://registry.example/base';
/** Of each of the tests: each is a whole start of the program. */
const KILLS = 8;
/** How many other changes there are before depends on the time. */
const KILL_ONLY = '^(?:rename|rm)Sync$';
const KILLED_AT_ONCE = 3;

/** What files below `out` refer to and is missing there. The 404 page begins its links at the root of a host. */
function missing(out: string): string[] {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
    .filter((path) => !path.startsWith('.stage/') && path !== '404.html');
  return files.flatMap((file) => {
    const text = readFileSync(join(out, file), 'utf8');
    return referencesIn(file, text).flatMap((reference) => {
      const { protocol, pathname } = new URL(reference, `file:///${file}`);
      if (protocol !== 'file:') return [];
      const path = decodeURIComponent(pathname).slice(1);
      const target = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      return existsSync(join(out, target)) ? [] : [`${file}: ${target}`];
    });
  });
}

function referencesIn(file: string, text: string): string[] {
  const inPages = file.endsWith('.html')
    ? [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)]
    : [];
  const inTwins = file.endsWith('.md') ? [...text.matchAll(/\]\((\.[^)\s]*)\)/g)] : [];
  const whole = /\.(?:html|md|xml|txt)$/.test(file)
    ? [...text.matchAll(/https:\/\/registry\.example\/base[^\s<>")\]{]*/g)]
    : [];
  return [
    ...[...inPages, ...inTwins].map(([, href = '']) => href),
    // Of the whole site, or as a part of the name of its origin.
    ...whole.map(([url]) => url.replace(BASE_URL, 'file://')),
  ].map((href) => href.replaceAll('&amp;', '&'));
}

function withSource(id: string, version: string, changes: object = {}): Files {
  const files = {
    'src/a.ts': `export const a = '${version}';\n`,
    'docs/b.md': '[a](../src/a.ts)\n',
  };
  return build(id, version, changes, files);
}

const web = withSource('alice/web', '1.0.0', {
  keywords: ['rest'],
  stack: { provides: ['web'], requires: { express: '*' } },
});

function begin(): GitFixture {
  const git = new GitFixture();
  const config = { name: 'Test', base_url: BASE_URL };
  git.commit({
    'registry.config.json': JSON.stringify(config),
    ...web,
  });
  git.commit(withSource('bob/gone', '1.0.0', { keywords: ['only here'] }));
  return git;
}

/** A new build of a new owner with tags and keywords that no build had, a new version, and labels that no build has any more. */
function change(git: GitFixture): void {
  git.commit({
    ...withSource('carol/new', '1.0.0', {
      keywords: ['fresh', 'rest'],
      stack: { provides: ['new-tag'], requires: { web: '*' } },
      builds: { 'alice/web': '^1.0.0' },
    }),
    ...withSource('alice/web', '1.1.0', { keywords: ['other'], stack: { provides: ['web-2'] } }),
  });
}

/** @param start holds the index and the state before the run, if there is one */
async function expectNothingMissing(
  git: GitFixture,
  start: string,
  options: readonly string[] = [],
): Promise<void> {
  const copy = (): string => {
    const folder = temporaryFolder();
    cpSync(start, folder, { recursive: true });
    return folder;
  };
  const run = (folder: string, variables: Readonly<Record<string, string>>) => {
    const place = ['--repo', git.folder, '--out', join(folder, 'index'), '--threads', '1'];
    return runProcess({
      file: join(ROOT, 'generator/main.ts'),
      args: ['generate', ...place, '--no-client', ...options],
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: `--import=${PRELOAD}`, KILL_ONLY, ...variables },
    });
  };
  const done = copy();
  const counter = join(temporaryFolder(), 'count');
  const ended = await run(done, { KILL_COUNT: counter });
  expect([ended.status, ended.stderr]).toEqual([
    0,
    expect.stringMatching(/^(?:warning|hint|note|  )/),
  ]);
  expect(missing(join(done, 'index'))).toEqual([]);
  const after = readTree(join(done, 'index'));
  const steps = chosen(readFileSync(counter, 'utf8').trim().split('\n'));
  const isFirst = !existsSync(join(start, 'index'));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < steps.length; at = next++) {
      const folder = copy();
      const out = join(folder, 'index');
      expect((await run(folder, { KILL_AT: String(steps[at]) })).status).toBeNull();
      // The first run writes registry.json, to which every page links, as the sign that there is an index.
      const faults = missing(out).filter((one) => !(isFirst && one.endsWith(': registry.json')));
      expect(faults, `before step ${steps[at]}`).toEqual([]);
      if (!isFirst) expectSoundIndex(out);
      if (at % 4 > 0) continue;
      await generate({ repo: git.folder, out, threads: 1 });
      expect(readTree(out)).toEqual(after);
      expect(missing(out)).toEqual([]);
    }
  };
  await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
}

/** After the first rename, in even steps. */
function chosen(names: readonly string[]): number[] {
  const first = names.indexOf('renameSync');
  const all = [...names.keys()].slice(first);
  const count = Math.min(KILLS, all.length);
  return Array.from(
    { length: count },
    (_, n) => all[Math.floor(((n + 0.5) * all.length) / count)]!,
  );
}

async function generated(git: GitFixture): Promise<string> {
  const start = temporaryFolder();
  await generate({ repo: git.folder, out: join(start, 'index'), threads: 1 });
  return start;
}

it('a run with new builds, owners and labels that is killed leaves none either', async () => {
  const git = begin();
  const start = await generated(git);
  change(git);
  await expectNothingMissing(git, start);
});

it('nor does one that removes builds, owners and labels', async () => {
  const start = await generated(begin());
  // Another history, which has one of the builds.
  const other = new GitFixture();
  other.commit({
    'registry.config.json': JSON.stringify({ name: 'Test', base_url: BASE_URL }),
    ...web,
  });
  await expectNothingMissing(other, start, ['--full']);
});
