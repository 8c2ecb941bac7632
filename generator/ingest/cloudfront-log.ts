/**
 * Lines of CloudFront's standard logs, whose fields are separated by tabs and named at the top:
 *
 *     #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status ...
 *     2026-11-21	09:30:00	FRA56-P1	4528	192.0.2.7	GET	d1.example.net	/builds/a/b/1.0.0.tgz	200	...
 */
import { tryParseDay } from '../../format/statement/day.ts';
import type { LogEntry } from './log-entry.ts';

/** The order that has not changed since the format began, for a log whose first lines were cut off. */
const DEFAULT_FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)';

/** No list of fields is longer; what comes after is not looked at. */
const MAX_FIELDS = 64;

/** The positions of the fields that are read; -1 for a field that the log does not have. */
export interface CloudfrontFields {
  readonly date: number;
  readonly address: number;
  readonly method: number;
  readonly target: number;
  readonly status: number;
  readonly bytes: number;
  readonly agent: number;
}

/** The fields that a log has as long as it does not name others. */
export const CLOUDFRONT_FIELDS: CloudfrontFields = fieldsOf(DEFAULT_FIELDS);

/** Reads `#Fields: ...`; `undefined` for another line, or when a field is missing that is needed. */
export function tryParseFields(line: string): CloudfrontFields | undefined {
  if (!line.startsWith('#Fields:')) return undefined;
  const fields = fieldsOf(line.slice('#Fields:'.length));
  const { date, address, method, target, status } = fields;
  return [date, address, method, target, status].includes(-1) ? undefined : fields;
}

/** Reads a line without its newline; `undefined` for what does not fit `fields`. */
export function tryParseCloudfrontLine(
  line: string,
  fields: CloudfrontFields,
): LogEntry | undefined {
  const values = line.split('\t', MAX_FIELDS);
  const date = values[fields.date] ?? '';
  const day = date.length === 10 ? tryParseDay(date) : undefined;
  const status = values[fields.status] ?? '';
  const bytes = values[fields.bytes] ?? '-';
  const target = values[fields.target] ?? '';
  if (day === undefined || !/^\d{3}$/.test(status) || !/^(?:-|\d{1,15})$/.test(bytes)) {
    return undefined;
  }
  return {
    day,
    address: values[fields.address] ?? '',
    method: values[fields.method] ?? '',
    target,
    status: Number(status),
    bytes: bytes === '-' ? -1 : Number(bytes),
    agent: values[fields.agent] ?? '',
  };
}

function fieldsOf(names: string): CloudfrontFields {
  const list = names.trim().split(/\s+/, MAX_FIELDS);
  return {
    date: list.indexOf('date'),
    address: list.indexOf('c-ip'),
    method: list.indexOf('cs-method'),
    target: list.indexOf('cs-uri-stem'),
    status: list.indexOf('sc-status'),
    bytes: list.indexOf('sc-bytes'),
    agent: list.indexOf('cs(User-Agent)'),
  };
}
