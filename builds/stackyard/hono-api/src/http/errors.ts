// Failures: the error that a handler throws to choose the answer, and the one error body of the API:
// { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { inspect } from 'node:util';
import type { Context, ErrorHandler, Handler, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { StatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import type { AppEnv } from './context.js';

/** One reason why a request was refused. `path` is dotted, and empty for the body as a whole. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface HttpErrorOptions extends ErrorOptions {
  /** Stable word for programs, such as `email_taken`. Default: from the status, such as `not_found`. */
  readonly code?: string | undefined;
  /** Whether clients see the message. Default: below 500. */
  readonly expose?: boolean | undefined;
  /** Headers of the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

/** An answer with a status from 400 to 599. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[] | undefined;

  constructor(status: number, message = statusText(status), options: HttpErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = options.code ?? statusCode(status);
    this.expose = options.expose ?? status < 500;
    this.headers = options.headers ?? {};
    this.issues = options.issues;
  }
}

/** The last handler of a path, for one that has no other for these methods: 204 to OPTIONS, 405 to other methods. */
export function allowMethods(...methods: readonly string[]): Handler {
  return (c) => refuseMethod(c, methods);
}

/** What libraries and modules put on their errors. */
type LibraryError = Error & HttpErrorOptions & { status?: number; syscall?: string };

/** A code for clients, not one of Node.js such as `ENOENT`. */
const CODE = /^[a-z][a-z_]*$/;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers requests that no handler took: 404, or 405 and 204 where the path has handlers of other methods. */
export function answerOthers(app: Hono<AppEnv>, c: Context<AppEnv>): Response {
  const { method, path } = c.req;
  const allowed = METHODS.filter((one) =>
    app.router.match(one, path)[0].some(([[, route]]) => route.method === one && !route.path.endsWith('*')),
  );
  if (allowed.length > 0 && !allowed.includes(method)) return refuseMethod(c, allowed);
  throw new HttpError(404, `No route for ${method} ${path}`);
}

function refuseMethod(c: Context, methods: readonly string[]): Response {
  const Allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow });
  throw new HttpError(405, `Method ${c.req.method} is not allowed here`, { headers: { Allow } });
}

/** Answers requests that failed. Errors with a status of 500 or more appear in the request's line of the log. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c) => {
  const { text, init } = describeError(thrown, c.env);
  return c.newResponse(text, { ...init, status: init.status as StatusCode });
};

/** The same where an error did not reach Hono. */
export function answerError(thrown: Error, env: AppEnv['Bindings']): Response {
  const { text, init } = describeError(thrown, env);
  return new Response(text, init);
}

function describeError(thrown: Error, env: AppEnv['Bindings']) {
  const { status, code, message, headers, issues, expose } = toHttpError(thrown);
  env.error = status >= 500 ? thrown : undefined;
  const text = expose ? message : statusText(status);
  const error = { status, code, message: text, requestId: env.requestId, issues };
  const init = { status, headers: { 'Content-Type': 'application/json', ...headers } };
  return { text: JSON.stringify({ error }), init };
}

/**
 * Makes the handler of requests that the application never gets, because they have no valid URL: a broken `Host`, or a
 * target that is no path.
 */
export function refuseRequest(logger: Logger): (error: unknown) => Response {
  return (err) => {
    const requestId = randomUUID();
    logger.warn({ err, req: { id: requestId } }, 'a request has no valid URL');
    const { status, code, message } = new HttpError(400);
    const error = { status, code, message, requestId };
    return Response.json({ error }, { status, headers: { 'X-Request-Id': requestId } });
  };
}

/** The thrown value as an error, for Hono handles nothing else. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown value: ${inspect(thrown)}`);
}

function toHttpError(thrown: Error): HttpError {
  const { status, message, code, headers, issues, expose, syscall } = thrown as LibraryError;
  if (status === undefined || !Number.isInteger(status) || status < 400 || status > 599) {
    return new HttpError(500);
  }
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof HTTPException) return fromHono(thrown);
  // An error of the file system names paths, even where a library marks it as fit for clients.
  const isForClients = expose === true && syscall === undefined;
  if (!isForClients) return new HttpError(status);
  return new HttpError(status, message, { code: code && CODE.test(code) ? code : undefined, expose, headers, issues });
}

/** Hono's own middleware throws these; their messages are written for clients. */
function fromHono({ status, message, res }: HTTPException): HttpError {
  const { 'content-type': _type, 'content-length': _length, ...headers } = Object.fromEntries(res?.headers ?? []);
  return new HttpError(status, message || undefined, { headers });
}

/** The standard text of a status, such as `Not Found`. */
function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

function statusCode(status: number): string {
  if (status === 500) return 'internal';
  return statusText(status)
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z]+/g, '_');
}
