import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OTHER, OTHER_LINE_END, characterCodes } from './character-codes.ts';

function codesOf(text: string): number[] {
  return [...characterCodes(text).subarray(0, text.length + 1)];
}

describe('characterCodes()', () => {
  it('keeps ASCII, and marks the end', () => {
    expect(codesOf('a\0\n\u007F')).toEqual([97, 0, 10, 127, 0]);
    expect(codesOf('')).toEqual([0]);
  });

  it('gives one code to each UTF-16 unit that is not ASCII', () => {
    expect(codesOf('é\u2028😀\u2029\uD800')).toEqual([
      OTHER,
      OTHER_LINE_END,
      OTHER,
      OTHER,
      OTHER_LINE_END,
      OTHER,
      0,
    ]);
  });

  it.each([65_534, 65_535, 65_536, 200_000])('reads a text of %d characters', (length) => {
    for (const last of ['a', 'é']) {
      const codes = characterCodes('b'.repeat(length - 1) + last);
      expect([codes[0], codes[length - 2], codes[length - 1], codes[length]]).toEqual([
        98,
        98,
        last === 'a' ? 97 : OTHER,
        0,
      ]);
    }
  });

  it('has the code of each character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const wanted = Array.from({ length: text.length }, (_, at) => {
          const c = text.charCodeAt(at);
          if (c < 128) return c;
          return c === 0x2028 || c === 0x2029 ? OTHER_LINE_END : OTHER;
        });
        expect(codesOf(text)).toEqual([...wanted, 0]);
      }),
    );
  });
});
