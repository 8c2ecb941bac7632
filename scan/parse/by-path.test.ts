import { expect, test } from 'vitest';
import { byPath } from './by-path.ts';

test('byPath() computes once for a path, also where the result is undefined', () => {
  const computed: string[] = [];
  const read = byPath((path) => {
    computed.push(path);
    return path === 'a' ? undefined : path.length;
  });
  expect(['a', 'bc', 'a', 'bc'].map(read)).toEqual([undefined, 2, undefined, 2]);
  expect(computed).toEqual(['a', 'bc']);
});

test('byPath() keeps the names of objects apart', () => {
  const read = byPath((path) => `of ${path}`);
  expect(['__proto__', 'constructor'].map(read)).toEqual(['of __proto__', 'of constructor']);
});

test('byPath() forgets: its memory does not grow with the number of paths', () => {
  let computed = 0;
  const read = byPath(() => (computed += 1));
  for (let n = 0; n < 2_001; n += 1) read(`src/${n}.ts`);
  expect(read('src/2000.ts')).toBe(2_001);
  expect(read('src/0.ts')).toBe(2_002);
});
