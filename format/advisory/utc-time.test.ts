import { expect, test } from 'vitest';
import { isLater, tryParseTime } from './utc-time.ts';

test('tryParseTime() reads UTC with at most three decimals', () => {
  expect(tryParseTime('1970-01-01T00:00:01Z')).toBe(1000);
  expect(tryParseTime('1970-01-01T00:00:01.25Z')).toBe(1250);
  for (const text of ['1970-01-01', '1970-01-01T00:00:01+01:00', '1970-13-01T00:00:00Z', '']) {
    expect(tryParseTime(text)).toBeUndefined();
  }
});

test('isLater() compares moments, not texts', () => {
  expect(isLater('2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z')).toBe(true);
  expect(isLater('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z')).toBe(false);
});
