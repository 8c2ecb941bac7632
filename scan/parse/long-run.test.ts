import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longRun } from './long-run.ts';

describe('longRun()', () => {
  it.each<[string, boolean]>([
    ['', false],
    ['abc', false],
    ['abcd', true],
    ['xabcdx', true],
    ['abcxabcx', false],
    ['x'.repeat(20), false],
    ['xxxabcd', true],
    ['abéd', true],
    ['abc', false],
  ])('looks for four letters of a to d in "%s"', (text, wanted) => {
    expect(longRun(/[a-d]/, 4)(text)).toBe(wanted);
  });

  it('finds what the regular expression finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (made, length) => {
        expect(longRun(/[ab]/, length)(made)).toBe(new RegExp(`[ab]{${length}}`).test(made));
      }),
    );
  });
});
