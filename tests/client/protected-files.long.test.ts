/** Files that are not to be changed: protected ones in a hostile lock, read-only ones, links. */
import { chmodSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

/** Files that a module may bring only with consent. */
const STEERING = ['.npmrc', '.github/workflows/ci.yml'];

async function exampleRegistry(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'src/x', scripts: { web: 'node .' } }));
  git.commit(build('a/x', '1.1.0', { base: 'src/x', scripts: { web: 'node .' } }));
  for (const [version, text] of [
    ['1.0.0', 'mine\n'],
    ['1.1.0', 'evil\n'],
  ] as const) {
    const files = Object.fromEntries(STEERING.map((path) => [path, text]));
    git.commit(build('a/steers', version, { files: STEERING }, files));
  }
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

type LockedFiles = Record<string, { files: Record<string, object>; wiring?: object[] }>;

function editLock(project: string, edit: (builds: LockedFiles) => void): void {
  const file = join(project, 'stackyard.lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { builds: LockedFiles };
  edit(lock.builds);
  writeFileSync(file, JSON.stringify(lock));
}

it.each(STEERING)(
  'a lock that states the digest of %s makes no command delete it',
  async (path) => {
    const url = await exampleRegistry();
    for (const command of ['remove', 'update'] as const) {
      const project = makeProject({ 'package.json': '{}\n', [path]: 'mine\n' });
      await stackyard(['add', 'a/x@1.0.0', '-C', project, '--registry', url, '--no-install']);
      const entry = { from: path, integrity: integrityOf(Buffer.from('mine\n')), mode: '644' };
      editLock(project, (builds) => (builds['a/x']!.files[path] = entry));
      for (const more of command === 'remove' ? [[], ['--force']] : [['--latest']]) {
        const args = [command, 'a/x', '-C', project, '--json', '--no-install', ...more];
        const ended = await stackyard([...args, '--dry-run'], { STACKYARD_REGISTRY: url });
        expect(ended.stdout).toContain('file-protected');
      }
      const args = [command, 'a/x', '-C', project, '--no-install', '--latest'].slice(
        0,
        command === 'remove' ? 5 : 6,
      );
      const ended = await stackyard(args, { STACKYARD_REGISTRY: url });
      expect([ended.status, readProject(project)[path]]).toEqual([0, 'mine\n']);
    }
  },
);

it.each(STEERING)(
  'a lock that states %s makes no update rewrite it without consent',
  async (path) => {
    const url = await exampleRegistry();
    const project = makeProject();
    const run = (...words: string[]): ReturnType<typeof stackyard> =>
      stackyard([...words, '-C', project, '--registry', url, '--json', '--no-install']);
    expect((await run('add', 'a/steers@1.0.0', '--allow', 'ci,packages')).status).toBe(0);
    const before = readProject(project);
    const refused = await run('update', 'a/steers@1.1.0');
    expect([codeOf(refused), refused.status]).toEqual(['ERR_CONSENT', 6]);
    expect(refused.stdout).toContain(path);
    expect(readProject(project)).toEqual(before);
    expect((await run('update', 'a/steers@1.1.0', '--allow', 'ci,packages')).status).toBe(0);
    expect(readProject(project)[path]).toBe('evil\n');
  },
);

it.each([
  ...STEERING.map((path) => [path, 'file', 'mine\n']),
  ['.npmrc', 'lines', 'mine\n'],
  ['package.json', 'file', '{}\n'],
  ['package-lock.json', 'file', 'mine\n'],
])('a lock that states the text of %s as wired (%s) is refused', async (path, verb, text) => {
  const url = await exampleRegistry();
  const project = makeProject({ 'package.json': '{}\n', [path]: text });
  await stackyard(['add', 'a/x@1.0.0', '-C', project, '--registry', url, '--no-install']);
  writeFileSync(join(project, path), text);
  const block = integrityOf(Buffer.from(text));
  const entry = { step: 1, verb, target: path, block, file: path, text, action: 'added' };
  editLock(project, (builds) => (builds['a/x']!.wiring = [entry]));
  const before = readProject(project);
  for (const command of ['unwire', 'remove', 'update']) {
    const args = [
      command,
      'a/x',
      '-C',
      project,
      '--json',
      ...(command === 'unwire' ? [] : ['--no-install']),
    ];
    const ended = await stackyard(args, { STACKYARD_REGISTRY: url });
    expect([command, codeOf(ended), ended.status]).toEqual([command, 'ERR_LOCK', 9]);
  }
  expect(readProject(project)).toEqual(before);
});
