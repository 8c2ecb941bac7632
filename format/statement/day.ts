/** Days of UTC, counted from 1970-01-01 as day 0 in the Gregorian calendar, and written as `2026-11-21`. */
import { DAY_MS } from '../duration.ts';

/**
 * The number of a day; `undefined` for a date that does not exist, and for years beyond 9999.
 * @param month 1 to 12
 * @example
 * dayNumber(1970, 1, 2); // 1
 */
export function dayNumber(year: number, month: number, day: number): number | undefined {
  return tryParseDay(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
}

/** Reads `2026-11-21`, or the date that a timestamp begins with; `undefined` for anything else. */
export function tryParseDay(text: string): number | undefined {
  const day = text.slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  const number = Date.parse(day) / DAY_MS;
  // JavaScript takes 2026-02-30 for a day of March.
  return Number.isNaN(number) || formatDay(number) !== day ? undefined : number;
}

/**
 * The inverse of `tryParseDay`, for the years 0 to 9999.
 * @example
 * formatDay(0); // '1970-01-01'
 */
export function formatDay(number: number): string {
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
