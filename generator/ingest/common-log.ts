/**
 * Lines of the common and combined log formats:
 *
 *     192.0.2.7 - - [21/Nov/2026:09:30:00 +0100] "GET /builds/a/b/1.0.0.tgz HTTP/1.1" 200 4096 "-" "curl/8"
 *
 * Everything between the quotes, and the user name before them, comes from the client that makes the request: a quote or newline
 * in it is escaped by the server, so the first bare quote begins the request line, and the text before it is the time.
 */
import type { LogEntry } from './json-log.ts';
import { tryParseCommonTime } from './log-time.ts';

const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
const LINE = new RegExp(
  String.raw`^([^ "]*) [^"]*\[([^"\]]{26})\] ${QUOTED} ([1-9]\d\d) (-|\d{1,15})(?: (.*))?$`,
  's',
);
const REQUEST = /^(\S*) (.*) HTTP\/\S*$/s;
const REFERER_AND_AGENT = new RegExp(`^${QUOTED} ${QUOTED}`, 's');

/** Reads a line without its newline; `undefined` for a line that is no request in these formats. */
export function tryParseCommonLine(line: string): LogEntry | undefined {
  const [, address = '', time = '', request = '', status, bytes, rest = ''] = LINE.exec(line) ?? [];
  const day = tryParseCommonTime(time);
  const [, method, target] = REQUEST.exec(request) ?? [];
  if (day === undefined || method === undefined || target === undefined) return undefined;
  return {
    day,
    address,
    method,
    target,
    status: Number(status),
    bytes: bytes === '-' ? -1 : Number(bytes),
    agent: REFERER_AND_AGENT.exec(rest)?.[2] ?? '',
  };
}
