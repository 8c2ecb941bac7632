/** `diff`, `install` through the program. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

async function registry(): Promise<{ git: GitFixture; url: string }> {
  const git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db', files: ['src/**'] }));
  const changes = { base: 'src/web', files: ['src/**'], builds: { 'b/db': '^1.0.0' } };
  git.commit(build('a/web', '1.0.0', changes));
  git.commit(build('a/web', '1.1.0', changes));
  return { git, url: (await serveRegistry(git)).url };
}

describe('diff', () => {
  it('shows what the user edited, deleted, and what a newer version changes', async () => {
    const { url } = await registry();
    const project = makeProject();
    const run = (...args: string[]): ReturnType<typeof stackyard> =>
      stackyard([...args, '-C', project, '--registry', url]);
    await run('add', 'a/web@1.0.0');
    expect((await run('diff', '--exit-code')).status).toBe(0);
    writeFileSync(join(project, 'src/web/src/index.ts'), 'mine\n');
    rmSync(join(project, 'src/db/src/index.ts'));
    const shown = await run('diff', '--exit-code');
    expect(shown.status).toBe(10);
    expect(shown.stdout).toContain(
      "--- a/src/web/src/index.ts\ta/web 1.0.0\n+++ b/src/web/src/index.ts\tyours\n@@ -1,1 +1,1 @@\n-export const version = '1.0.0';\n+mine\n",
    );
    const one = JSON.parse((await run('diff', 'src/db/src/index.ts', '--json')).stdout) as object;
    expect(one).toMatchObject({ data: { files: [{ build: 'b/db', state: 'deleted' }] } });
    const upstream = await run('diff', 'a/web', '--upstream');
    expect(upstream.stdout).toBe('No difference\n');
    await run('update', 'a/web@^1.0.0', '--conflict', 'ours');
    expect((await run('diff', 'nobody/here')).status).toBe(3);
  });
});

describe('install', () => {
  it('restores missing files of exactly the versions in the lock, and no others', async () => {
    const { url } = await registry();
    const project = makeProject();
    const run = (...args: string[]): ReturnType<typeof stackyard> =>
      stackyard([...args, '-C', project, '--registry', url, '--no-install']);
    await run('add', 'a/web@1.0.0');
    const before = readProject(project);
    expect((await run('install', '--frozen')).stdout).toMatch(/^Every file is there\n/);
    rmSync(join(project, 'src'), { recursive: true });
    expect((await run('install', '--dry-run')).stdout).toContain('+ src/db/src/index.ts');
    expect((await run('install', '--frozen')).status).toBe(0);
    expect(readProject(project)).toEqual(before);
    writeFileSync(join(project, 'src/web/src/index.ts'), 'mine\n');
    await run('install');
    expect(readFileSync(join(project, 'src/web/src/index.ts'), 'utf8')).toBe('mine\n');
  });

  it('asks for consent where the lock has another path that programs read', async () => {
    const { url } = await registry();
    const project = makeProject();
    await stackyard(['add', 'a/web@1.0.0', '-C', project, '--registry', url, '--no-install']);
    const file = join(project, 'stackyard.lock.json');
    const lock = readFileSync(file, 'utf8');
    writeFileSync(file, lock.replace('"src/web/src/index.ts"', '".github/workflows/x.yml"'));
    const install = ['install', '-C', project, '--no-install'];
    // The file is there, at the place of its build.
    expect((await stackyard(install)).stdout).toMatch(/^Every file is there\n/);
    rmSync(join(project, 'src/web/src/index.ts'));
    const before = readProject(project);
    const refused = await stackyard(install);
    expect([refused.status, refused.stderr]).toEqual([
      6,
      expect.stringContaining('.github/workflows/x.yml'),
    ]);
    expect(readProject(project)).toEqual(before);
  });

  it('--frozen fails when lock and project do not match', async () => {
    const { url } = await registry();
    const project = makeProject();
    await stackyard(['add', 'a/web@1.0.0', '-C', project, '--registry', url]);
    const file = join(project, 'stackyard.lock.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"^1.0.0"', '"^2.0.0"'));
    const stopped = await stackyard(['install', '--frozen', '-C', project, '--no-install']);
    expect([stopped.status, stopped.stderr]).toEqual([
      9,
      expect.stringContaining('"a/web" requires "b/db" ^2.0.0, and the lock has 1.0.0'),
    ]);
  });
});

it('undo reports that there is nothing to undo', async () => {
  const project = makeProject();
  const undone = await stackyard(['undo', '-C', project]);
  expect([undone.status, undone.stdout]).toEqual([
    0,
    'There is no change of this project to undo\n',
  ]);
});

it('undo refuses when a file was changed since, and names it', async () => {
  const { url } = await registry();
  const project = makeProject();
  await stackyard(['add', 'b/db', '-C', project, '--registry', url]);
  writeFileSync(join(project, 'src/db/src/index.ts'), 'mine\n');
  const before = readProject(project);
  const refused = await stackyard(['undo', '-C', project]);
  expect([refused.status, refused.stderr]).toEqual([
    9,
    expect.stringContaining('src/db/src/index.ts'),
  ]);
  expect(readProject(project)).toEqual(before);
});
