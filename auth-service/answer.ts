import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';

// One line of the log for each request:
//
//   { "level": "info", "time": "...", "req": { "id": "...", "method": "GET", "path": "/auth/me" },
//     "res": { "status": 200 }, "responseTime": 1, "msg": "request completed" }

/** A request that has been answered, or whose client has disconnected. */
interface EndedRequest {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly durationMs: number;
  /** Of the header `traceparent`. */
  readonly trace: Trace | undefined;
}

/** A trace of which the request is a part, and the span that sent it (W3C Trace Context). */
export interface Trace {
  readonly trace_id: string;
  readonly span_id: string;
}

// Version, trace, span, flags; a later version may have more behind. Version ff and ids of zeros are not valid.
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Reads the header `traceparent`; `undefined` without a valid one. */
export function tryParseTrace(header: string | string[] | undefined): Trace | undefined {
  const [all, trace_id, span_id, more] =
    TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? [];
  if (trace_id === undefined || span_id === undefined) return undefined;
  // Version 00 ends with the flags.
  return more !== undefined && all?.startsWith('00') ? undefined : { trace_id, span_id };
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
  return ({ id, method, path, durationMs, trace }, res) => {
    const status = res.statusCode;
    const fields = { ...trace, req: { id, method, path }, res: { status } };
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

// The errors of this room. A problem in a request is an `AccountError` of the account module.

type AuthServiceErrorCode =
  | 'ERR_CONFIG'
  | 'ERR_STORE_SCHEMA'
  | 'ERR_STORE_UNAVAILABLE'
  | 'ERR_WORKER';

/** The service, or one request to it, cannot go on. `code` is stable, `cause` is the underlying error, if any. */
export class AuthServiceError extends Error {
  override readonly name = 'AuthServiceError';
  readonly code: AuthServiceErrorCode;

  constructor(code: AuthServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** HTTP status, also for the error handler of an application that mounts the router. */
  get status(): 500 | 503 {
    return this.code === 'ERR_STORE_UNAVAILABLE' ? 503 : 500;
  }
}

/** Whether the database is unavailable: the request may succeed later, nothing is wrong with the service. */
export function isUnavailable(error: unknown): error is AuthServiceError {
  return error instanceof AuthServiceError && error.code === 'ERR_STORE_UNAVAILABLE';
}

// The responses that do not come from an account route: JSON with the error body that all builds use.
//
//   { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

const RETRY_AFTER_SECONDS = 5;

/** Sends `body` as JSON with `Cache-Control: no-store`. */
export function sendJson(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

/** Answers 404 for a path without a route. */
export const answerNotFound: RequestHandler = (req, res) => {
  sendError(
    res,
    404,
    'not_found',
    `No route for ${req.method} ${req.originalUrl.split('?', 1)[0]}`,
  );
};

/** Answers 405 for methods other than GET and HEAD. */
export const answerOtherMethods: RequestHandler = (req, res) => {
  res.set('Allow', 'GET, HEAD, OPTIONS');
  if (req.method === 'OPTIONS') res.status(204).end();
  else sendError(res, 405, 'method_not_allowed', `Method ${req.method} is not allowed here`);
};

/** Answers 503 while the database is unavailable; passes other errors on. */
export const answerUnavailable: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (!isUnavailable(error) || res.headersSent) return next(error);
  noteFailure(res, error);
  res.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
  sendError(res, 503, 'database_unavailable', 'The database is not available, try again later');
};

/** Answers 500 for every other error, without details of it. */
export const answerFailure: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  // The response has started: Express closes the connection, so that the client sees that it is incomplete.
  if (res.headersSent) return next(error);
  const isError = error instanceof Error;
  noteFailure(res, isError ? error : new Error('A value that is no error was thrown'));
  sendError(res, 500, 'internal', 'Internal Server Error');
};

/** Sends the error body. */
export function sendError(
  res: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  const requestId = res.getHeader('X-Request-Id');
  sendJson(res, status, {
    error: { status, code, message, ...(typeof requestId === 'string' && { requestId }) },
  });
}
