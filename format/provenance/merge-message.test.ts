import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMergeMessage, tryParseMergeMessage } from './merge-message.ts';

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const MERGE: Parameters<typeof formatMergeMessage>[0] = {
  pullRequest: 12,
  published: ['alice/web@1.1.0'],
  verdict: { result: 'merge', integrity: INTEGRITY },
};

test('formatMergeMessage() writes the message that the page shows', () => {
  expect(formatMergeMessage(MERGE)).toBe(
    `Merge pull request #12\n\nPublish alice/web@1.1.0\n\nGate-Verdict: merge ${INTEGRITY}`,
  );
});

test('tryParseMergeMessage() is the inverse of formatMergeMessage()', () => {
  const verdict = fc.record({
    result: fc.constantFrom('merge' as const, 'review' as const),
    integrity: fc.constant(INTEGRITY),
  });
  const merge = fc
    .record({
      pullRequest: fc.integer({ min: 1 }),
      published: fc.array(fc.stringMatching(/^[a-z]{1,4}\/[a-z]{1,4}@[0-9]\.[0-9]\.[0-9]$/)),
      verdict: fc.option(verdict, { nil: undefined }),
    })
    .map(({ verdict: judged, ...rest }) => {
      return judged === undefined ? rest : { ...rest, verdict: judged };
    });
  fc.assert(
    fc.property(merge, fc.constantFrom('', '\n'), (wanted, end) => {
      expect(tryParseMergeMessage(formatMergeMessage(wanted) + end)).toEqual(wanted);
    }),
  );
});

test.each([
  ['nothing', ''],
  ['the message of another program', 'Merge pull request #12 from alice/web'],
  ['no number', 'Merge pull request #'],
  ['a number that begins with 0', 'Merge pull request #012'],
  ['another line', `${formatMergeMessage(MERGE)}\n\nSigned-off-by: A <a@b>`],
  ['two verdicts', `${formatMergeMessage(MERGE)}\n\nGate-Verdict: merge ${INTEGRITY}`],
  ['another result', formatMergeMessage(MERGE).replace(': merge', ': refuse')],
  ['a digest that is none', formatMergeMessage(MERGE).replace('sha256-', 'sha1-')],
])('tryParseMergeMessage() reads nothing from a message with %s', (_, message) => {
  expect(tryParseMergeMessage(message)).toBeUndefined();
});
