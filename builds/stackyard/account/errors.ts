// The errors that the routes answer themselves. All others go to the error handler of the application.

import type { NextFunction, Request, Response } from 'express';

const HEADERS = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };
type Issues = readonly { readonly path: string; readonly message: string }[];
export class AccountError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: object;
  constructor(status: number, code: string, message: string, headers = {}, issues?: Issues) {
    super(message);
    [this.status, this.headers, this.body] = [status, { ...HEADERS, ...headers }, { status, code, message, issues }];
  }
}

export const invalidJson = () => new AccountError(400, 'invalid_json', 'Invalid JSON body');
export const tooLarge = () => new AccountError(413, 'payload_too_large', 'Request body is too large');
export const overloaded = () =>
  new AccountError(503, 'overloaded', 'Too many requests in progress, try again later', { 'Retry-After': '5' });
export const unauthorized = (code: string, message: string) =>
  new AccountError(401, code, message, { 'WWW-Authenticate': 'Bearer realm="account"' });
export function invalidRequest(issues: Issues): AccountError {
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new AccountError(400, 'invalid_request', `Invalid request: ${text}`, {}, issues);
}
// Not by `res.json`, which fails in Express 4.10 on a new Node.
export function send(res: Response, status: number, body: object): void {
  res.writeHead(status, HEADERS).end(JSON.stringify(body));
}

/** Error handler: answers an `AccountError`, and what a body parser in front of the routes throws; passes others on. */
export function answerBodyErrors(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  const type = String((error as { readonly type?: unknown } | undefined)?.type);
  const isBroken = /^(?:charset|encoding|entity|request)\./.test(type);
  const fromParser = type === 'entity.too.large' ? tooLarge() : isBroken ? invalidJson() : undefined;
  const found = error instanceof AccountError ? error : fromParser;
  if (!found || res.headersSent) return next(error);
  send(res.set(found.headers), found.status, { error: { ...found.body, requestId: res.get('X-Request-Id') } });
}
