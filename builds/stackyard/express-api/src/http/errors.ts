// Failures: the error that a handler throws to choose the answer, and the one error body of the API:
// { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import { STATUS_CODES } from 'node:http';
import { inspect } from 'node:util';
import type { ErrorRequestHandler, RequestHandler } from 'express';

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

/** The last handler of a route, `.all(allowMethods('GET', 'POST'))`: 204 to OPTIONS, 405 to other methods. */
export function allowMethods(...methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method !== 'OPTIONS') {
      throw new HttpError(405, `Method ${req.method} is not allowed here`, { headers: { Allow: allow } });
    }
    res.set('Allow', allow).status(204).end();
  };
}

/** What libraries such as http-errors, and modules, put on their errors. */
type LibraryError = Error & HttpErrorOptions & { status?: number; syscall?: string };

/** A code for clients, not one of Node.js such as `ENOENT`. */
const CODE = /^[a-z][a-z_]*$/;

/** Answers requests that no route took. */
export const handleNotFound: RequestHandler = (req) => {
  const [path] = req.originalUrl.split('?');
  throw new HttpError(404, `No route for ${req.method} ${path}`);
};

/** Answers requests that failed. Errors with a status of 500 or more appear in the request's line of the log. */
export const handleError: ErrorRequestHandler = (thrown: unknown, req, res, _next) => {
  const { status, code, message, headers, issues, expose } = toHttpError(thrown);
  if (status >= 500 || res.headersSent) res.err = toError(thrown);
  // Too late for another answer: the client must see that this one is broken.
  if (res.headersSent) return void res.destroy();
  const text = expose ? message : statusText(status);
  const error = { status, code, message: text, requestId: req.id, issues };
  res.set(headers).status(status).json({ error });
};

function toHttpError(thrown: unknown): HttpError {
  const { status, message, code, headers, issues, expose, syscall } = toError(thrown) as LibraryError;
  if (status === undefined || !Number.isInteger(status) || status < 400 || status > 599) {
    return new HttpError(500);
  }
  if (thrown instanceof HttpError) return thrown;
  // An error of the file system names paths, even where a library marks it as fit for clients.
  const isForClients = expose === true && syscall === undefined;
  if (!isForClients) return new HttpError(status);
  return new HttpError(status, message, { code: code && CODE.test(code) ? code : undefined, expose, headers, issues });
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown value: ${inspect(thrown)}`);
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
