import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMarks, markerSize, takeSide } from './conflict-markers.ts';
import { mergeText } from './merge-text.ts';
import { runs } from '../../../tests/run/runs.ts';

/** Among them lines that begin as markers do, which are the user's own. */
const line = fc.constantFrom(
  'a',
  'b',
  '',
  '=======',
  '<<<<<<< yours',
  '|||||||',
  '>>>>>>>> theirs',
);
const end = fc.constantFrom('\n', '\r\n');
const text = fc.tuple(fc.array(line, { maxLength: 9 }), end).map(([all, lineEnd]) => {
  return all.map((one) => one + lineEnd).join('');
});
const labels = { ours: 'yours', base: 'base 1.0.0', theirs: 'theirs 2.0.0' };

test('takeSide() returns the same text as a merge that favours the side', () => {
  fc.assert(
    fc.property(text, text, text, fc.constantFrom('ours', 'theirs'), (base, ours, theirs, side) => {
      const merge = mergeText(base, ours, theirs, { labels });
      fc.pre(merge.kind === 'conflict');
      const size = markerSize(Buffer.from(merge.text));
      expect(findMarks(merge.text, size)).toHaveLength(merge.conflicts * 4);
      const taken = mergeText(base, ours, theirs, { favor: side }).text;
      expect(takeSide(merge.text, side, size)).toBe(taken);
    }),
    { numRuns: runs(500) },
  );
});

test('a conflict with some of its markers is still one, and has no sides', () => {
  const gone = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, text, text, gone, (base, ours, theirs, removed) => {
      const merge = mergeText(base, ours, theirs, { labels });
      fc.pre(merge.kind === 'conflict');
      const size = markerSize(Buffer.from(merge.text));
      const cut = removed
        .map((at) => findMarks(merge.text, size)[at]!)
        .sort((a, b) => b.at - a.at)
        .reduce((left, { at, after }) => left.slice(0, at) + left.slice(after), merge.text);
      expect(findMarks(cut, size)).toHaveLength(merge.conflicts * 4 - removed.length);
      expect(takeSide(cut, 'ours', size)).toBeUndefined();
    }),
    { numRuns: runs(500) },
  );
});
