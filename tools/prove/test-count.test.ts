import { expect, test } from 'vitest';
import { countPassedTests } from './test-count.ts';

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
