import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

it.each([
  ['2026-01-02T00:00:00.000Z', 'this minute'],
  ['2026-01-01T23:00:00.000Z', '1 hour ago'],
  ['2026-01-01T00:00:00.000Z', 'yesterday'],
  ['2025-12-30T00:00:00.000Z', '3 days ago'],
  ['2024-01-02T00:00:00.000Z', '2 years ago'],
  ['2026-01-05T00:00:00.000Z', 'in 3 days'],
  ['soon', undefined],
])('relativeTime() of %s is %s', (time, words) => {
  expect(relativeTime(time, Date.parse('2026-01-02T00:00:00.000Z'))).toBe(words);
});
