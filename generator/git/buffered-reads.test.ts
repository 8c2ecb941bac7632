import { expect, test } from 'vitest';
import { hasBufferedReads, isNewEnough } from './buffered-reads.ts';

test.each([
  ['git version 2.36.0\n', true],
  ['git version 2.39.5 (Apple Git-154)\n', true],
  ['git version 2.45.1.windows.1\n', true],
  ['git version 3.0.0\n', true],
  ['git version 2.35.8\n', false],
  ['git version 1.50.0\n', false],
  ['', false],
])('isNewEnough(%j) is %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

test('hasBufferedReads() asks the git of this machine', () => {
  expect(typeof hasBufferedReads()).toBe('boolean');
});
