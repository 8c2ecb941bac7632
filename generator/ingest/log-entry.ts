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
