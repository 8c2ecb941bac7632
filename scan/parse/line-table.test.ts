import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTable } from './line-table.ts';

describe('LineTable', () => {
  it.each([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['\n\n', 2, 3, 1],
    ['a\n', 2, 2, 1],
    ['\u{1F600}a', 2, 1, 3],
  ])('%j at %j: line %j, column %j', (text, offset, line, column) => {
    expect(new LineTable(text).place(offset, 1)).toEqual({ line, column, length: 1 });
  });

  it('agrees with counting, at every offset of any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') });
    fc.assert(
      fc.property(text, fc.nat(), (content, number) => {
        const offset = number % (content.length + 1);
        const before = content.slice(0, offset).split('\n');
        expect(new LineTable(content).place(offset, 0)).toEqual({
          line: before.length,
          column: before.at(-1)!.length + 1,
          length: 0,
        });
      }),
    );
  });

  it('finds places in many lines and in one long line', () => {
    const lines = new LineTable('a\n'.repeat(500_000));
    expect(lines.place(999_998, 1)).toEqual({ line: 500_000, column: 1, length: 1 });
    const line = new LineTable('a'.repeat(1_000_000));
    expect(line.place(999_999, 1)).toEqual({ line: 1, column: 1_000_000, length: 1 });
  });
});
