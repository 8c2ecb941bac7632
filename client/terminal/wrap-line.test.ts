import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrapLine } from './wrap-line.ts';

describe('wrapLine()', () => {
  test('leaves a line as it is where there is no terminal, or the terminal is very narrow', () => {
    const line = 'word '.repeat(40);
    expect(wrapLine(line, undefined)).toBe(line);
    expect(wrapLine(line, 20)).toBe(line);
  });

  test('indents a continuation by two columns', () => {
    expect(wrapLine('  one two three four five six seven eight nine ten', 40)).toBe(
      '  one two three four five six seven\n    eight nine ten',
    );
  });

  test('places a continuation below the text after a label', () => {
    expect(wrapLine('  requires    one two three four five six seven', 40)).toBe(
      '  requires    one two three four five\n              six seven',
    );
  });

  test('keeps a long path whole', () => {
    const path = 'src/'.repeat(20);
    expect(wrapLine(`see ${path} for it`, 40)).toBe(`see\n  ${path}\n  for it`);
  });

  test('wraps each part of a text with line breaks', () => {
    const long = 'word '.repeat(12).trim();
    expect(wrapLine(`${long}\n\nshort`, 40).split('\n')).toHaveLength(4);
  });

  test('neither loses nor adds a word, and colours take no room', () => {
    const word = fc.stringMatching(/^[a-z/.]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.integer({ min: 40, max: 120 }),
        (words, columns) => {
          const colored = words
            .map((w, at) => (at % 3 === 0 ? `\u{1B}[36m${w}\u{1B}[39m` : w))
            .join(' ');
          const wrapped = stripVTControlCharacters(wrapLine(colored, columns));
          expect(wrapped.split(/\s+/)).toEqual(words);
          for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
