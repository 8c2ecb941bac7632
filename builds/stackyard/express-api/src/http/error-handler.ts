// Turns whatever goes wrong into the one error body of the API:
// { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import { inspect } from 'node:util';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { HttpError, statusText } from './http-error.js';

/** What libraries such as http-errors put on their errors. */
type LibraryError = Error & { status?: number; expose?: boolean; headers?: Record<string, string>; syscall?: string };

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
  const { status, message, headers, expose, syscall } = toError(thrown) as LibraryError;
  if (status === undefined || !Number.isInteger(status) || status < 400 || status > 599) {
    return new HttpError(500);
  }
  if (thrown instanceof HttpError) return thrown;
  // An error of the file system names paths, even where a library marks it as fit for clients.
  const isForClients = expose === true && syscall === undefined;
  return isForClients ? new HttpError(status, message, { expose, headers }) : new HttpError(status);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Thrown value: ${inspect(thrown)}`);
}
