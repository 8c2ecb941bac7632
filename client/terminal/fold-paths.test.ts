import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldPaths } from './fold-paths.ts';

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}${at}.ts`);

test('a short list is shown whole', () => {
  const paths = numbered('src/', 20);
  expect(foldPaths(paths).map(({ path }) => path)).toEqual(paths);
});

test('a long list is folded by folder; small folders belong to the folder above, files of the root stay', () => {
  const paths = [
    'a.json',
    ...numbered('src/account/', 30),
    'src/account/sql/one.ts',
    ...numbered('test/', 2),
  ];
  expect(foldPaths(paths).map(({ path, count }) => ({ path, count }))).toEqual([
    { path: 'a.json', count: 1 },
    { path: 'src/account/', count: 31 },
    { path: 'test/0.ts', count: 1 },
    { path: 'test/1.ts', count: 1 },
  ]);
});

test('every file is counted once', () => {
  const segment = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 60 }), (paths) => {
      const counts = foldPaths(paths).map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(paths.length);
    }),
  );
});
