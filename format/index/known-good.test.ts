import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MatrixRow, MeasuredVersion } from './compatibility.ts';
import { failureText, knownGood, rangesOf, unprovenRanges } from './known-good.ts';
import type { Manifest } from '../build/manifest.ts';

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

const AT = '2026-11-23T10:00:00.000Z';

function manifest(range: string): Manifest {
  return { stack: { requires: { express: range } } } as unknown as Manifest;
}

function unprovenRangesRow(version: string, changes: Partial<MatrixRow> = {}): MatrixRow {
  const failed = { outcome: 'failed' as const, step: 'types' as const, error: ['error TS1'] };
  const day = '2026-11-22';
  const common = { tag: 'express', version, others: 'newest', with: {} } as const;
  return { ...common, ...failed, date: day, since: day, ...changes };
}

const OK = { outcome: 'ok', step: undefined, error: undefined } as const;

function of(version: string, ...results: MatrixRow[]): MeasuredVersion {
  return { version, results };
}

const FAILED = of(
  '1.0.0',
  unprovenRangesRow('4.10.0'),
  unprovenRangesRow('4.9.0'),
  unprovenRangesRow('5.0.0', OK),
);
const FOUND = {
  tag: 'express',
  range: '>=4.0.0',
  admitted: '4.10.0',
  measured: '1.0.0',
  failure: 'type check: error TS1',
};

it('unprovenRanges() reports the highest version that is admitted and failed', () => {
  expect(unprovenRanges('1.1.0', manifest('>=4.0.0'), AT, [FAILED])).toEqual([FOUND]);
  expect(unprovenRanges('1.1.0', manifest('>=4.0.0'), undefined, [FAILED])).toEqual([FOUND]);
});

it.each<[string, string, string, string, MeasuredVersion[]]>([
  ['a narrower range', '1.1.0', '>=5.0.0', AT, [FAILED]],
  ['the measured version itself', '1.0.0', '>=4.0.0', AT, [FAILED]],
  ['what was found after publication', '1.1.0', '>=4.0.0', '2026-11-21T00:00:00.000Z', [FAILED]],
  [
    'what this version was measured to work with',
    '1.1.0',
    '>=4.10.0',
    AT,
    [of('1.1.0', unprovenRangesRow('4.10.0', OK)), FAILED],
  ],
  [
    'an older version where the previous one works',
    '1.2.0',
    '>=4.10.0',
    AT,
    [of('1.1.0', unprovenRangesRow('4.10.0', OK)), FAILED],
  ],
  [
    'another tag',
    '1.1.0',
    '>=4.0.0',
    AT,
    [of('1.0.0', unprovenRangesRow('4.10.0', { tag: 'koa' }))],
  ],
])('unprovenRanges() does not report %s', (_, version, range, at, matrix) => {
  expect(unprovenRanges(version, manifest(range), at, matrix)).toEqual([]);
});

it('rangesOf() has packages of Python under the names of rows', () => {
  const dependencies = { pip: { Flask_Login: '>=0.6' }, npm: { zod: '^4.0.0' } };
  const found = rangesOf({ dependencies } as unknown as Manifest);
  expect(found).toEqual({ 'flask-login': '>=0.6', zod: '^4.0.0' });
});
