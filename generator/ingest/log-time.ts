/** The day of UTC of a time in a log, see `format/statement/day.ts`. */
import { dayNumber } from '../../format/statement/day.ts';

/** `21/Nov/2026:09:30:00 +0100` */
const COMMON = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):.{2} ([+-])(\d\d)(\d\d)$/;
/** `2026-11-21T09:30:00.5+01:00`; a time without zone is UTC. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::\d\d(?:[.,]\d*)?)?(?:Z|([+-])(\d\d):?(\d\d))?$/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const MINUTES_PER_DAY = 1_440;
const SECONDS_PER_DAY = 86_400;

/** Reads the time of the common log format, without its brackets. */
export function tryParseCommonTime(text: string): number | undefined {
  const [, date, month = '', year, hour, minute, sign, zoneHour, zoneMinute] =
    COMMON.exec(text) ?? [];
  const at = MONTHS.indexOf(month);
  if (date === undefined || at % 3 !== 0) return undefined;
  const zone = [sign, zoneHour, zoneMinute] as const;
  return inUtc(dayNumber(Number(year), at / 3 + 1, Number(date)), hour, minute, zone);
}

export function tryParseIsoTime(text: string): number | undefined {
  const [, year, month, date, hour, minute, sign = '+', zoneHour = '0', zoneMinute = '0'] =
    ISO.exec(text) ?? [];
  if (year === undefined) return undefined;
  const zone = [sign, zoneHour, zoneMinute] as const;
  return inUtc(dayNumber(Number(year), Number(month), Number(date)), hour, minute, zone);
}

/** Takes seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by their size. */
export function dayOfEpoch(time: number): number | undefined {
  if (!(time >= 0 && time < 1e20)) return undefined;
  // 1e11 seconds is the year 5138; 1e11 milliseconds was in 1973, and so on.
  const scale = time < 1e11 ? 1 : time < 1e14 ? 1e3 : time < 1e17 ? 1e6 : 1e9;
  return Math.floor(time / scale / SECONDS_PER_DAY);
}

function inUtc(
  day: number | undefined,
  hour: string | undefined,
  minute: string | undefined,
  [sign, ...zone]: readonly (string | undefined)[],
): number | undefined {
  const minutes = minutesOf(hour, minute);
  const distance = minutesOf(...(zone as [string | undefined, string | undefined]));
  if (day === undefined || minutes === undefined || distance === undefined) return undefined;
  return day + Math.floor((minutes - (sign === '-' ? -distance : distance)) / MINUTES_PER_DAY);
}

function minutesOf(hour: string | undefined, minute: string | undefined): number | undefined {
  const [hours, minutes] = [Number(hour), Number(minute)];
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined;
}
