import { expect, test } from 'vitest';
import { createdFolders, emptiedFolders } from './created-folders.ts';

test('createdFolders() lists each missing parent of a written file once', () => {
  const write = { bytes: Buffer.from('x'), executable: false, expected: undefined };
  const changes = [
    { ...write, path: 'src/a/one.ts' },
    { ...write, path: 'src/a/two.ts' },
    { ...write, path: 'gone/three.ts', bytes: undefined },
  ];
  const missing = new Set(['src/a', 'gone']);
  expect(createdFolders(changes, missing)).toEqual(['src/a/']);
});

test('emptiedFolders() keeps a folder in which a staying build has a file at any depth', () => {
  const staying = { files: { 'src/a/deep/one.ts': {} } } as never;
  expect(emptiedFolders(['src/', 'src/a/', 'src/b/', 'package.json#/scripts'], [staying])).toEqual([
    'src/b',
  ]);
});
