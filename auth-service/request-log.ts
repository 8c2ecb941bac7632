// One line of the log for each request:
//
//   { "level": "info", "time": "...", "req": { "id": "...", "method": "GET", "path": "/auth/me" },
//     "res": { "status": 200 }, "responseTime": 1, "msg": "request completed" }

import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** A request that has been answered, or whose client has disconnected. */
export interface EndedRequest {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly durationMs: number;
}

const QUIET_PATHS: ReadonlySet<string> = new Set(['/health', '/health/', '/ready', '/ready/']);

// Stored separately: the class of the response is not ours to extend.
const failures = new WeakMap<ServerResponse, unknown>();

/** Adds the error that was answered to the log line of the request. */
export function noteFailure(res: ServerResponse, error: unknown): void {
  failures.set(res, error);
}

/** Writes one line for each request, except health checks that succeed. */
export function createRequestLog(log: Logger): (req: EndedRequest, res: ServerResponse) => void {
  // Redaction searches every line for two dozen names, which takes longer than answering a request. A line with only the
  // fields above has none of them.
  const plain = log.child({}, { redact: { paths: [] } });
  return ({ id, method, path, durationMs }, res) => {
    const status = res.statusCode;
    const fields = { req: { id, method, path }, res: { status } };
    const responseTime = Math.round(durationMs);
    const err = failures.get(res);
    if (status < 500 && err === undefined) {
      const level = QUIET_PATHS.has(path) && status < 400 ? 'debug' : 'info';
      const text = res.writableEnded ? 'request completed' : 'request aborted';
      plain[level]({ ...fields, responseTime }, text);
    } else {
      const level = status === 503 ? 'warn' : 'error';
      log[level]({ ...fields, ...(err !== undefined && { err }), responseTime }, 'request errored');
    }
  };
}
