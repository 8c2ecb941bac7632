import { expect, test } from 'vitest';
import { isPossible, makeCompileRows, pairsOf } from './compile-rows.ts';

const rows = makeCompileRows();
const pairs = new Set(rows.flatMap(pairsOf));

test('makeCompileRows() makes few rows, all of them possible', () => {
  expect(rows.length).toBeLessThan(40);
  expect(rows.filter((row) => !isPossible(row))).toEqual([]);
});

test.each([
  'typescript 4.9, modules CommonJS',
  'typescript 4.9, strict false',
  'typescript 5.0, target ES2020',
  'typescript 7.0, target ES2024',
  'typescript 7.0, modules ESM, bundler',
  'modules CommonJS, strict false',
  'modules ESM, NodeNext, verbatimModuleSyntax true',
  'strict true, exactOptionalPropertyTypes true',
  'target ES2020, isolatedModules true',
])('makeCompileRows() covers the pair %s', (pair) => {
  expect(pairs).toContain(pair);
});

test('makeCompileRows() always makes the same rows', () => {
  expect(makeCompileRows()).toEqual(rows);
});
