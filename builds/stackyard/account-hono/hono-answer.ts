// Makes responses of Hono.

import type { Context } from 'hono';
import { AccountError } from './account-error.js';
import { type AccountAnswer, errorAnswer } from './answer.js';
import { readRequestId } from './hono-request.js';

type StatusCode = Parameters<Context['status']>[0];

/** The answer, with the headers that the host has set. Its work begins once it is sent. */
export function toResponse(c: Context, { status, body, headers, after }: AccountAnswer): Response {
  // Node writes the answer in this turn of the event loop, so the work cannot delay it.
  if (after) setImmediate(() => void after());
  const init = { status: status as StatusCode, headers: { ...headers } };
  if (body === undefined) return c.newResponse(null, init);
  const text = JSON.stringify(body);
  // Servers add the length, but not where Hono drops the body; version 1 of that for Node sends it twice otherwise.
  const length: Record<string, string> =
    c.req.method === 'HEAD' ? { 'Content-Length': String(Buffer.byteLength(text)) } : {};
  return c.newResponse(text, { ...init, headers: { ...headers, ...length } });
}

/** Answers an `AccountError`; throws anything else, for the host. */
export function answerError(c: Context, error: unknown, realm: string): Response {
  if (!(error instanceof AccountError)) throw error;
  return toResponse(c, errorAnswer(error, realm, readRequestId(c)));
}
