/** What the client prints beside a result: near names, pins and yanks, kinds, and entries that builds share. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { bringUpToDate, makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

it('update, verify and doctor name yanked versions, update and doctor pins', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'x' }));
  git.commit(build('b/y', '1.0.0', { base: 'y' }));
  const { url, index } = await serveRegistry(git);
  const project = makeProject();
  const cache = { STACKYARD_CACHE: temporaryFolder() };
  const run = (...words: string[]) =>
    stackyard([...words, '-C', project, '--registry', url], cache);
  await run('add', 'a/x@1.0.0', 'b/y', '--no-install');
  git.commit(build('a/x', '1.1.0', { base: 'x' }));
  git.commit({ 'builds/b/owner.json': '{ "yanked": { "y": { "1.0.0": "leaks keys" } } }\n' });
  await bringUpToDate(git, index);

  const pin = '"a/x" stays at 1.0.0, and 1.1.0 is available: the lock asks for exactly that';
  const yank = '"b/y" 1.0.0, which is installed, was yanked: leaks keys';
  const updated = await run('update', '--json');
  const { warnings } = JSON.parse(updated.stdout) as {
    warnings: { code: string; message: string }[];
  };
  expect(warnings.map(({ code }) => code)).toEqual(['installed-yanked', 'pin-holds-back']);
  expect((await run('update')).stderr).toContain(pin);
  const { stdout } = await run('doctor');
  expect(stdout).toContain(`note     versions: ${yank}`);
  expect(stdout).toContain(`note     versions: ${pin}`);
  // Without network, from the cache.
  const verified = await stackyard(['verify', '-C', project], cache);
  expect([verified.status, verified.stderr]).toEqual([0, expect.stringContaining(yank)]);
  expect((await stackyard(['verify', '-C', project])).stderr).toBe('');
});

it('add lists a package and a script that two builds share once', async () => {
  const git = new GitFixture();
  const own = { dependencies: { npm: { semver: '^7.0.0' } }, scripts: { seed: 'node seed.js' } };
  git.commit(build('a/x', '1.0.0', { base: 'x', ...own }));
  git.commit(build('b/y', '1.0.0', { base: 'y', ...own }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const { stdout } = await stackyard([
    'add',
    'a/x',
    'b/y',
    '-C',
    project,
    '--no-install',
    '--registry',
    url,
  ]);
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.includes('semver'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('seed'))).toHaveLength(1);
});

it('search without words lists the best and the newest builds', async () => {
  const git = new GitFixture();
  for (const name of ['one', 'two', 'three']) git.commit(build(`a/${name}`, '1.0.0'));
  const { url } = await serveRegistry(git);
  const ended = await stackyard(['search', '--limit', '1', '--registry', url]);
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  const ids = ended.stdout.split('\n').filter((line) => /^(?:a\/|\w+:|\d)/.test(line));
  expect(ids.map((line) => line.split(' ')[0])).toEqual([
    'Best:',
    'a/one',
    '2',
    'Newest:',
    'a/three',
    'a/two',
    'a/one',
  ]);
});

it('a registry on this machine may name a folder as its repository', async () => {
  const git = new GitFixture();
  const repository = temporaryFolder();
  git.commit(build('a/x', '1.0.0'));
  git.commit({ 'registry.config.json': JSON.stringify({ repository }) });
  const { index, url } = await serveRegistry(git);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'LICENSE'), 'MIT\n');
  for (const registry of [index, url]) {
    const args = ['report', 'a/x@1.0.0', 'success', '--dry-run', '--registry', registry];
    const { stderr } = await stackyard(args, {}, undefined, folder);
    expect(stderr).not.toContain('The repository of the registry is unknown');
    expect(stderr).toContain(repository);
  }
});
