/** Files that are not to be changed: protected ones in a hostile lock, read-only ones, links. */
import { chmodSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

async function exampleRegistry(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'src/x', scripts: { web: 'node .' } }));
  const cached = { '__pycache__/settings.cpython-311.pyc': 'evil' };
  git.commit(build('a/pyc', '1.0.0', { base: 'src', files: ['**'] }, cached));
  return (await serveRegistry(git)).url;
}

function codeOf({ stdout }: { readonly stdout: string }): string {
  return (JSON.parse(stdout) as { error: { code: string } }).error.code;
}

it('add refuses byte code of a module', async () => {
  const url = await exampleRegistry();
  const project = makeProject({ 'package.json': '{}', 'src/settings.py': 'DEBUG = False\n' });
  const before = readProject(project);
  const ended = await stackyard(['add', 'a/pyc', '-C', project, '--registry', url, '--json']);
  expect([codeOf(ended), ended.status]).toEqual(['ERR_PATH_POLICY', 6]);
  expect(readProject(project)).toEqual(before);
});

it.each(['.env', 'node_modules/x/index.js', 'src/__pycache__/x.pyc', '.git/hooks/pre-commit'])(
  'a lock that names %s is refused',
  async (path) => {
    const url = await exampleRegistry();
    const project = makeProject({ 'package.json': '{}\n', [path]: 'mine\n' });
    await stackyard(['add', 'a/x', '-C', project, '--registry', url, '--no-install']);
    const file = join(project, 'stackyard.lock.json');
    const lock = JSON.parse(readFileSync(file, 'utf8')) as {
      builds: Record<string, { files: Record<string, object> }>;
    };
    const integrity = integrityOf(Buffer.from('mine\n'));
    lock.builds['a/x']!.files[path] = { from: 'x', integrity, mode: '644' };
    writeFileSync(file, JSON.stringify(lock));
    const before = readProject(project);
    for (const command of ['remove', 'update']) {
      const args = [command, 'a/x', '-C', project, '--json', '--no-install'];
      const ended = await stackyard(args, { STACKYARD_REGISTRY: url });
      expect([codeOf(ended), ended.status]).toEqual(['ERR_LOCK', 9]);
      expect(ended.stdout).toContain(path);
    }
    expect(readProject(project)).toEqual(before);
  },
);

it('a read-only package.json is refused, by a dry run too', async () => {
  const url = await exampleRegistry();
  const project = makeProject();
  const file = join(project, 'package.json');
  chmodSync(file, 0o444);
  const before = readProject(project);
  for (const more of [[], ['--dry-run']]) {
    const args = ['add', 'a/x', '-C', project, '--registry', url, '--json', '--no-install'];
    const ended = await stackyard([...args, ...more]);
    expect([codeOf(ended), ended.status]).toEqual(['ERR_WRITE', 9]);
    expect(ended.stdout).toContain('read-only');
  }
  expect(readProject(project)).toEqual(before);
  expect(statSync(file).mode & 0o777).toBe(0o444);
});

it('a package.json that is a symlink is reported as one', async () => {
  const url = await exampleRegistry();
  const project = makeProject();
  const outside = join(temporaryFolder(), 'package.json');
  renameSync(join(project, 'package.json'), outside);
  symlinkSync(outside, join(project, 'package.json'));
  const text = readFileSync(outside, 'utf8');
  const args = ['add', 'a/x', '-C', project, '--registry', url, '--json', '--no-install'];
  const ended = await stackyard(args);
  expect([codeOf(ended), ended.status]).toEqual(['ERR_PATH_POLICY', 6]);
  expect(ended.stdout).toContain('it is a symlink');
  expect(readFileSync(outside, 'utf8')).toBe(text);
  expect(readProject(project)).toEqual({});
});
