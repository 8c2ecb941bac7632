import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Word } from './shell-script.ts';
import { ansiQuoted, wordWithVariables } from './shell-words.ts';

function word(text: string): Word {
  return { text, start: 0, end: text.length, scripts: [] };
}

describe('ansiQuoted()', () => {
  it.each([
    ["'abc' d", 'abc', 5],
    ["'\\x63\\x75rl'", 'curl', 12],
    ["'\\143'", 'c', 6],
    ["'\\u0063'", 'c', 8],
    ["'a\\nb\\tc'", 'a\nb\tc', 9],
    ["'a\\'b'", "a'b", 6],
    ["'a\\\\'", 'a\\', 5],
    ["'\\q'", 'q', 4],
    ["''", '', 2],
  ])('%s: %j', (text, value, end) => {
    expect(ansiQuoted(text, 0)).toEqual([value, end]);
  });

  it('begins at the given offset', () => {
    expect(ansiQuoted("a$'b' c", 2)).toEqual(['b', 5]);
  });

  it('ends behind the text at the latest, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("ab\\'xu079n")) });
    fc.assert(
      fc.property(text, (rest) => {
        const [value, end] = ansiQuoted(`'${rest}`, 0);
        expect(value.length).toBeLessThanOrEqual(rest.length + 1);
        // An escape that the text ends in may count one character that is not there.
        expect(end).toBeLessThanOrEqual(rest.length + 3);
      }),
    );
  });
});

describe('wordWithVariables()', () => {
  const variables = new Map([
    ['A', 'cu'],
    ['B', 'curl x'],
    ['EMPTY', ''],
  ]);

  it.each([
    ['plain', ['plain']],
    ['${A}rl', ['curl']],
    ['$A', ['cu']],
    ['$NONE', ['$NONE']],
    ['${NONE}', ['${NONE}']],
    ['$B', ['curl', 'x']],
    ['curl${IFS}x', ['curl', 'x']],
    ['curl$IFS$9x', ['curl', 'x']],
    ['a $B', ['a curl x']],
    ['$EMPTY', ['']],
    ['$', ['$']],
  ])('%s: %j', (text, texts) => {
    expect(wordWithVariables(word(text), variables).map((one) => one.text)).toEqual(texts);
  });

  it('keeps the scripts of the word at its first piece', () => {
    const pieces = wordWithVariables({ ...word('$B'), scripts: [[]] }, variables);
    expect(pieces.map((piece) => piece.scripts.length)).toEqual([1, 0]);
  });

  it('leaves a long word as it is', () => {
    const long = new Map([['A', 'a'.repeat(200)]]);
    expect(wordWithVariables(word('$A'.repeat(5_000)), long)[0]!.text.length).toBe(1_000_000);
    expect(wordWithVariables(word('$A'.repeat(5_001)), long)).toEqual([word('$A'.repeat(5_001))]);
  });
});
