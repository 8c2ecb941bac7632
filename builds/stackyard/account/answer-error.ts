// What becomes of an error in a route: ours are answered, all others are the host's.

import type { NextFunction, Response } from 'express';
import { AccountError } from './account-error.js';
import { sendError } from './response.js';

export const DEFAULT_REALM = 'account';

/** Answers an `AccountError`; hands anything else to `next`. */
export function answerError(error: unknown, res: Response, next: NextFunction, realm: string): void {
  if (error instanceof AccountError && !res.headersSent) sendError(res, error, realm);
  else next(error);
}
