/** A lock of version 1: every command reads it, and the next change of the project writes version 2. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Lock } from '../../format/lock/lock.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, readProject } from './registry-fixture.ts';
import { runCommand } from './run-command.ts';

const LOCK = 'stackyard.lock.json';

/** What the tests share and none changes: an index, and a project with a lock of version 1. */
const root = mkdtempSync(join(tmpdir(), 'stackyard-lock-'));
const index = join(root, 'index');
const made = join(root, 'made');
let project: string;

/** The lock as a client wrote it before there were several registries. */
function toVersion1(text: string): string {
  const { registries, builds, ...rest } = JSON.parse(text) as Lock;
  const old = Object.entries(builds).map(([id, build]) => [id, { ...build, registry: undefined }]);
  const registry = registries['default']?.address;
  return JSON.stringify({ ...rest, lockVersion: 1, registry, builds: Object.fromEntries(old) });
}

beforeAll(async () => {
  mkdirSync(join(root, 'git'));
  const git = new GitFixture(join(root, 'git'));
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
  git.commit(build('b/db', '1.1.0', { base: 'src/db' }));
  git.commit(build('c/ui', '1.0.0', { base: 'src/ui' }));
  git.commit(build('d/start', '1.0.0', { kind: 'foundation' }));
  await generateDocuments({ repo: git.folder, out: index, threads: 1 });
  mkdirSync(made);
  writeFileSync(join(made, 'package.json'), '{\n  "name": "app"\n}\n');
  vi.stubEnv('STACKYARD_STATE', join(root, 'state'));
  vi.stubEnv('STACKYARD_CACHE', join(root, 'cache'));
  await runCommand('add', 'a/web', '-C', made, '--registry', index);
  const old = toVersion1(readFileSync(join(made, LOCK), 'utf8'));
  writeFileSync(join(made, LOCK), old);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  vi.stubEnv('STACKYARD_STATE', temporaryFolder());
  vi.stubEnv('STACKYARD_CACHE', temporaryFolder());
  vi.stubEnv('STACKYARD_REGISTRY', '');
  project = temporaryFolder();
  cpSync(made, project, { recursive: true });
});

function versionNow(): number {
  return (JSON.parse(readFileSync(join(project, LOCK), 'utf8')) as Lock).lockVersion;
}

test.each([
  ['list'],
  ['list', 'src/web/src/index.ts'],
  ['list', '--licenses'],
  ['verify'],
  ['outdated'],
  ['diff'],
  ['diff', '--upstream'],
  ['add', '--dry-run', 'c/ui'],
  ['search', 'ui', '--fits'],
  ['install', '--frozen', '--no-install'],
  ['doctor'],
  ['add', 'a/web'],
  ['add', 'c/ui', '--dry-run'],
  ['update', '--dry-run', '--latest'],
  ['remove', 'a/web', '--dry-run'],
  ['undo'],
])('%s %s reads a lock of version 1 and leaves it', async (...args) => {
  const before = readProject(project);
  const { status } = await runCommand(...args, '-C', project);
  expect(['done', 'noop', 'planned', 'different']).toContain(status);
  expect(readProject(project)).toEqual(before);
});

test('completion reads a lock of version 1', async () => {
  const words = ['completion', 'bash', '--candidates', '--', 'remove', '-C', project, ''];
  expect((await runCommand(...words)).text).toEqual(['a/web', 'b/db']);
});

test('install restores a missing file from a lock of version 1 and leaves the lock', async () => {
  const before = readProject(project);
  const bare = makeProject({ 'package.json': before['package.json']!, [LOCK]: before[LOCK]! });
  const { data } = await runCommand('install', '--no-install', '-C', bare);
  expect(data).toMatchObject({ restored: expect.arrayContaining(['src/web/src/index.ts']) });
  expect(readProject(bare)[LOCK]).toBe(before[LOCK]);
});

test.each([
  ['add', 'c/ui', '--no-install'],
  ['update', 'b/db@1.0.0', '--no-install'],
  ['remove', 'a/web', '--keep-deps', '--no-install'],
])('%s %s writes version 2, with the registry of version 1 as the default one', async (...args) => {
  const old = JSON.parse(readFileSync(join(project, LOCK), 'utf8')) as { registry: string };
  const { status } = await runCommand(...args, '-C', project);
  expect(status).toBe('done');
  const lock = JSON.parse(readFileSync(join(project, LOCK), 'utf8')) as Lock;
  expect(lock.lockVersion).toBe(2);
  expect(lock).not.toHaveProperty('registry');
  const origin = `localhost${new URL(old.registry).pathname}`;
  // A removal reads no registry, so it does not know the origin.
  const known = args[0] === 'remove' ? {} : { origin };
  expect(lock.registries).toEqual({ default: { ...known, address: old.registry } });
  expect(new Set(Object.values(lock.builds).map(({ registry }) => registry))).toEqual(
    new Set(['default']),
  );
  expect((await runCommand('verify', '-C', project)).status).toBe('done');
});

test('apply carries out a plan for a lock of version 1 and writes version 2', async () => {
  const planned = await runCommand('add', 'c/ui', '--dry-run', '--json', '-C', project);
  const file = join(temporaryFolder(), 'plan.json');
  writeFileSync(file, JSON.stringify({ schema: 'stackyard/add@1', data: planned.data }));
  expect((await runCommand('add', '--plan', file, '--no-install', '-C', project)).status).toBe(
    'done',
  );
  expect(versionNow()).toBe(2);
});

test('undo restores a lock of version 1 as it was', async () => {
  const before = readProject(project);
  await runCommand('add', 'c/ui', '--no-install', '-C', project);
  expect(versionNow()).toBe(2);
  await runCommand('undo', '-C', project);
  expect(readProject(project)).toEqual(before);
});

test('new writes version 2', async () => {
  project = join(temporaryFolder(), 'app');
  await runCommand(
    'new',
    'd/start',
    project,
    '--allow',
    'all',
    '--no-install',
    '--registry',
    index,
  );
  expect(versionNow()).toBe(2);
});
