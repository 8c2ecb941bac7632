import { expect, test } from 'vitest';
import { isWithdrawable, WITHDRAWAL_HOURS } from './withdrawals.ts';

test.each([
  ['2026-01-04T00:00:00.000Z', true],
  ['2026-01-04T00:00:00.001Z', false],
  ['2026-01-04T01:00:00.000Z', false],
  ['2025-12-31T00:00:00.000Z', true],
  ['no time', false],
])('isWithdrawable() at %s is %s', (now, expected) => {
  expect(isWithdrawable('2026-01-01T00:00:00.000Z', now, WITHDRAWAL_HOURS)).toBe(expected);
});
