// The errors that the routes answer themselves. All others go to the error handler of the application.

import type { NextFunction, Request, Response } from 'express';

/** `path` is the dotted path of a field, or `body`. */
export interface Issue { readonly path: string; readonly message: string }

export class AccountError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  readonly issues: readonly Issue[] | undefined;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}, issues?: readonly Issue[]) {
    super(message);
    [this.status, this.code, this.headers, this.issues] = [status, code, headers, issues];
  }

  toBody(requestId?: string) {
    const { status, code, message, issues } = this;
    return { error: { status, code, message, ...(issues && { issues }), ...(requestId && { requestId }) } };
  }
}

export const invalidJson = () => new AccountError(400, 'invalid_json', 'Invalid JSON body');
export const tooLarge = () => new AccountError(413, 'payload_too_large', 'Request body is too large');
export const unauthorized = (code: string, message: string) =>
  new AccountError(401, code, message, { 'WWW-Authenticate': 'Bearer realm="account"' });

export function invalidRequest(issues: readonly Issue[]): AccountError {
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new AccountError(400, 'invalid_request', `Invalid request: ${text}`, {}, issues);
}

/**
 * Error handler: answers an `AccountError`, and what a body parser in front of the routes throws; passes others on. Mount
 * it behind the routes: `app.use('/auth', accountModule.node, answerBodyErrors)`.
 */
export function answerBodyErrors(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  const found = error instanceof AccountError ? error : fromBodyParser(error);
  if (!found || res.headersSent) return next(error);
  res.status(found.status).set(found.headers).json(found.toBody(res.get('X-Request-Id')));
}

function fromBodyParser(error: unknown): AccountError | undefined {
  const type = String((error as { readonly type?: unknown } | undefined)?.type);
  if (type === 'entity.too.large') return tooLarge();
  return /^(?:charset|encoding|entity|request)\./.test(type) ? invalidJson() : undefined;
}
