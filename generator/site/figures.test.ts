import { expect, test } from 'vitest';
import { bytesText, count, countOf, dateText, percent } from './figures.ts';

test('figures are written without a locale', () => {
  expect([count(0), count(999), count(1_000), count(1_234_567)]).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
  ]);
  expect([countOf(1, 'build'), countOf(2_000, 'build')]).toEqual(['1 build', '2,000 builds']);
  expect([bytesText(999), bytesText(1_500), bytesText(20_000_000)]).toEqual([
    '999 B',
    '1.5 kB',
    '20.0 MB',
  ]);
  expect(percent(0.4385)).toBe('44 %');
});

test('dateText() is the day in UTC', () => {
  expect(dateText('2026-01-02T23:59:59.999Z')).toBe('2 Jan 2026');
});
