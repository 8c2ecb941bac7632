/** Times of access logs as days of UTC. Hours and zones matter: 00:30 +0100 is still the day before. */
import { dayNumber } from '../../format/statement/day.ts';

/** `[21/Nov/2026:09:30:00 +0100]` */
export const BRACKETED_LENGTH = 28;

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const MINUTES_PER_DAY = 1_440;
const SECONDS_PER_DAY = 86_400;
const [PLUS, MINUS, COLON] = [0x2b, 0x2d, 0x3a];

/** Reads `[21/Nov/2026:09:30:00 +0100]` at `open` of `line`. */
export function tryParseBracketed(line: string, open: number): number | undefined {
  if (line.charCodeAt(open) !== 0x5b || line.charCodeAt(open + BRACKETED_LENGTH - 1) !== 0x5d) {
    return undefined;
  }
  const monthAt = MONTHS.indexOf(line.slice(open + 4, open + 7));
  if (monthAt < 0 || monthAt % 3 !== 0) return undefined;
  const date = digits(line, open + 1, open + 3);
  const year = digits(line, open + 8, open + 12);
  const minutes = minuteOfDay(line, open + 13);
  const zone = zoneMinutes(line, open + 22);
  if (date < 0 || year < 0 || minutes < 0 || zone === undefined) return undefined;
  return inUtc(dayNumber(year, monthAt / 3 + 1, date), minutes, zone);
}

/** Reads `2026-11-21T09:30:00.5+01:00`; a time without zone is UTC. */
export function tryParseIsoTime(text: string): number | undefined {
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const date = digits(text, 8, 10);
  const separator = text.charAt(10);
  const minutes = minuteOfDay(text, 11);
  if (Math.min(year, month, date, minutes) < 0 || (separator !== 'T' && separator !== ' ')) {
    return undefined;
  }
  const zone = isoZone(text, 16);
  return zone === undefined ? undefined : inUtc(dayNumber(year, month, date), minutes, zone);
}

/** Takes seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by their size. */
export function dayOfEpoch(time: number): number | undefined {
  if (!(time >= 0 && time < 1e20)) return undefined;
  // 1e11 seconds is the year 5138; 1e11 milliseconds was in 1973, and so on.
  const scale = time < 1e11 ? 1 : time < 1e14 ? 1e3 : time < 1e17 ? 1e6 : 1e9;
  return Math.floor(time / scale / SECONDS_PER_DAY);
}

/** The number from `from` to `to`; a large negative one when there are other characters. */
export function digits(line: string, from: number, to: number): number {
  let value = 0;
  if (to <= from || to > line.length || to - from > 15) return -1e9;
  for (let at = from; at < to; at += 1) {
    const digit = line.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1e9;
    value = value * 10 + digit;
  }
  return value;
}

/** Reads `09:30`; negative for other text. */
function minuteOfDay(text: string, at: number): number {
  const hour = digits(text, at, at + 2);
  const minute = digits(text, at + 3, at + 5);
  if (text.charCodeAt(at + 2) !== COLON || hour > 23 || minute > 59) return -1;
  return Math.min(hour, minute) < 0 ? -1 : hour * 60 + minute;
}

/** Passes over `:00.123` and reads the zone behind it. */
function isoZone(text: string, from: number): number | undefined {
  let at = from;
  if (text.charCodeAt(at) === COLON) {
    if (digits(text, at + 1, at + 3) < 0) return undefined;
    at += 3;
    if (text.charAt(at) === '.' || text.charAt(at) === ',') {
      at += 1;
      while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
    }
  }
  if (at === text.length) return 0;
  if (text.charAt(at) === 'Z') return at + 1 === text.length ? 0 : undefined;
  const zone = zoneMinutes(text, at);
  const length = text.charCodeAt(at + 3) === COLON ? 6 : 5;
  return at + length === text.length ? zone : undefined;
}

/** Reads `+0100` or `+01:00`. */
function zoneMinutes(text: string, at: number): number | undefined {
  const sign = text.charCodeAt(at);
  if (sign !== PLUS && sign !== MINUS) return undefined;
  const minuteAt = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3;
  const hours = digits(text, at + 1, at + 3);
  const minutes = digits(text, minuteAt, minuteAt + 2);
  if (hours < 0 || minutes < 0 || hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (sign === PLUS ? 1 : -1);
}

function inUtc(day: number | undefined, minutes: number, zone: number): number | undefined {
  return day === undefined ? undefined : day + Math.floor((minutes - zone) / MINUTES_PER_DAY);
}
