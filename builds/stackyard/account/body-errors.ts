// Answers what a body parser of the host, such as `express.json()`, refuses before the account routes see the request.

import type { ErrorRequestHandler } from 'express';
import { AccountError } from './account-error.js';
import { DEFAULT_REALM } from './dependencies.js';
import { answerError } from './express-answer.js';

/** The `type` of an error of body-parser, by the answer that the account routes give themselves. */
const CODES: Readonly<Record<string, 'invalid_json' | 'payload_too_large'>> = {
  'charset.unsupported': 'invalid_json',
  'encoding.unsupported': 'invalid_json',
  'entity.parse.failed': 'invalid_json',
  'entity.too.large': 'payload_too_large',
  'request.aborted': 'invalid_json',
  'request.size.invalid': 'invalid_json',
};

/**
 * Error handler for hosts that parse bodies before the account routes: `app.use('/auth', account.router,
 * answerBodyErrors)`. Malformed JSON gets 400 `Invalid JSON body`, a body that is too long 413; other errors go on to the
 * error handler of the host.
 */
export const answerBodyErrors: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const code = codeOf(error);
  // Without the cause: its message holds the beginning of the body, which may be a password.
  answerError(code === undefined ? error : new AccountError(code), res, next, DEFAULT_REALM);
};

function codeOf(error: unknown): 'invalid_json' | 'payload_too_large' | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status } = error as { readonly type?: unknown; readonly status?: unknown };
  if (typeof type === 'string') return Object.prototype.hasOwnProperty.call(CODES, type) ? CODES[type] : undefined;
  // body-parser before 1.18 sets no type.
  if (error instanceof SyntaxError && status === 400 && 'body' in error) return 'invalid_json';
  return undefined;
}
