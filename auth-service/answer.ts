// The answers that are not an account route's: JSON with the one error body of all builds.
//
//   { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { isUnavailable } from './errors.ts';
import { noteFailure } from './request-log.ts';

const RETRY_AFTER_SECONDS = 5;

/** Sends `body` as JSON that no cache may keep. */
export function sendJson(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}

/** Answers a path that no route took. */
export const answerNotFound: RequestHandler = (req, res) => {
  sendError(
    res,
    404,
    'not_found',
    `No route for ${req.method} ${req.originalUrl.split('?', 1)[0]}`,
  );
};

/** Answers another method than GET and HEAD on a path that has no others. */
export const answerOtherMethods: RequestHandler = (req, res) => {
  res.set('Allow', 'GET, HEAD, OPTIONS');
  if (req.method === 'OPTIONS') res.status(204).end();
  else sendError(res, 405, 'method_not_allowed', `Method ${req.method} is not allowed here`);
};

/** Answers 503 while the database is away; hands other errors on. */
export const answerUnavailable: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (!isUnavailable(error) || res.headersSent) return next(error);
  noteFailure(res, error);
  res.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
  sendError(res, 503, 'database_unavailable', 'The database is not available, try again later');
};

/** Answers what nobody else has answered, without saying what it was. */
export const answerFailure: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  // Too late for another answer: Express closes the connection, so that the client sees that this one is broken.
  if (res.headersSent) return next(error);
  const isError = error instanceof Error;
  noteFailure(res, isError ? error : new Error('A value that is no error was thrown'));
  sendError(res, 500, 'internal', 'Internal Server Error');
};

/** Answers with the one error body. */
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
