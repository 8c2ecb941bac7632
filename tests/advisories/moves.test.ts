/** A build that moved, in projects that have it and in those that ask for it by its old id. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, readProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Lock } from '../../format/project/lock.ts';

const PLACED = 'src/store/index.ts';

function published(git: GitFixture): GitFixture {
  const manifest = { base: 'src/store', files: ['index.ts'] };
  const file = (line: string): Record<string, string> => ({
    'index.ts': `export const rows = [];\n\n// The end.\n${line}`,
  });
  git.commit(build('a/store', '1.0.0', manifest, file('')));
  git.commit(build('a/user', '1.0.0', { base: 'src/user', builds: { 'a/store': '^1.0.0' } }));
  git.commit(build('b/rows', '1.1.0', manifest, file('export const size = 0;\n')));
  git.commit({
    'builds/a/owner.json': JSON.stringify({
      moved: { store: { to: 'b/rows', since: '2026-11-22' } },
    }),
    'builds/b/owner.json': JSON.stringify({ accepts: { rows: 'a/store' } }),
  });
  return git;
}

class Project {
  readonly folder: string = makeProject();
  readonly #cache: string = join(temporaryFolder(), 'cache');
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  run(...args: string[]): Promise<Ended> {
    const variables = { STACKYARD_CACHE: this.#cache, STACKYARD_REGISTRY: this.#url };
    return stackyard([...args, '-C', this.folder], variables);
  }

  get lock(): Lock {
    return JSON.parse(readProject(this.folder)['stackyard.lock.json'] ?? '{}') as Lock;
  }
}

const NOTE = 'warning: "a/store" moved to "b/rows"\n';

it('add, info, outdated and update follow a move, and a merge keeps edits', async () => {
  const git = published(new GitFixture());
  const { url } = await serveRegistry(git);
  const fresh = new Project(url);
  expect(await fresh.run('add', 'a/store', '--no-install')).toMatchObject({
    status: 0,
    stderr: NOTE,
  });
  expect(Object.keys(fresh.lock.builds)).toEqual(['b/rows']);
  const info = await fresh.run('info', 'a/store');
  expect([info.stderr, info.stdout.split('\n')[0]]).toEqual([NOTE, 'b/rows  Build rows']);

  expect((await fresh.run('add', '--dry-run', 'a/store')).stderr).toBe(NOTE);
  const viewed = await fresh.run('info', 'a/store', 'index.ts');
  expect([viewed.stderr, viewed.stdout]).toEqual([NOTE, expect.stringContaining('size = 0')]);

  // The range has no version at the new id: it is the old build that is meant.
  const old = new Project(url);
  expect(await old.run('add', 'a/store@1.0.0', '--no-install')).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect((await old.run('outdated')).stdout).toContain('(moved to b/rows)');
  const held = await old.run('update');
  expect(held.stderr).toContain('moved to "b/rows", where no version is in 1.0.0');
  expect(Object.keys(old.lock.builds)).toEqual(['a/store']);
  const edited = join(old.folder, PLACED);
  writeFileSync(edited, '// Mine.\n' + (readProject(old.folder)[PLACED] ?? ''));
  const moved = await old.run('update', 'a/store@^1.0.0', '--no-install');
  expect([moved.status, moved.stderr]).toEqual([0, NOTE]);
  expect(old.lock.builds).toMatchObject({ 'b/rows': { version: '1.1.0', requested: '^1.0.0' } });
  expect(Object.keys(old.lock.builds)).toEqual(['b/rows']);
  expect(readProject(old.folder)[PLACED]).toBe(
    '// Mine.\nexport const rows = [];\n\n// The end.\nexport const size = 0;\n',
  );
  expect((await old.run('update')).stdout).toBe('All builds are up to date\n');
  expect((await old.run('verify', '--offline')).stdout).toContain('src/store/index.ts');
  expect((await old.run('undo')).status).toBe(0);
  expect(Object.keys(old.lock.builds)).toEqual(['a/store']);
});

it('a build that others require by its old id stays, with a note', async () => {
  const { url } = await serveRegistry(published(new GitFixture()));
  const project = new Project(url);
  expect((await project.run('add', 'a/user', '--no-install')).status).toBe(0);
  expect(Object.keys(project.lock.builds)).toEqual(['a/store', 'a/user']);
  expect(await project.run('update')).toMatchObject({
    status: 0,
    stderr:
      'warning: "a/store" moved to "b/rows", and stays, as "a/user" requires it under this id\n',
  });
});

it('new follows the moves of a foundation and of modules', async () => {
  const git = published(new GitFixture());
  const since = '2026-11-22';
  git.commit(build('a/start', '1.0.0', { kind: 'foundation' }));
  git.commit(build('b/begin', '1.0.0', { kind: 'foundation' }));
  git.commit({
    'builds/a/owner.json': JSON.stringify({
      moved: { store: { to: 'b/rows', since }, start: { to: 'b/begin', since } },
    }),
    'builds/b/owner.json': JSON.stringify({ accepts: { rows: 'a/store', begin: 'a/start' } }),
  });
  const { url } = await serveRegistry(git);
  const folder = join(temporaryFolder(), 'app');
  const args = [
    'new',
    'a/start',
    folder,
    '--no-git',
    '--allow',
    'all',
    '--with',
    'a/store',
    '--no-install',
  ];
  const made = await stackyard(args, { STACKYARD_REGISTRY: url });
  expect([made.status, made.stderr]).toEqual([0, `warning: "a/start" moved to "b/begin"\n${NOTE}`]);
  const lock = JSON.parse(readProject(folder)['stackyard.lock.json'] ?? '{}') as Lock;
  expect(Object.keys(lock.builds)).toEqual(['b/begin', 'b/rows']);
});
