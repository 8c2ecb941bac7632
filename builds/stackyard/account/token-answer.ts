// The answer that begins a session: the account and a new token.

import type { Response } from 'express';
import { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { sendJson } from './response.js';
import { type StoredUser, toUser } from './users.js';

/**
 * Throws `AccountError`, code `internal`, when no token could be issued; the reason goes to the log only. Called before
 * anything is stored, so that no account remains from a request that fails.
 */
export function assertCanIssue({ tokens, log }: AccountDependencies): void {
  if (tokens.canIssue) return;
  log.error('Cannot issue a login token: set the environment variable JWT_SECRET to at least 32 bytes and start again');
  throw new AccountError('internal');
}

/** Sends `{ user, token }`. */
export function sendToken(
  deps: AccountDependencies,
  res: Response,
  status: 200 | 201,
  user: StoredUser,
): void {
  sendJson(res, status, { user: toUser(user), token: deps.tokens.issue(user) });
}
