/** What one line of an access log says about a request, whatever the format. */

export interface LogEntry {
  /** Day of UTC, see `format/statement/day.ts`. */
  readonly day: number;
  /** As it was logged. */
  readonly address: string;
  readonly method: string;
  /** The request target: path and query, percent-encoded; some logs hold a whole URL. */
  readonly target: string;
  readonly status: number;
  /** Bytes that were sent; -1 when the log does not say. */
  readonly bytes: number;
  /** The user agent; `""` when the log does not say. */
  readonly agent: string;
}
