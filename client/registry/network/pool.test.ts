import { expect, test } from 'vitest';
import { Pool } from './pool.ts';

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
