import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEADER_LINE, splitSections } from './file-sections.ts';

describe('splitSections()', () => {
  it('splits a text at its headers', () => {
    expect(splitSections('head\n-- a/b.js (x, y z) --\n1\n\n-- c --\n')).toEqual({
      head: 'head\n',
      sections: [
        { path: 'a/b.js', marks: ['x', 'y z'], body: '1\n\n' },
        { path: 'c', marks: [], body: '' },
      ],
    });
    expect(splitSections('-- c --\n')).toMatchObject({ head: '', sections: [{ path: 'c' }] });
    expect(splitSections('')).toEqual({ head: '', sections: [] });
  });

  it('loses nothing of a text', () => {
    const line = fc.oneof(
      fc.string().filter((one) => !HEADER_LINE.test(one)),
      fc.constantFrom('-- a --', '-- b (c) --', '--', '-- x'),
    );
    const plain = fc.array(line).map((lines) => lines.map((one) => `${one}\n`).join(''));
    fc.assert(
      fc.property(plain, (text) => {
        const { head, sections } = splitSections(text);
        const parts = sections.map(({ path, marks, body }) => {
          return `-- ${path}${marks.length === 0 ? '' : ` (${marks.join(', ')})`} --\n${body}`;
        });
        expect(head + parts.join('')).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['-- --', '-- a b --', '-- a () --', '-- a--', '-- a (b --'])('rejects %s', (line) => {
    expect(() => splitSections(`head\n${line}\n`)).toThrow(SyntaxError);
  });
});
