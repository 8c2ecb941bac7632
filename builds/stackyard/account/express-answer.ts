// Sends answers. Uses `setHeader` and `end` of Node only, so that Express 4.10 and 5 send the same bytes, without an
// ETag and whatever the settings of the host application.

import type { ServerResponse } from 'node:http';
import type { NextFunction, Response } from 'express';
import { AccountError } from './account-error.js';
import { type AccountAnswer, errorAnswer } from './answer.js';

/** Sends the answer, unless the host has begun one already, and begins its work. */
export function sendAnswer(res: ServerResponse, answer: AccountAnswer): void {
  const { after } = answer;
  if (!res.headersSent) send(res, answer);
  // Node writes the answer in this turn of the event loop, so the work cannot delay it.
  if (after) setImmediate(() => void after());
}

function send(res: ServerResponse, { status, body, headers }: AccountAnswer): void {
  res.statusCode = status;
  res.removeHeader('X-Powered-By');
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
  if (body === undefined) res.end();
  else sendText(res, JSON.stringify(body));
}

/** Answers an `AccountError`; passes anything else to `next`. */
export function answerError(error: unknown, res: Response, next: NextFunction, realm: string): void {
  if (!(error instanceof AccountError) || res.headersSent) next(error);
  else sendAnswer(res, errorAnswer(error, realm, readRequestId(res)));
}

/** The `X-Request-Id` that the host has put on the response, if any. */
export function readRequestId(res: ServerResponse): string | undefined {
  const id = res.getHeader('X-Request-Id');
  return typeof id === 'string' ? id : undefined;
}

// As one text, which Node sends in one piece with the headers.
function sendText(res: ServerResponse, text: string): void {
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
