// The responses that do not come from an account route: JSON with the error body that all builds use.
//
//   { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { isUnavailable } from './errors.ts';
import { noteFailure } from './request-log.ts';

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

/** Answers 503 while the database is away; passes other errors on. */
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
