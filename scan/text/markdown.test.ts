import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParts } from './markdown.ts';

describe('readParts()', () => {
  it.each([
    ['```sh\na\nb\n```\n', [['fence', 'sh', 'a\nb\n']]],
    ['~~~ Python x\na\n~~~', [['fence', 'python', 'a\n']]],
    ['```\na\n```', [['fence', '', 'a\n']]],
    ['````\n```\n````', [['fence', '', '```\n']]],
    ['- ```sh\n  a\n  ```', [['fence', 'sh', '  a\n']]],
    ['> ```sh\n> a', [['fence', 'sh', '> a']]],
    ['```sh\na', [['fence', 'sh', 'a']]],
    ['a `b c` d', [['span', '', 'b c']]],
    ['``a ` b``', [['span', '', 'a ` b']]],
    [
      '`a` `b`',
      [
        ['span', '', 'a'],
        ['span', '', 'b'],
      ],
    ],
    ['a ` b', []],
    ['`a\nb`', []],
    ['a <!-- b --> c', [['comment', '', ' b ']]],
    ['<!-- open', [['comment', '', ' open']]],
    ['[//]: # (hidden)', [['comment', '', 'hidden']]],
    ['[a]: # "hidden"', [['comment', '', 'hidden']]],
    ['[a]: https://a.com "title"', []],
    ['plain text', []],
    ['', []],
  ])('%j', (text, parts) => {
    expect(
      readParts(text).map(({ kind, language, text: inner }) => [kind, language, inner]),
    ).toEqual(parts);
  });

  it('has parts that stand in the text at their places, in order, for any text', () => {
    const word = fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      ' ',
      'a',
      '<!--',
      '-->',
      '- ',
      '> ',
      '[a]: # (',
      ')',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join('');
        let last = 0;
        for (const part of readParts(text)) {
          expect(part.start).toBeGreaterThanOrEqual(last);
          last = part.start;
          // A definition is placed at the start of its line.
          const isDefinition = part.kind === 'comment' && text[part.start] === '[';
          if (!isDefinition) expect(text.startsWith(part.text, part.start)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['`', '` ', '``` \n', '<!--', '<!---->', '[a]: # (b)\n', '- ', '> '])(
    'is bounded on many %j',
    (part) => {
      expect(readParts(part.repeat(100_000)).length).toBeLessThanOrEqual(10_001);
    },
  );
});
