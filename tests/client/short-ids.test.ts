/** Builds that are named by their name alone, and commands by other names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import type { Ended } from '../run/script-process.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

let url: string;
let project: string;

beforeEach(async () => {
  const git = new GitFixture();
  const manifest = '{\n  "name": "api",\n  "version": "1.0.0"\n}\n';
  git.commit(build('a/api', '1.0.0', { kind: 'foundation' }, { 'package.json': manifest }));
  git.commit(build('b/api', '1.0.0', { base: 'src/api' }));
  git.commit(build('a/db', '1.0.0', { base: 'src/db' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web' }));
  git.commit(build('b/web', '1.0.0', { base: 'src/web' }));
  ({ url } = await serveRegistry(git));
  project = makeProject();
});

function run(...args: readonly string[]): Promise<Ended> {
  return stackyard([...args, '-C', project, '--registry', url]);
}

it('takes the only build of a name, and prints which', async () => {
  const added = await run('add', 'db@^1.0.0', '--no-install');
  expect([added.status, added.stderr]).toEqual([0, '"db@^1.0.0" is a/db@^1.0.0\n']);
  expect((await run('info', 'db')).stdout).toMatch(/^a\/db /);
  const updated = await run('up', 'db', '--dry-run');
  expect([updated.status, updated.stdout]).toEqual([0, 'Up to date: a/db\n']);
  expect((await run('rm', 'db', '--no-install')).stdout).toMatch(/^a\/db 1\.0\.0 is removed\n/);
});

it('lists the builds of a name that several have, and refuses a name that none has', async () => {
  const several = await run('add', 'web');
  expect([several.status, several.stderr]).toEqual([
    2,
    'error: "web" may be each of a/web, b/web\nhint: write the one that you want: a/web\n',
  ]);
  const none = await run('add', 'nothing');
  expect([none.status, none.stderr]).toEqual([
    3,
    expect.stringContaining('error: No build has the name "nothing"\n'),
  ]);
});

it('means an installed build where it has the name of several', async () => {
  await run('add', 'b/web', '--no-install');
  expect((await run('info', 'web')).stdout).toMatch(/^b\/web /);
  const removed = await run('remove', 'api');
  expect([removed.status, removed.stderr]).toEqual([3, expect.stringContaining('"api"')]);
});

it('starts a project from the only foundation of a name, with modules by their names', async () => {
  const made = await run(
    'create',
    'api',
    'app',
    '--with',
    'api,db',
    '--allow',
    'all',
    '--no-install',
    '--no-git',
  );
  expect([made.status, made.stderr]).toEqual([0, '"api" is a/api\n"api" is b/api\n"db" is a/db\n']);
  expect(existsSync(join(project, 'app/src/api/src/index.ts'))).toBe(true);
});

it.each([
  ['i', ['--no-install'], 'install'],
  ['ls', [], 'list'],
  ['uninstall', ['a/db', '--no-install'], 'remove'],
  ['upgrade', ['--dry-run'], 'update'],
])('%s %j is %s', async (alias, args, command) => {
  await run('add', 'a/db', '--no-install');
  const { schema } = JSON.parse((await run(alias, ...args, '--json')).stdout) as {
    schema: string;
  };
  expect(schema).toBe(`stackyard/${command}@1`);
});
