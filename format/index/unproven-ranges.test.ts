import { expect, it } from 'vitest';
import type { Manifest } from '../build/manifest.ts';
import type { MatrixRow, MeasuredVersion } from './compatibility.ts';
import { rangesOf, unprovenRanges } from './unproven-ranges.ts';

const AT = '2026-11-23T10:00:00.000Z';

function manifest(range: string): Manifest {
  return { stack: { requires: { express: range } } } as unknown as Manifest;
}

function row(version: string, changes: Partial<MatrixRow> = {}): MatrixRow {
  const failed = { outcome: 'failed' as const, step: 'types' as const, error: ['error TS1'] };
  const day = '2026-11-22';
  const common = { tag: 'express', version, others: 'newest', with: {} } as const;
  return { ...common, ...failed, date: day, since: day, ...changes };
}

const OK = { outcome: 'ok', step: undefined, error: undefined } as const;

function of(version: string, ...results: MatrixRow[]): MeasuredVersion {
  return { version, results };
}

const FAILED = of('1.0.0', row('4.10.0'), row('4.9.0'), row('5.0.0', OK));
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
    [of('1.1.0', row('4.10.0', OK)), FAILED],
  ],
  [
    'an older version where the previous one works',
    '1.2.0',
    '>=4.10.0',
    AT,
    [of('1.1.0', row('4.10.0', OK)), FAILED],
  ],
  ['another tag', '1.1.0', '>=4.0.0', AT, [of('1.0.0', row('4.10.0', { tag: 'koa' }))]],
])('unprovenRanges() does not report %s', (_, version, range, at, matrix) => {
  expect(unprovenRanges(version, manifest(range), at, matrix)).toEqual([]);
});

it('rangesOf() has packages of Python under the names of rows', () => {
  const dependencies = { pip: { Flask_Login: '>=0.6' }, npm: { zod: '^4.0.0' } };
  const found = rangesOf({ dependencies } as unknown as Manifest);
  expect(found).toEqual({ 'flask-login': '>=0.6', zod: '^4.0.0' });
});
