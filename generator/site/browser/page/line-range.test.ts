import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLineRange, tryParseLineRange } from './line-range.ts';

describe('tryParseLineRange()', () => {
  it('is the inverse of formatLineRange()', () => {
    fc.assert(
      fc.property(fc.nat(9_999), fc.nat(9_999), (from, more) => {
        const range = { from, to: from + more };
        expect(tryParseLineRange(formatLineRange(range))).toEqual(range);
      }),
    );
  });

  it.each(['', '#', '#L', '#Lx', '#L3-', '#L3-4', '#readme', '#L12345678'])(
    'refuses %s',
    (hash) => {
      expect(tryParseLineRange(hash)).toBeUndefined();
    },
  );

  it('puts the ends in order', () => {
    expect(tryParseLineRange('#L9-L3')).toEqual({ from: 3, to: 9 });
  });
});
