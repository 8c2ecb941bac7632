import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterEach } from 'vitest';
import { countPassedTests, differentPaths, readTree } from './prove-trial.ts';

test.each([
  ['vitest', ' Test Files  3 passed (3)\n      Tests  46 passed (46)\n', 46],
  ['jest', 'Test Suites: 2 passed, 2 total\nTests:       5 passed, 5 total\n', 5],
  ['jest with skipped ones', 'Tests:       1 skipped, 4 passed, 5 total\n', 4],
  ['mocha', '\n  3 passing (296ms)\n', 3],
  ['pytest', '==== 7 passed in 0.12s ====\n', 7],
  ['deno', 'ok | 2 passed | 0 failed (9ms)\n', 2],
])('countPassedTests() reads %s', (_, output, expected) => {
  expect(countPassedTests(output)).toBe(expected);
});

test.each(['', 'no tests ran', 'No test files found', 'Tests  2 failed (2)'])(
  'countPassedTests() finds none in %j',
  (output) => {
    expect(countPassedTests(output)).toBeUndefined();
  },
);

const project = mkdtempSync(join(tmpdir(), 'stackyard-tree-'));
afterEach(() => rmSync(project, { recursive: true, force: true }));

test('differentPaths() reports changed, added and removed files, and none of tools', () => {
  for (const folder of ['src', 'node_modules/a', 'data']) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  const write = (path: string, text: string): void => writeFileSync(join(project, path), text);
  write('src/same.ts', 'a');
  write('src/changed.ts', 'a');
  write('src/removed.ts', 'a');
  write('data/db.json', '1');
  const before = readTree(project, ['data/db.json']);
  write('src/changed.ts', 'b');
  rmSync(join(project, 'src/removed.ts'));
  write('src/added.ts', 'a');
  write('node_modules/a/index.js', '');
  write('data/db.json', '2');
  expect(differentPaths(before, readTree(project, ['data/db.json']))).toEqual([
    'src/added.ts',
    'src/changed.ts',
    'src/removed.ts',
  ]);
  expect(differentPaths(before, before)).toEqual([]);
});
