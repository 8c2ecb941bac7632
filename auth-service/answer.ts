// The answers that do not come from an account route: JSON with the error body that all builds use.
//
//   { "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }

import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { isUnavailable } from './errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Answers 404 for a path without a route. */
export const answerNotFound: RequestHandler = (req, res) => {
  sendError(res, 404, 'not_found', `No route for ${req.method} ${req.path}`);
};

/** Answers 503 while the database is unavailable and 500 for every other error, without details of it. */
export const answerFailure: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  // The response has started: Express closes the connection, so that the client sees that it is incomplete.
  if (res.headersSent) return next(error);
  res.locals['failure'] = error;
  if (!isUnavailable(error)) return sendError(res, 500, 'internal', 'Internal Server Error');
  res.set('Retry-After', String(RETRY_AFTER_SECONDS));
  sendError(res, 503, 'database_unavailable', 'The database is not available, try again later');
};

/** Sends the error body. */
function sendError(res: Response, status: number, code: string, message: string): void {
  const requestId = res.get('X-Request-Id');
  const error = { status, code, message, ...(requestId !== undefined && { requestId }) };
  res.status(status).json({ error });
}
