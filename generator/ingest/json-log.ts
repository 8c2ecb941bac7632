/**
 * Lines of JSON, by the keys that servers and CDNs use most:
 *
 *     {"remote_addr":"192.0.2.7","time_iso8601":"2026-11-21T09:30:00+01:00","request":"GET /x HTTP/1.1","status":"200","body_bytes_sent":"4096","http_user_agent":"curl/8"}
 *     {"ts":1795253400.5,"request":{"client_ip":"192.0.2.7","method":"GET","uri":"/x","headers":{"User-Agent":["curl/8"]}},"status":200,"size":4096}
 *     {"date":"2026-11-21","time":"09:30:00","c-ip":"192.0.2.7","cs-method":"GET","cs-uri-stem":"/x","sc-status":"200","sc-bytes":"4096","cs(User-Agent)":"curl/8"}
 *
 * The first key of a list that a line has is taken.
 */
import { tryParseDay } from '../../format/statement/day.ts';
import { dayOfEpoch, tryParseCommonTime, tryParseIsoTime } from './log-time.ts';

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

const ADDRESS = ['client_ip', 'remote_addr', 'remote_ip', 'ClientIP', 'c-ip'];
const METHOD = ['request_method', 'method', 'ClientRequestMethod', 'cs-method'];
const TARGET = ['request_uri', 'uri', 'url', 'ClientRequestURI', 'cs-uri-stem'];
const STATUS = ['status', 'response_status', 'EdgeResponseStatus', 'sc-status'];
const BYTES = [
  'body_bytes_sent',
  'response_body_size',
  'size',
  'bytes_sent',
  'EdgeResponseBytes',
  'sc-bytes',
];
const AGENT = [
  'http_user_agent',
  'user_agent',
  'request_user_agent',
  'ClientRequestUserAgent',
  'cs(User-Agent)',
];
const TIME = ['time_iso8601', 'time_local', 'timestamp', 'ts', 'time', 'EdgeStartTimestamp'];

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
  const day = tryParseIsoTime(time) ?? tryParseCommonTime(time);
  return day ?? (/^\d{9,20}(?:\.\d{1,9})?$/.test(time) ? dayOfEpoch(Number(time)) : undefined);
}
