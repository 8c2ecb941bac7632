import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownTextProblem } from './shown-text.ts';

describe('shownTextProblem()', () => {
  it.each([
    ['English', 'Broken on Node 24 - use 2.x'],
    ['punctuation alone', '...'],
    ['Chinese, with a selector of an ideograph', '\u845B\u{E0100}城'],
    ['Persian with a non-joiner', 'نیم\u200Cفاصله'],
    ['Hindi with joiners', 'क्\u200Dष क्\u200Cष'],
    ['Sinhala', 'ශ්\u200Dරී'],
    ['a heart', 'We \u2764\uFE0F this'],
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['a burning heart', '\u2764\uFE0F\u200D\u{1F525}'],
    ['a skin tone and a sign', '\u{1F575}\u{1F3FB}\u200D\u2642\uFE0F'],
    ['a key cap', '1\uFE0F\u20E3'],
    ['the flag of Scotland', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['braille with its blank', '\u2813\u2811\u2800\u2813'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['no text', ''],
  ])('takes %s', (_, text) => {
    expect(shownTextProblem(text)).toBeUndefined();
  });

  it.each([
    ['a selector alone', '\uFE0F', 'U+FE0F'],
    ['a selector after a letter', 'a\uFE0F', 'U+FE0F'],
    ['two selectors', '\u2764\uFE0F\uFE0F', 'U+FE0F'],
    ['a selector of an ideograph after a letter', 'a\u{E0101}', 'U+E0101'],
    ['a blank of braille', '\u2800', 'U+2800'],
    ['the same in words', 'safe\u2800text', 'U+2800'],
    ['a filler of Hangul', '\u3164', 'U+3164'],
    ['fillers of Hangul beside a letter', '가\u115F\u1160', 'U+115F'],
    ['a half-width filler', '\uFFA0', 'U+FFA0'],
    ['an override', 'safe\u202Etxt', 'U+202E'],
    ['an isolate', '\u2067שלום\u2069', 'U+2067'],
    ['tags', 'a\u{E0041}\u{E0042}', 'U+E0041'],
    ['a black flag with a message', `\u{1F3F4}${'\u{E0061}'.repeat(9)}\u{E007F}`, 'U+E0061'],
    ['a joiner in a word', 'pay\u200Dpal', 'U+200D'],
    ['two joiners', 'نیم\u200C\u200Cفاصله', 'U+200C'],
    ['a space without width', 'a\u200Bb', 'U+200B'],
    ['a mark of byte order in front', '\uFEFFa', 'U+FEFF'],
    ['a soft hyphen', 'a\u00ADb', 'U+00AD'],
    ['an invisible operator', 'a\u2063b', 'U+2063'],
    ['a command for a terminal', 'a\u001B[2J', 'U+001B'],
    ['a control of C1', 'a\u009B2J', 'U+009B'],
    ['a line', 'a\nb', 'U+000A'],
    ['a separator of lines', 'a\u2028b', 'U+2028'],
    ['an annotation', 'a\uFFF9b', 'U+FFF9'],
    ['half of a pair', 'a\uD800', 'U+D800'],
    ['private use', 'a\uE000', 'U+E000'],
  ])('refuses %s', (_, text, name) => {
    expect(shownTextProblem(text)).toBe(`has ${name}, which people do not see as it acts`);
  });

  it.each([' ', '\u3000\u00A0', '\u{1D159}', '\u2003'])('refuses %j, which is blank', (text) => {
    expect(shownTextProblem(text)).toBe('has no visible character');
  });

  it('takes tabs and line feeds where lines are allowed, and no other control character', () => {
    expect(shownTextProblem('# A\n\n\tb', true)).toBeUndefined();
    expect(shownTextProblem('\n\t', true)).toBe('has no visible character');
    expect(shownTextProblem('a\r\nb', true)).toContain('U+000D');
  });

  it('finds one unseen character in any place of a text', () => {
    const unseen = fc.constantFrom(
      ...Array.from(
        '\u00AD\u034F\u061C\u115F\u17B4\u180E\u200B\u202D\u2066\u3164\uFEFF\u{1BCA0}\u{1D173}\u{E0001}\u{E01F0}\u{F0000}',
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), unseen, fc.string(), (before, one, after) => {
        expect(shownTextProblem(`${before}${one}${after}`)).toMatch(/^has U\+/);
      }),
    );
  });

  it('takes what a text has before and after a space, and throws nothing', () => {
    const any = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(any, any, (one, other) => {
        const isGood = [one, other].every((text) => shownTextProblem(text) === undefined);
        if (isGood && one + other !== '') {
          expect(shownTextProblem(`${one} ${other}`)).toBeUndefined();
        }
      }),
    );
  });
});
