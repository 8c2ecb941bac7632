/** Reads the lines of one access log; the beginning of each line identifies its format. */
import { CLOUDFRONT_FIELDS, tryParseCloudfrontLine, tryParseFields } from './cloudfront-log.ts';
import { tryParseCommonLine } from './common-log.ts';
import { tryParseJsonLine } from './json-log.ts';
import type { LogEntry } from './log-entry.ts';

const HASH = 0x23;
const BRACE = 0x7b;
const TAB = 0x09;
/** The position of the first tab of a CloudFront line, after its date. */
const DATE_LENGTH = 10;

export class LogParser {
  #fields = CLOUDFRONT_FIELDS;
  #hasFields = false;

  /**
   * Reads one line.
   * @returns `undefined` for a line that is no request in a known format, and for `#` lines
   */
  parse(line: string): LogEntry | undefined {
    const first = line.charCodeAt(0);
    if (first === BRACE) return tryParseJsonLine(line);
    if (first === HASH) {
      const fields = tryParseFields(line);
      this.#fields = fields ?? this.#fields;
      this.#hasFields ||= fields !== undefined;
      return undefined;
    }
    return this.#hasFields || line.charCodeAt(DATE_LENGTH) === TAB
      ? tryParseCloudfrontLine(line, this.#fields)
      : tryParseCommonLine(line);
  }
}
