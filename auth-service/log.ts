// Structured logs, one JSON object a line. One line for each request:
//
//   { "level": "info", "time": "...", "req": { "id": "...", "method": "GET", "path": "/auth/me", "address": "203.0.113.7" },
//     "res": { "status": 200 }, "responseTime": 1, "msg": "request completed" }
//
// Neither headers, bodies, queries nor e-mails are written.

import type { Request, Response } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';
import { isUnavailable } from './errors.ts';

const MAX_CAUSES = 5;
const QUIET_PATHS: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

/** A logger that writes to `destination`, else to the standard output. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Writes the line of a request that has been answered, or whose client has disconnected. */
export function logRequest(
  log: Logger,
  req: Request,
  path: string,
  res: Response,
  ms: number,
): void {
  const { statusCode: status } = res;
  const { method, ip: address } = req;
  const request = { id: res.get('X-Request-Id'), method, path, address };
  const fields = { req: request, res: { status }, responseTime: Math.round(ms) };
  const { failure: err } = res.locals;
  if (status >= 500 || err !== undefined) {
    const level = status === 503 ? 'warn' : 'error';
    log[level]({ ...fields, ...(err !== undefined && { err }) }, 'request errored');
  } else {
    const level = QUIET_PATHS.has(path) && status < 400 ? 'debug' : 'info';
    log[level](fields, res.writableEnded ? 'request completed' : 'request aborted');
  }
}

// An allow list of fields, because errors of drivers carry rows and parameters in other fields. No stack while the
// database is unavailable: it would be the same for every request.
function describeError(error: unknown, depth = 0, hasStack = !isUnavailable(error)): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    message: error.message,
    ...(hasStack && { stack: error.stack }),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1, hasStack) }),
  };
}
