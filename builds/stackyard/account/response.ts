// Writes the answers of the account routes. Uses `setHeader` and `end` of Node only, so that Express 4.10 and 5 send
// the same bytes, without an ETag and whatever the settings of the host application.

import type { ServerResponse } from 'node:http';
import { AccountError } from './account-error.js';

/** Sends `body` as JSON that no cache may keep. Does nothing when an answer was begun already. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent) return;
  const text = JSON.stringify(body);
  prepare(res, status, headers);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  // As a text, which Node sends in one piece with the headers.
  res.end(text);
}

/** Sends 204 without a body. */
export function sendEmpty(res: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  if (res.headersSent) return;
  prepare(res, 204, headers);
  res.end();
}

/**
 * Sends `{ "error": { status, code, message, issues?, requestId? } }`. A 401 carries a challenge, as RFC 9110
 * section 15.5.2 demands. `requestId` is the `X-Request-Id` that the host has put on the response, if any.
 */
export function sendError(res: ServerResponse, error: AccountError, realm: string): void {
  if (res.headersSent) return;
  const { status, code, message, issues } = error;
  const requestId = readRequestId(res);
  const body = {
    error: {
      status,
      code,
      message,
      ...(issues && { issues }),
      ...(requestId !== undefined && { requestId }),
    },
  };
  if (status === 401) res.setHeader('WWW-Authenticate', formatChallenge(error, realm));
  sendJson(res, status, body, error.headers);
}

/** The `X-Request-Id` that the host has put on the response, if any. */
export function readRequestId(res: ServerResponse): string | undefined {
  const id = res.getHeader('X-Request-Id');
  return typeof id === 'string' ? id : undefined;
}

// A request without credentials gets no error code (RFC 6750 section 3.1).
function formatChallenge(error: AccountError, realm: string): string {
  return `Bearer realm="${realm}"${error.challenge ? `, error="${error.challenge}"` : ''}`;
}

function prepare(res: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  res.statusCode = status;
  res.setHeader('Cache-Control', 'no-store');
  res.removeHeader('X-Powered-By');
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}
