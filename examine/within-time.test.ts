import { describe, expect, it } from 'vitest';
import { OverTime, withinTime } from './within-time.ts';

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
