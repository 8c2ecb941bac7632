import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatternFilter } from './pattern-filter.ts';

const PATTERNS = [
  /abc/,
  /a(?:b|cd)*e/,
  /(?:a?b){2,}c/,
  /[^\s/@]{1,80}:[^\s/@]{1,80}@/,
  /\b(?:new|old)\b(?!x)/i,
  /(?:\\x[2-7][0-9a-f]){4}/,
  /x(?:a(?:b|)*c?)+d/,
  /[+-]\d{6}$/,
  /é|[à-ü]z/,
  /a{0,}b{3}c{0,2}d??/,
];
const PIECES = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'x',
  ':',
  '@',
  '/',
  ' ',
  '\n',
  'é',
  'z',
  '\\x3f',
  'NEW',
  'old',
  '1',
  '+',
];

/** What `filter` finds of each of `patterns`. */
function found(patterns: readonly RegExp[], text: string): boolean[] {
  const bits = new PatternFilter(patterns).test(text);
  return patterns.map((_, n) => ((bits >> n) & 1) === 1);
}

describe('PatternFilter', () => {
  it.each([
    [/abc/, 'ab', false],
    [/abc/, 'xababcx', true],
    [/abc/i, 'ABC', true],
    [/abc/, 'ABC', false],
    [/a[b-d]{2}e/, 'abe', false],
    [/a[b-d]{2}e/, 'abde', true],
    [/a[^b]c/, 'abc', false],
    [/a[^b]c/, 'aéc', true],
    [/^$/, 'a', true],
    [/x(?=yz)/, 'xa', true],
    [/(?:ab|ac)+d/, 'abacd', true],
    [/(?:ab|ac)+d/, 'abcd', false],
    [/a.c/, 'abc', true],
    [/a{5}b/, 'aaab', false],
  ])('%s in %j: %s', (pattern, text, expected) => {
    expect(found([pattern], text)).toEqual([expected]);
  });

  it.each([/\p{L}x/u, /(a)b\1/, /(?<name>a)/, /\cA/])('cannot exclude %s', (pattern) => {
    expect(found([pattern, /b/], 'c')).toEqual([true, false]);
  });

  it('finds whatever a pattern matches', () => {
    const filter = new PatternFilter(PATTERNS);
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 });
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('');
        const bits = filter.test(whole);
        expect(filter.test(whole, Buffer.from(whole))).toBe(bits);
        const matching = PATTERNS.filter((pattern) => pattern.test(whole));
        const excluded = PATTERNS.filter((_, n) => ((bits >> n) & 1) === 0);
        expect(matching.filter((pattern) => excluded.includes(pattern))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('excludes nothing where the patterns need too many states', () => {
    const filter = new PatternFilter([/zzz/, /a[ab]{4}[ab]{4}[ab]{4}c/]);
    expect(filter.test('ab')).toBe(0);
    // Every text of 13 characters, from 0 to 8,191 in binary.
    const mixed = Array.from({ length: 8_192 }, (_, n) =>
      n.toString(2).padStart(13, '0').replaceAll('0', 'a').replaceAll('1', 'b'),
    );
    expect(filter.test(mixed.join('')) & 1).toBe(1);
  });

  it('takes at most 30 patterns', () => {
    expect(() => new PatternFilter(Array.from({ length: 31 }, () => /a/))).toThrow(RangeError);
  });
});
