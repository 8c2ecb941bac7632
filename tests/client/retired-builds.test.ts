/** Builds whose folder left the tree: the registry serves what it published, and projects that have them go on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { readHead, readRecord, readTree } from '../generate/index-reader.ts';
import { bringUpToDate, makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

const BASE = { base: 'src/old', stack: { provides: ['auth'] } };
const NEW = { base: 'src/new', stack: { provides: ['auth'] } };

it('shows what to use instead, and changes nothing that is served or installed', async () => {
  const git = new GitFixture();
  git.commit(build('a/old', '1.0.0', BASE));
  git.commit(build('a/old', '1.1.0', BASE));
  git.commit(build('a/new', '1.0.0', NEW));
  const { url, index } = await serveRegistry(git);
  const before = readTree(index);
  const project = makeProject({ 'package.json': '{ "type": "module" }\n' });
  const run = (...args: string[]): ReturnType<typeof stackyard> =>
    stackyard([...args, '-C', project, '--registry', url]);
  expect((await run('add', 'a/old@1.0.0', '--no-install')).status).toBe(0);

  const deprecated = { old: { reason: 'Nobody maintains it', replacement: 'a/new' } };
  git.commit({ 'builds/a/old': null, 'builds/a/owner.json': JSON.stringify({ deprecated }) });
  await bringUpToDate(git, index);
  const after = readTree(index);
  const kept = Object.keys(before).filter((path) => /\.tgz$|\.provenance\.json$/.test(path));
  expect(kept.filter((path) => before[path] !== after[path])).toEqual([]);
  expect(readRecord(index, 'a/old').versions).toHaveLength(2);
  expect(readHead(index, 'a/old').deprecated).toEqual(deprecated.old);

  const warning =
    'warning: "a/old" 1.1.0 is deprecated: Nobody maintains it; use "a/new" instead\n';
  const updated = await run('update', '--latest', '--no-install');
  expect([updated.status, updated.stderr]).toEqual([0, warning]);
  const again = await run('update');
  expect([again.status, again.stdout, again.stderr]).toEqual([
    0,
    'All builds are up to date\n',
    warning,
  ]);
  expect((await run('outdated')).stdout).toContain(
    'a/old 1.1.0  wanted 1.1.0, latest 1.1.0  (deprecated: Nobody maintains it; use "a/new" instead)',
  );
  expect((await run('verify')).status).toBe(0);

  // Both have accounts: the old one goes first.
  const both = await run('add', 'a/new', '--no-install');
  expect([both.status, both.stderr]).toEqual([
    4,
    expect.stringContaining(
      '"auth": "a/new" and "a/old" do\nhint: to change to the other one, run "stackyard remove a/old" first',
    ),
  ]);
  expect((await run('remove', 'a/old', '--no-install')).status).toBe(0);
  expect((await run('add', 'a/new', '--no-install')).status).toBe(0);
  expect(existsSync(join(project, 'src/new'))).toBe(true);
});
