import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { backoff, parseRetryAfter, Pool } from './http.ts';

test('Pool runs so many at once, the next as soon as one ends, also when it fails', async () => {
  const pool = new Pool(2);
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const works = [0, 1, 2, 3].map((n) =>
    pool.run(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(n);
          ends[n] = (error) => (error === undefined ? resolve(n) : reject(error));
        }),
    ),
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  expect(begun).toEqual([0, 1]);
  ends[1]!(new Error('failed'));
  await expect(works[1]).rejects.toThrow('failed');
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!();
  ends[2]!();
  await settle();
  ends[3]!();
  expect(await Promise.all([works[0], works[2], works[3]])).toEqual([0, 2, 3]);
});

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
