import { describe, expect, it } from 'vitest';
import { once } from './once.ts';

describe('once()', () => {
  it('computes once per key', () => {
    const keys: object[] = [];
    const count = once((key: object) => keys.push(key));
    const [a, b] = [{}, {}];
    expect([count(a), count(b), count(a), count(b)]).toEqual([1, 2, 1, 2]);
    expect(keys).toEqual([a, b]);
  });

  it('remembers that there was no result', () => {
    let calls = 0;
    const none = once((): undefined => void (calls += 1));
    const key = {};
    expect([none(key), none(key), calls]).toEqual([undefined, undefined, 1]);
  });

  it('does not remember a failure', () => {
    let calls = 0;
    const fails = once((): number => {
      calls += 1;
      if (calls === 1) throw new RangeError('first');
      return calls;
    });
    const key = {};
    expect(() => fails(key)).toThrow(RangeError);
    expect(fails(key)).toBe(2);
  });
});
