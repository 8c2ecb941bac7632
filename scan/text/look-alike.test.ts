import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLookAlikes } from './look-alike.ts';

describe('findLookAlikes()', () => {
  it.each([
    ['const \u0430dmin = 1', '\u0430dmin', 'admin', 6],
    ['p\u0430ssword', 'p\u0430ssword', 'password', 0],
    ['user \u03bfffset', '\u03bfffset', 'offset', 5],
    ['\uff41dmin', '\uff41dmin', 'admin', 0],
    ['cop \u0441\u043e\u0440', '\u0441\u043e\u0440', 'cop', 4],
  ])('%j', (text, word, latin, start) => {
    expect(findLookAlikes(text)).toEqual([{ word, latin, start }]);
  });

  it.each([
    'plain text',
    '\u043f\u0440\u0438\u0432\u0435\u0442',
    '\u0441\u043e\u0440',
    'a\u0436b',
    '\u0430b',
    'na\u00efve caf\u00e9',
    '\u03b1\u03b2\u03b3',
    '',
  ])('%j has none', (text) => {
    expect(findLookAlikes(text)).toEqual([]);
  });

  it('leaves very long words alone', () => {
    expect(findLookAlikes(`${'a'.repeat(200)}\u0430`)).toEqual([]);
    expect(findLookAlikes(`\u0430${'a'.repeat(1_000_000)}`)).toEqual([]);
  });

  it('has words that stand at their places, for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u0430', '\u0441', '\u03bf', ' ', '_', '\u{1F600}'),
    });
    fc.assert(
      fc.property(text, (content) => {
        for (const { word, latin, start } of findLookAlikes(content)) {
          expect(content.slice(start, start + word.length)).toBe(word);
          expect(latin).toMatch(/^[\w$]+$/);
          expect(latin).not.toBe(word);
        }
      }),
    );
  });
});
