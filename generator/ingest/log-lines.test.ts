import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogLines, MAX_LINE_BYTES } from './log-lines.ts';

function linesOf(chunks: readonly Buffer[]): { given: string[]; lines: number; tooLong: number } {
  const given: string[] = [];
  const reader = new LogLines((line) => given.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { given, lines: reader.lines, tooLong: reader.tooLong };
}

function cutAt(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

describe('LogLines', () => {
  it('gives lines about tarballs, and counts all', () => {
    const text = '#Fields: x\r\nGET /a.tgz\r\nGET /b\n\n.tgz\nGET /c.tgz';
    expect(linesOf([Buffer.from(text)])).toEqual({
      given: ['GET /a.tgz', '.tgz', 'GET /c.tgz'],
      lines: 6,
      tooLong: 0,
    });
  });

  it('gives the same lines however the bytes are cut', () => {
    const piece = fc.constantFrom('a', '.tgz', '.t', 'gz', '\n', '\r\n', '#', '\r', ' ');
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(100), { maxLength: 6 }), (whole, cuts) => {
        const lines = whole.split('\n');
        if (lines.at(-1) === '') lines.pop();
        const expected = lines
          .map((line) => line.replace(/\r$/, ''))
          .filter((line) => line.includes('.tgz'));
        const read = linesOf(cutAt(whole, cuts));
        expect(read.given).toEqual(expected);
        expect(read.lines).toBe(lines.length);
      }),
    );
  });

  it('passes over lines that are too long, however they are cut', () => {
    const long = 'x'.repeat(MAX_LINE_BYTES - 3);
    const text = `${long}.tgz\n${long.slice(1)}.tgz\nshort.tgz\n${long}.tgz`;
    for (const cuts of [[], [5], [MAX_LINE_BYTES + 1], [10, 70_000, 140_000], [65_538, 65_539]]) {
      const { given, lines, tooLong } = linesOf(cutAt(text, cuts));
      expect([given.length, given.at(-1), lines, tooLong]).toEqual([2, 'short.tgz', 4, 2]);
    }
  });
});
