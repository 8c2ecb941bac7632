import { expect, test } from 'vitest';
import { WITHDRAWAL_HOURS, isWithdrawable, statedIn, withdrawnOf, yanksOf } from './withdrawals.ts';

const FILE = {
  yanked: { web: { '1.0.0': 'slow', '1.1.0': 'broken' } },
  withdrawn: { web: { '1.1.0': 'has a key' }, api: { '2.0.0': 'has a key' } },
};

test('yanksOf() has withdrawn versions as well, with the reason of the withdrawal', () => {
  expect(yanksOf(FILE, 'web')).toEqual({ '1.0.0': 'slow', '1.1.0': 'has a key' });
  expect(yanksOf(FILE, 'api')).toEqual({ '2.0.0': 'has a key' });
  expect(withdrawnOf(FILE, 'web')).toEqual({ '1.1.0': 'has a key' });
  expect([yanksOf(FILE, 'constructor'), withdrawnOf({}, 'constructor')]).toEqual([{}, {}]);
});

test('statedIn() has all of a member', () => {
  expect(statedIn(FILE.withdrawn)).toEqual([
    ['web', '1.1.0', 'has a key'],
    ['api', '2.0.0', 'has a key'],
  ]);
  expect(statedIn(undefined)).toEqual([]);
});

test.each([
  ['2026-01-04T00:00:00.000Z', true],
  ['2026-01-04T00:00:00.001Z', false],
  ['2026-01-04T01:00:00.000Z', false],
  ['2025-12-31T00:00:00.000Z', true],
  ['no time', false],
])('isWithdrawable() at %s is %s', (now, expected) => {
  expect(isWithdrawable('2026-01-01T00:00:00.000Z', now, WITHDRAWAL_HOURS)).toBe(expected);
});
