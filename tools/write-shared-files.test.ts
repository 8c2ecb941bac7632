import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitFixture } from '../tests/generate/git-fixture.ts';
import { updateFiles } from './generated-file.ts';
import { readSharedFiles, ACCOUNT_HONO } from './write-shared-files.ts';

const ROOT = join(import.meta.dirname, '..');

const SHARED: Parameters<typeof readSharedFiles>[1] = {
  from: 'a/first',
  version: '1.1.0',
  notShared: ['own.ts'],
  tests: ['pure.test.ts'],
  to: 'a/second',
  own: ['stackyard.json'],
};

/** A repository with versions 1.0.0, 1.1.0 and 1.2.0 of the first build, in which `pure.ts` has these texts. */
function repository(...texts: readonly string[]): GitFixture {
  const git = new GitFixture();
  git.commit({ 'builds/a/second/stackyard.json': '{}' });
  for (const [minor, text] of texts.entries()) {
    const version = `1.${minor}.0`;
    git.commit({
      'builds/a/first/stackyard.json': JSON.stringify({ name: 'first', version }),
      'builds/a/first/README.md': version,
      'builds/a/first/pure.ts': text,
      'builds/a/first/pure.test.ts': 'test',
      'builds/a/first/other.test.ts': version,
      'builds/a/first/own.ts': version,
    });
  }
  return git;
}

const files = (text: string) => [
  { path: 'builds/a/second/pure.test.ts', text: 'test' },
  { path: 'builds/a/second/pure.ts', text },
];

test('readSharedFiles() takes the files of the working tree while it has the version', async () => {
  const { folder } = repository('old', 'committed');
  writeFileSync(join(folder, 'builds/a/first/pure.ts'), 'edited');
  const state = await readSharedFiles(folder, SHARED);
  expect(state).toEqual({ files: files('edited'), leftOver: [], newer: undefined });
});

test('readSharedFiles() takes the published files when the source is newer, and reports that they differ', async () => {
  const { folder } = repository('old', 'published', 'newer');
  expect(await readSharedFiles(folder, SHARED)).toEqual({
    files: files('published'),
    leftOver: [],
    newer: '1.2.0',
  });
});

test('readSharedFiles() reports nothing when the newer version changes no shared file', async () => {
  const { folder } = repository('old', 'published', 'published');
  expect((await readSharedFiles(folder, SHARED)).newer).toBeUndefined();
});

test('readSharedFiles() names files that are neither shared nor own', async () => {
  const { folder } = repository('old', 'published');
  for (const name of ['pure.ts', 'gone.ts', 'own.ts'])
    writeFileSync(join(folder, 'builds/a/second', name), '');
  expect((await readSharedFiles(folder, SHARED)).leftOver.toSorted()).toEqual([
    'gone.ts',
    'own.ts',
  ]);
});

test('readSharedFiles() fails for a version that was never published', async () => {
  const { folder } = repository('old');
  await expect(readSharedFiles(folder, SHARED)).rejects.toThrow(
    'Cannot find version "1.1.0" of "a/first" in the history',
  );
});

test('stackyard/account-hono has exactly the files of stackyard/account, and its own', async () => {
  const state = await readSharedFiles(ROOT, ACCOUNT_HONO);
  expect(state.files.length).toBeGreaterThan(50);
  expect(updateFiles(ROOT, state.files, true)).toEqual([]);
  expect(state.leftOver).toEqual([]);
  const present = readdirSync(join(ROOT, 'builds', ACCOUNT_HONO.to));
  expect(ACCOUNT_HONO.own.filter((name) => !present.includes(name))).toEqual([]);
});
