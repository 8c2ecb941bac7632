import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineEdits } from './line-edits.ts';

const TIMEOUT_MS = 10_000;
const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 });

describe('lineEdits()', () => {
  test.each([
    { base: '', side: '', edits: [] },
    { base: '', side: 'a', edits: [[0, 0, 0, 1]] },
    { base: 'a', side: '', edits: [[0, 1, 0, 0]] },
    { base: 'abc', side: 'abc', edits: [] },
    { base: 'abc', side: 'axc', edits: [[1, 2, 1, 2]] },
    { base: 'aaa', side: 'aaaa', edits: [[3, 3, 3, 4]] },
    { base: 'aaab', side: 'aab', edits: [[2, 3, 2, 2]] },
    {
      base: 'abcdef',
      side: 'xbcdey',
      edits: [
        [0, 1, 0, 1],
        [5, 6, 5, 6],
      ],
    },
  ])('lineEdits() from "$base" to "$side"', ({ base, side, edits }) => {
    expect(lineEdits(base.split(''), side.split(''), TIMEOUT_MS)).toEqual(
      edits.map(([baseStart, baseEnd, start, end]) => ({ baseStart, baseEnd, start, end })),
    );
  });

  test('lineEdits() applied to the base give the side, and never touch', () => {
    fc.assert(
      fc.property(lines, lines, (base, side) => {
        const built: string[] = [];
        let next = 0;
        for (const [at, edit] of (lineEdits(base, side, TIMEOUT_MS) ?? []).entries()) {
          expect(edit.baseStart).toBeGreaterThanOrEqual(at === 0 ? 0 : next + 1);
          expect(edit.baseEnd - edit.baseStart + edit.end - edit.start).toBeGreaterThan(0);
          built.push(...base.slice(next, edit.baseStart));
          expect(built).toHaveLength(edit.start);
          built.push(...side.slice(edit.start, edit.end));
          next = edit.baseEnd;
        }
        expect([...built, ...base.slice(next)]).toEqual(side);
      }),
      { numRuns: 1000 },
    );
  });

  test('lineEdits() returns undefined after its time limit', () => {
    const numbers = Array.from({ length: 5000 }, (_, at) => String(at));
    expect(lineEdits(numbers, numbers.toReversed(), 1)).toBeUndefined();
  });
});
