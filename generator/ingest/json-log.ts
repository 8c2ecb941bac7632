/**
 * Lines of JSON, by the keys that servers and CDNs use most:
 *
 *     {"remote_addr":"192.0.2.7","time_iso8601":"2026-11-21T09:30:00+01:00","request":"GET /x HTTP/1.1","status":"200","body_bytes_sent":"4096","http_user_agent":"curl/8"}
 *     {"ts":1795253400.5,"request":{"client_ip":"192.0.2.7","method":"GET","uri":"/x","headers":{"User-Agent":["curl/8"]}},"status":200,"size":4096}
 *     {"date":"2026-11-21","time":"09:30:00","c-ip":"192.0.2.7","cs-method":"GET","cs-uri-stem":"/x","sc-status":"200","sc-bytes":"4096","cs(User-Agent)":"curl/8"}
 *
 * The first key of a list that a line has is taken.
 */
import { tryParseDay, dayNumber } from '../../format/statement/day.ts';

const ADDRESS = ['client_ip', 'remote_addr', 'remote_ip', 'ClientIP', 'clientIp', 'c-ip', 'client'];
const METHOD = ['request_method', 'method', 'ClientRequestMethod', 'cs-method', 'verb'];
const TARGET = ['request_uri', 'uri', 'url', 'path', 'ClientRequestURI', 'cs-uri-stem'];
const STATUS = ['status', 'response_status', 'EdgeResponseStatus', 'sc-status', 'status_code'];
const BYTES = [
  'body_bytes_sent',
  'response_body_size',
  'resp_body_size',
  'size',
  'bytes_sent',
  'EdgeResponseBytes',
  'sc-bytes',
  'bytes',
];
const AGENT = [
  'http_user_agent',
  'user_agent',
  'request_user_agent',
  'ClientRequestUserAgent',
  'cs(User-Agent)',
];
const TIME = [
  'time_iso8601',
  'time_local',
  'timestamp',
  'ts',
  'time',
  '@timestamp',
  'msec',
  'EdgeStartTimestamp',
  'start_time',
];

type Fields = Readonly<Record<string, unknown>>;

/** Reads a line without its newline; `undefined` for a line that is no request in JSON. */
export function tryParseJsonLine(line: string): LogEntry | undefined {
  const value = tryParseObject(line);
  if (value === undefined) return undefined;
  const request = isFields(value['request']) ? value['request'] : {};
  const all: readonly Fields[] = isFields(value['request']) ? [request, value] : [value];
  const [method, target] = requestOf(value['request'], all);
  // CloudFront has the day in a field of its own, in UTC.
  const day = dayOf(firstOf(all, TIME)) ?? dayOfDate(firstOf(all, ['date']));
  const status = numberOf(firstOf(all, STATUS));
  const address = firstOf(all, ADDRESS);
  if (day === undefined || !Number.isInteger(status) || typeof address !== 'string') {
    return undefined;
  }
  const bytes = numberOf(firstOf(all, BYTES));
  const agent = firstOf(all, AGENT) ?? headerOf(request['headers'], 'user-agent');
  return {
    day,
    address,
    method,
    target,
    status,
    bytes: Number.isInteger(bytes) && bytes >= 0 ? bytes : -1,
    agent: typeof agent === 'string' ? agent : '',
  };
}

function tryParseObject(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Method and target, either by keys of their own or as `GET /x HTTP/1.1`. */
function requestOf(request: unknown, all: readonly Fields[]): [method: string, target: string] {
  if (typeof request === 'string') {
    const [first, last] = [request.indexOf(' '), request.lastIndexOf(' ')];
    return first < last ? [request.slice(0, first), request.slice(first + 1, last)] : ['', ''];
  }
  const [method, target] = [firstOf(all, METHOD), firstOf(all, TARGET)];
  return [typeof method === 'string' ? method : '', typeof target === 'string' ? target : ''];
}

function firstOf(all: readonly Fields[], keys: readonly string[]): unknown {
  for (const key of keys) {
    for (const fields of all) {
      if (Object.hasOwn(fields, key)) return fields[key];
    }
  }
  return undefined;
}

function headerOf(headers: unknown, name: string): unknown {
  if (!isFields(headers)) return undefined;
  const key = Object.keys(headers).find((k) => k.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value[0] : value;
}

function numberOf(value: unknown): number {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  return typeof value === 'number' ? value : NaN;
}

function dayOfDate(date: unknown): number | undefined {
  return typeof date === 'string' && date.length === 10 ? tryParseDay(date) : undefined;
}

/** The day of an ISO time, of `21/Nov/2026:09:30:00 +0100`, or of a number since 1970. */
function dayOf(time: unknown): number | undefined {
  if (typeof time === 'number') return dayOfEpoch(time);
  if (typeof time !== 'string' || time.length > 40) return undefined;
  const day = tryParseIsoTime(time) ?? tryParseBracketed(`[${time}]`, 0);
  return day ?? (/^\d{9,20}(?:\.\d{1,9})?$/.test(time) ? dayOfEpoch(Number(time)) : undefined);
}

/** A request from one line of an access log, independent of the format. */
export interface LogEntry {
  /** Day of UTC, see `format/statement/day.ts`. */
  readonly day: number;
  /** As it was logged. */
  readonly address: string;
  readonly method: string;
  /** The request target: path and query, percent-encoded; some logs hold a whole URL. */
  readonly target: string;
  readonly status: number;
  /** Bytes that were sent; -1 when the log has no such field. */
  readonly bytes: number;
  /** The user agent; `""` when the log has no such field. */
  readonly agent: string;
}

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
