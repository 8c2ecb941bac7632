import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawable, lettersOf, widthOf, wrap } from './lettering.ts';
import type { Face } from './lettering.ts';

const FACE: Face = { weight: 'regular', size: 36 };

it('drawable() leaves out what the typeface has no letter for', () => {
  expect(drawable('Á–b\u{1F600}\u202E\u4e2dc', FACE)).toBe('Á–bc');
  expect(drawable('A_b', { weight: 'bold', size: 60 })).toBe('b');
});

it('widthOf() adds advances, kerning and spacing', () => {
  expect(widthOf('', FACE)).toBe(0);
  expect(widthOf('AV', FACE)).toBeLessThan(widthOf('A', FACE) + widthOf('V', FACE));
  expect(widthOf('aa', { ...FACE, spacing: 1 })).toBeCloseTo(widthOf('aa', FACE) + 36);
  expect(widthOf('account', { ...FACE, size: 72 })).toBeCloseTo(2 * widthOf('account', FACE));
});

it('lettersOf() covers a letter by its area', () => {
  const [letter] = lettersOf('-', { weight: 'regular', size: 1000 }, 0);
  const area = letter!.mask.cover.reduce((sum, one) => sum + one / 255, 0);
  const { width, height } = letter!.mask;
  expect(width * height * 0.9).toBeLessThan(area);
  expect(lettersOf(' ', FACE, 0)[0]!.mask.cover.every((one) => one === 0)).toBe(true);
  // The ring of an "o" is hollow.
  const ring = lettersOf('o', { weight: 'regular', size: 100 }, 0)[0]!.mask;
  expect(ring.cover[(ring.height >> 1) * ring.width + (ring.width >> 1)]).toBe(0);
});

describe('wrap()', () => {
  it.each([
    ['one two', 1000, 2, ['one two']],
    ['one two', 80, 2, ['one', 'two']],
    ['one  two', 80, 1, ['on…']],
    ['wwwwwwww', 100, 3, ['www', 'www', 'ww']],
    ['', 100, 3, []],
  ])('breaks %j at %i pixels in %i lines', (text, width, most, lines) => {
    expect(wrap(text, FACE, width, most)).toEqual(lines);
  });

  it('keeps to its bounds, and loses text only at an ellipsis', () => {
    const word = fc.stringMatching(/^[a-zA-Z,.-]{1,40}$/);
    fc.assert(
      fc.property(
        fc.array(word),
        fc.integer({ min: 80, max: 2000 }),
        fc.integer({ min: 1, max: 4 }),
        (words, width, most) => {
          // oxfmt-ignore
          const text = words.join(' ');
          const lines = wrap(text, FACE, width, most);
          expect(lines.length).toBeLessThanOrEqual(most);
          for (const line of lines) expect(widthOf(line, FACE)).toBeLessThanOrEqual(width);
          const solid = text.replaceAll(' ', '');
          const shown = lines.join('').replaceAll(' ', '');
          if (shown.endsWith('…')) expect(solid.startsWith(shown.slice(0, -1))).toBe(true);
          else expect(shown).toBe(solid);
        },
      ),
    );
  });
});
