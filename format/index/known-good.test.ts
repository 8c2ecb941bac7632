import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MatrixRow } from './compatibility.ts';
import { failureText, knownGood } from './known-good.ts';

function row(
  version: string,
  outcome: 'ok' | 'failed',
  others: MatrixRow['others'] = 'newest',
): MatrixRow {
  const failed = { step: 'types' as const, error: [`error with ${version}`] };
  const day = '2026-11-23';
  const common = { tag: 'express', version, others, with: {}, outcome, date: day, since: day };
  return { ...common, ...(outcome === 'ok' ? {} : failed) };
}

it('knownGood() finds the versions beside the last and the first good one', () => {
  const rows = ['4.9.0', '4.10.0', '4.22.0', '5.1.0', '6.0.0', '7.0.0'].map((version, at) =>
    row(version, [2, 3].includes(at) ? 'ok' : 'failed'),
  );
  const [one] = knownGood(rows);
  expect(one).toMatchObject({ firstGood: '4.22.0', lastGood: '5.1.0' });
  expect([one?.firstBad?.version, one?.badBelow?.version]).toEqual(['6.0.0', '4.10.0']);
  expect(failureText(one!.firstBad!.row)).toBe('type check: error with 6.0.0');
});

it('knownGood() counts a version as good that works with old versions of the others', () => {
  const [one] = knownGood([row('4.9.5', 'failed'), row('4.9.5', 'ok', 'lowest')]);
  expect(one).toMatchObject({ lastGood: '4.9.5', firstBad: undefined });
  expect(one?.outcomes).toMatchObject([{ isGood: true, needsLowest: true }]);
});

it('knownGood() without any good version names the lowest bad one', () => {
  const [one] = knownGood([row('2.0.0', 'failed'), row('1.0.0', 'failed')]);
  expect(one).toMatchObject({ lastGood: undefined, badBelow: undefined });
  expect(one?.firstBad?.version).toBe('1.0.0');
});

it('knownGood() does not depend on the order of the rows', () => {
  const rows = ['1.0.0', '1.10.0', '1.2.0'].flatMap((version) => [
    row(version, 'failed'),
    row(version, 'ok', 'lowest'),
  ]);
  const whole = fc.shuffledSubarray(rows, { minLength: rows.length });
  fc.assert(
    fc.property(whole, (some) => {
      expect(knownGood(some)).toEqual(knownGood(rows));
    }),
  );
});
