import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote, quoteLine } from './quote.ts';

const TEXT = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\0',
    '\u200b',
    '\u202e',
    '\u2028',
    '\ufe0f',
    '\ud800',
    '\u{e0041}',
    '\u{1F600}',
  ),
});

describe('quote()', () => {
  it.each([
    ['  a \n b ', 'a b'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['\u202e', '\\u{202e}'],
    ['\u{e0041}', '\\u{e0041}'],
    ['a\u0000', 'a\\u{0}'],
    ['é 漢 \u{1F600}', 'é 漢 \u{1F600}'],
    ['\ud800', '\ufffd'],
  ])('%j: %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('is as short as asked, with an ellipsis', () => {
    expect(quote('a'.repeat(101))).toBe(`${'a'.repeat(99)}…`);
    expect(quote('abcdef', 3)).toBe('ab…');
    expect(quote(' '.repeat(1_000_000))).toBe('…');
  });

  it('is one line without hidden characters, for any text', () => {
    fc.assert(
      fc.property(TEXT, fc.integer({ min: 1, max: 50 }), (text, max) => {
        const line = quote(text, max);
        expect(Array.from(line).length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('quoteLine()', () => {
  it.each([
    ['a\nb c\nd', 3, 'b c'],
    ['a\nb c\nd', 2, 'b c'],
    ['abc', 0, 'abc'],
    ['', 0, ''],
  ])('%j at %j: %j', (text, offset, line) => {
    expect(quoteLine(text, offset)).toBe(line);
  });

  it('shows the text around a place in a long line', () => {
    const text = `${'a'.repeat(10_000)}HERE${'b'.repeat(10_000)}`;
    expect(quoteLine(text, 10_000, 20)).toBe(`${'a'.repeat(19)}…`);
  });
});
