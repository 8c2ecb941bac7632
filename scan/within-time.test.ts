import { describe, expect, it } from 'vitest';
import { OverTime, TimedWork, withinTime } from './within-time.ts';

describe('withinTime()', () => {
  it('returns what the work returns, and throws what it throws', () => {
    expect(withinTime(10_000, () => [1])).toEqual([1]);
    const problem = new TypeError('a');
    const fail = (): never => {
      throw problem;
    };
    expect(() => withinTime(10_000, fail)).toThrow(problem);
  });

  it.each([
    [
      'a loop',
      () => {
        for (;;);
      },
    ],
    ['a regular expression', () => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)],
  ])('ends %s, also one that catches every error', (_, work) => {
    const stubborn = (): void => {
      try {
        work();
      } catch {
        work();
      }
    };
    expect(() => withinTime(50, stubborn)).toThrow(OverTime);
    expect(withinTime(10_000, () => 1)).toBe(1);
  });
});

describe('TimedWork', () => {
  it('does all that arrives together, and passes on what it throws', async () => {
    const timed = new TimedWork(10_000);
    const problem = new TypeError('a');
    const fail = (): never => {
      throw problem;
    };
    const together = [timed.perform(() => 1), timed.perform(fail), timed.perform(() => 2)];
    expect(await Promise.allSettled(together)).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: problem },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(await timed.perform(() => 3)).toBe(3);
  });

  it('gives up work that does not end, and all that comes after it', async () => {
    const timed = new TimedWork(50);
    const begun: number[] = [];
    const work = (n: number) => () => begun.push(n);
    const endless = (): never => {
      for (;;);
    };
    const together = [timed.perform(work(0)), timed.perform(endless), timed.perform(work(1))];
    expect(await Promise.all(together)).toEqual([1, undefined, undefined]);
    expect(await timed.perform(work(2))).toBeUndefined();
    expect(begun).toEqual([0]);
  });
});
