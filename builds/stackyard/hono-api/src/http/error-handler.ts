// Turns whatever goes wrong into the one error body of the API:
// { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import { inspect } from 'node:util';
import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from './app-env.js';
import { HttpError, statusText } from './http-error.js';

/** What libraries put on their errors. */
type LibraryError = Error & { status?: number; expose?: boolean; headers?: Record<string, string>; syscall?: string };

/** Answers requests that no route took. */
export const handleNotFound: NotFoundHandler<AppEnv> = (c) => {
  throw new HttpError(404, `No route for ${c.req.method} ${c.req.path}`);
};

/** Answers requests that failed. Errors with a status of 500 or more appear in the request's line of the log. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c: Context<AppEnv>) => {
  const { status, code, message, headers, issues, expose } = toHttpError(thrown);
  // Where the log finds it.
  c.error = status >= 500 ? thrown : undefined;
  const text = expose ? message : statusText(status);
  const error = { status, code, message: text, requestId: c.get('requestId'), issues };
  return c.json({ error }, status as ContentfulStatusCode, { ...headers });
};

/** The thrown value as an error, for Hono handles nothing else. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown value: ${inspect(thrown)}`);
}

function toHttpError(thrown: Error): HttpError {
  const { status, message, headers, expose, syscall } = thrown as LibraryError;
  if (status === undefined || !Number.isInteger(status) || status < 400 || status > 599) {
    return new HttpError(500);
  }
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof HTTPException) return fromHono(thrown);
  // An error of the file system names paths, even where a library marks it as fit for clients.
  const isForClients = expose === true && syscall === undefined;
  return isForClients ? new HttpError(status, message, { expose, headers }) : new HttpError(status);
}

/** Hono's own middleware throws these; their messages are written for clients. */
function fromHono({ status, message, res }: HTTPException): HttpError {
  const { 'content-type': _type, 'content-length': _length, ...headers } = Object.fromEntries(res?.headers ?? []);
  return new HttpError(status, message || undefined, { headers });
}
