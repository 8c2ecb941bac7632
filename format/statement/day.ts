/** Days of UTC, counted from 1970-01-01 as day 0 in the Gregorian calendar, and written as `2026-11-21`. */

const DAY_PATTERN: RegExp = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * The number of a day; `undefined` for a date that does not exist. Arithmetic as in "days_from_civil"
 * (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
 * @param month 1 to 12
 * @example
 * dayNumber(1970, 1, 2); // 1
 */
export function dayNumber(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Reads `2026-11-21`, or the date that a timestamp begins with; `undefined` for anything else. */
export function tryParseDay(text: string): number | undefined {
  const [, year, month, day] = DAY_PATTERN.exec(text.slice(0, 10)) ?? [];
  return year === undefined ? undefined : dayNumber(Number(year), Number(month), Number(day));
}

/**
 * The inverse of `tryParseDay`, for the years 0 to 9999.
 * @example
 * formatDay(0); // '1970-01-01'
 */
export function formatDay(number: number): string {
  const shifted = number + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
