/**
 * Lines of the common and combined log formats:
 *
 *     192.0.2.7 - - [21/Nov/2026:09:30:00 +0100] "GET /builds/a/b/1.0.0.tgz HTTP/1.1" 200 4096 "-" "curl/8"
 *
 * Read by position, without regular expressions, since logs are large. Everything between the quotes, and
 * the user name before them, comes from the client that makes the request: a quote or newline in it is escaped
 * by the server, so the first bare quote begins the request line, and the text before it is the time.
 */
import type { LogEntry } from './log-entry.ts';
import { BRACKETED_LENGTH, digits, tryParseBracketed } from './log-time.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** Reads a line without its newline; `undefined` for a line that is no request in these formats. */
export function tryParseCommonLine(line: string): LogEntry | undefined {
  const quote = line.indexOf('"');
  const open = quote - 1 - BRACKETED_LENGTH;
  if (open < 2 || line.charCodeAt(quote - 1) !== SPACE) return undefined;
  const day = tryParseBracketed(line, open);
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
