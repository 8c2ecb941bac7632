import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countConflicts, takeSide } from './conflict-markers.ts';
import { mergeText } from './merge-text.ts';
import { runs } from '../../../tests/run/runs.ts';

const line = fc.constantFrom('a', 'b', 'c', '', '=======', '<<<<<<<', '>>>>>>> x');
const text = fc.array(line, { maxLength: 12 }).map((all) => all.map((l) => `${l}\n`).join(''));

test('takeSide() returns the same text as a merge that favours the side', () => {
  fc.assert(
    fc.property(text, text, text, fc.constantFrom('ours', 'theirs'), (base, ours, theirs, side) => {
      const labels = { ours: 'yours', base: 'base 1.0.0', theirs: 'theirs 2.0.0' };
      const merge = mergeText(base, ours, theirs, { labels });
      const isAmbiguous = [base, ours, theirs].some((t) => t.includes('======='));
      fc.pre(!isAmbiguous);
      expect(countConflicts(merge.text)).toBe(merge.kind === 'conflict' ? merge.conflicts : 0);
      expect(takeSide(merge.text, side)).toBe(mergeText(base, ours, theirs, { favor: side }).text);
    }),
    { numRuns: runs(500) },
  );
});

test('countConflicts() wants all four markers in order', () => {
  expect(countConflicts('<<<<<<< yours\n=======\n>>>>>>> theirs 1\n')).toBe(0);
  expect(
    countConflicts('<<<<<<< yours\r\na\r\n||||||| base 1\r\n=======\r\n>>>>>>> theirs 1'),
  ).toBe(1);
});

test('countConflicts() takes time in proportion to the text', () => {
  expect(countConflicts('<<<<<<< yours\n'.repeat(75_000))).toBe(0);
});
