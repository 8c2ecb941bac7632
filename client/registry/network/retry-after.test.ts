import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoff, parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

describe('parseRetryAfter()', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-11-21T10:00:30Z', undefined],
    ['Sat, 99 Nov 2026 10:00:30 GMT', undefined],
    ['9'.repeat(41), undefined],
    [undefined, undefined],
    [['1', '2'], undefined],
  ])('%j is %j', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });

  test('reads back the seconds and the dates that it may get', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), (seconds) => {
        const date = new Date(NOW + seconds * 1000).toUTCString();
        expect(parseRetryAfter(String(seconds), NOW)).toBe(seconds * 1000);
        expect(parseRetryAfter(date, NOW)).toBe(seconds * 1000);
      }),
    );
  });
});

test('backoff() doubles, half to one and a half times', () => {
  expect([1, 2, 3].map((attempt) => backoff(100, attempt, 0))).toEqual([50, 100, 200]);
  expect([1, 2, 3].map((attempt) => backoff(100, attempt, 1))).toEqual([150, 300, 600]);
});
