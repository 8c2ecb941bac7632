// The errors that the account routes answer themselves. All others go to the error handler of the application.

import type { NextFunction, Request, Response } from 'express';

/** One rule that a body breaks. `path` is the dotted path of the field, or `body`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export class AccountError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: { readonly issues?: readonly Issue[]; readonly retryAfter?: number };

  constructor(status: number, code: string, message: string, details: AccountError['details'] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** The body `{ "error": { status, code, message, issues?, requestId? } }`, and the headers that belong to it. */
export function describeError({ status, code, message, details }: AccountError, requestId?: string) {
  const { issues, retryAfter } = details;
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  // A request without credentials gets no error code (RFC 6750 section 3.1).
  if (status === 401) headers['WWW-Authenticate'] = code === 'invalid_token' ? `${CHALLENGE}, error="${code}"` : CHALLENGE;
  if (retryAfter) headers['Retry-After'] = String(retryAfter);
  return { headers, body: { error: { status, code, message, ...(issues && { issues }), ...(requestId && { requestId }) } } };
}

const CHALLENGE = 'Bearer realm="account"';

/**
 * Error handler that answers an `AccountError`, and what a body parser in front of the routes throws:
 * `app.use('/auth', accountModule.node, answerBodyErrors)`. Passes other errors on.
 */
export function answerBodyErrors(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  const found = error instanceof AccountError ? error : fromBodyParser(error);
  if (!found || res.headersSent) return next(error);
  const { headers, body } = describeError(found, res.get('X-Request-Id'));
  res.status(found.status).set(headers).json(body);
}

function fromBodyParser(error: unknown): AccountError | undefined {
  const { type } = (error ?? {}) as { readonly type?: unknown };
  if (type === 'entity.too.large') return tooLarge();
  return /^(?:charset|encoding|entity|request)\./.test(String(type)) ? invalidJson() : undefined;
}

export const invalidJson = () => new AccountError(400, 'invalid_json', 'Invalid JSON body');
export const tooLarge = () => new AccountError(413, 'payload_too_large', 'Request body is too large');
