/**
 * Lines of the common and combined log formats:
 *
 *     192.0.2.7 - - [21/Nov/2026:09:30:00 +0100] "GET /builds/a/b/1.0.0.tgz HTTP/1.1" 200 4096 "-" "curl/8"
 *
 * Read by position, without regular expressions, since logs are large. Everything between the quotes, and
 * the user name before them, is written by whoever makes the request: a quote or newline in it is escaped
 * by the server, so the first bare quote begins the request line, and what stands before it the time.
 */
import { dayNumber } from '../../format/day.ts';
import type { LogEntry } from './log-entry.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
/** `[21/Nov/2026:09:30:00 +0100]` */
const TIME_LENGTH = 28;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Reads a line without its newline; `undefined` for what is no request line of these formats. */
export function tryParseCommonLine(line: string): LogEntry | undefined {
  const quote = line.indexOf('"');
  const open = quote - 1 - TIME_LENGTH;
  if (open < 2 || line.charCodeAt(quote - 1) !== SPACE) return undefined;
  const day = tryParseTime(line, open);
  if (day === undefined) return undefined;
  const close = closingQuote(line, quote + 1);
  if (close < 0 || line.charCodeAt(close + 1) !== SPACE) return undefined;
  const method = line.indexOf(' ', quote);
  const target = line.lastIndexOf(' ', close);
  if (method < 0 || target <= method || !line.startsWith('HTTP/', target + 1)) return undefined;
  const status = digits(line, close + 2, close + 5);
  let at = close + 5;
  if (status < 100 || line.charCodeAt(at) !== SPACE) return undefined;
  at += 1;
  const end = wordEnd(line, at);
  const isUnknown = end === at + 1 && line.charCodeAt(at) === 0x2d;
  const bytes = isUnknown ? -1 : digits(line, at, end);
  if (bytes < 0 && !isUnknown) return undefined;
  return {
    day,
    address: line.slice(0, line.indexOf(' ')),
    method: line.slice(quote + 1, method),
    target: line.slice(method + 1, target),
    status,
    bytes,
    agent: agentAfter(line, end),
  };
}

/** Reads `[21/Nov/2026:09:30:00 +0100]` at `open` as a day of UTC. */
export function tryParseTime(line: string, open: number): number | undefined {
  if (line.charCodeAt(open) !== 0x5b || line.charCodeAt(open + TIME_LENGTH - 1) !== 0x5d) {
    return undefined;
  }
  const monthAt = MONTHS.indexOf(line.slice(open + 4, open + 7));
  if (monthAt < 0 || monthAt % 3 !== 0) return undefined;
  const year = digits(line, open + 8, open + 12);
  const hour = digits(line, open + 13, open + 15);
  const minute = digits(line, open + 16, open + 18);
  const sign = line.charCodeAt(open + 22);
  const zone = digits(line, open + 23, open + 25) * 60 + digits(line, open + 25, open + 27);
  const date = digits(line, open + 1, open + 3);
  if (Math.min(year, hour, minute, zone, date) < 0 || hour > 23 || minute > 59) return undefined;
  if (sign !== 0x2b && sign !== 0x2d) return undefined;
  const day = dayNumber(year, monthAt / 3 + 1, date);
  const minutes = hour * 60 + minute - (sign === 0x2b ? zone : -zone);
  return day === undefined ? undefined : day + Math.floor(minutes / 1_440);
}

/** The number that stands from `from` to `to`; a large negative one when there are other characters. */
function digits(line: string, from: number, to: number): number {
  let value = 0;
  if (to <= from || to > line.length || to - from > 15) return -1e9;
  for (let at = from; at < to; at += 1) {
    const digit = line.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1e9;
    value = value * 10 + digit;
  }
  return value;
}

/** The first quote from `at` on that no backslash escapes; -1 without one. */
function closingQuote(line: string, at: number): number {
  for (let end = line.indexOf('"', at); end >= 0; end = line.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= at && line.charCodeAt(end - 1 - slashes) === BACKSLASH)
      slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function wordEnd(line: string, at: number): number {
  const end = line.indexOf(' ', at);
  return end < 0 ? line.length : end;
}

/** The second quoted text behind the bytes; `""` in the common format. */
function agentAfter(line: string, at: number): string {
  if (line.charCodeAt(at + 1) !== QUOTE) return '';
  const referer = closingQuote(line, at + 2);
  if (referer < 0 || line.charCodeAt(referer + 2) !== QUOTE) return '';
  const end = closingQuote(line, referer + 3);
  return end < 0 ? '' : line.slice(referer + 3, end);
}
