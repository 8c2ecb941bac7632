import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHidden } from './hidden-characters.ts';
import { runs } from '../../tests/run/runs.ts';

const FLAG = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';

describe('findHidden()', () => {
  it.each([
    ['bidi', 'if (a\u202e) { // \u2066x', 5, 1],
    ['bidi', '\u05d0\u202e x', 1, 1],
    ['tag', 'a\u{E0041}\u{E0042}', 1, 2],
    ['encoded', `a${'\u200b\u200c'.repeat(4)}`, 1, 8],
    ['encoded', `a${'\ufe01'.repeat(4)}`, 1, 4],
    ['encoded', 'a' + '\ue000'.repeat(24), 1, 24],
    ['filler', 'const \u3164 = 1', 6, 1],
    ['invisible', 'admin\u200b', 5, 1],
    ['invisible', 'a\u00adb', 1, 1],
    ['invisible', 'a\ufeffb', 1, 1],
    ['invisible', 'a\u200db', 1, 1],
  ])('%s: %j', (kind, text, start, count) => {
    expect(findHidden(text)[0]).toMatchObject({ kind, start, count });
  });

  it.each([
    ['a byte order mark', '\ufeffa'],
    ['Persian spelling', '\u0646\u06cc\u0645\u200c\u0641\u0627\u0635\u0644\u0647'],
    ['a family', '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}'],
    ['an emoji with its selector', '\u2764\ufe0f'],
    ['a flag of a region', FLAG],
    ['Hebrew in its own direction', '\u05d0\u200f \u2067\u05d1\u2069'],
    ['one private character', 'icon \ue000'],
    ['a class of characters', '/[\u202a-\u202e]/'],
    ['plain text', 'abc'],
  ])('leaves %s alone', (_, text) => {
    expect(findHidden(text)).toEqual([]);
  });

  it.each(['\u200b', '\u202e', '\u{E0041}', '\ufe01', '\ue000', 'a\u200b', '\u05d0\u202a'])(
    'is bounded on many %j',
    (part) => {
      expect(findHidden(part.repeat(runs(50_000)))).toEqual(expect.any(Array));
    },
  );

  it('has runs that lie in the text, in order, for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        '\n',
        '\u200b',
        '\u200d',
        '\u202e',
        '\u2069',
        '\ufe0f',
        '\u{E0041}',
        '\u05d0',
        '\u{1F468}',
        '\ud800',
        '\u3164',
      ),
    });
    fc.assert(
      fc.property(text, (content) => {
        let last = 0;
        for (const { start, end, count } of findHidden(content)) {
          expect(last <= start && start < end && end <= content.length).toBe(true);
          expect(count).toBe(Array.from(content.slice(start, end)).length);
          last = end;
        }
      }),
    );
  });
});
