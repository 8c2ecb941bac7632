import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { besideIndex, readLocalFile, readLocalFiles } from './local-files.ts';
import { hash } from 'node:crypto';

it('readLocalFiles() reads what the interface has, and again what changed', () => {
  const index = join(temporaryFolder(), 'index');
  mkdirSync(join(index, 'log'), { recursive: true });
  mkdirSync(join(index, '.retired'));
  const write = (path: string, text: string): void => writeFileSync(join(index, path), text);
  write('log/checkpoint', '1');
  expect(() => readLocalFiles(index)).toThrow(
    expect.objectContaining({ code: 'ERR_DEPLOY_INDEX' }),
  );
  write('registry.json', 'a');
  write('.retired/catalog.json', '');
  write('notes.txt', '');
  const digests = (): [string, string][] =>
    [...readLocalFiles(index)].sort(([a], [b]) => (a < b ? -1 : 1));
  const before = digests();
  expect(before).toEqual([
    ['log/checkpoint', hash('sha256', '1')],
    ['registry.json', hash('sha256', 'a')],
  ]);
  // Of files that are as they were, the kept digest is taken; not of one that has another time.
  write('../.index.deploy.digests', 'nonsense\n\n');
  expect(digests()).toEqual(before);
  write('registry.json', 'b');
  utimesSync(join(index, 'registry.json'), 1, 1);
  expect(digests()[1]?.[1]).toBe(hash('sha256', 'b'));
  expect(besideIndex(index, 'digests')).toBe(join(index, '../.index.deploy.digests'));
});

it('readLocalFile() returns only the bytes with the digest', () => {
  const index = temporaryFolder();
  writeFileSync(join(index, 'a'), 'x');
  expect(readLocalFile(index, 'a', hash('sha256', 'x'))?.toString()).toBe('x');
  expect(readLocalFile(index, 'a', hash('sha256', 'y'))).toBeUndefined();
  expect(readLocalFile(index, 'b', hash('sha256', 'x'))).toBeUndefined();
});
