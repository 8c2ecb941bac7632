import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayNumber, formatDay, tryParseDay } from './day.ts';

const FIRST = -719_528; // 0000-01-01
const LAST = 2_932_896; // 9999-12-31

/** The oracle: a date of JavaScript that is made from a number is no clock. */
function calendar(day: number): string {
  // oxlint-disable-next-line no-restricted-globals
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

it('formatDay() and tryParseDay() are inverse, and agree with the calendar of JavaScript', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST, max: LAST }), (day) => {
      const text = formatDay(day);
      expect(text).toBe(calendar(day));
      expect(tryParseDay(text)).toBe(day);
      expect(tryParseDay(`${text}T23:59:59.999Z`)).toBe(day);
    }),
  );
});

it.each(['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '2026-11-00', ''])(
  'tryParseDay() refuses %j',
  (text) => {
    expect(tryParseDay(text)).toBeUndefined();
  },
);

it.each(['2024-02-29', '2000-02-29'])('tryParseDay() knows the leap day %s', (text) => {
  expect(formatDay(tryParseDay(text)!)).toBe(text);
});

it('dayNumber() counts from 1970', () => {
  expect(dayNumber(1970, 1, 1)).toBe(0);
  expect(dayNumber(2026, 11, 21)).toBe(20_778);
});
