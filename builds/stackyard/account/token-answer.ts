// The answer that begins a session: the account and a new token.

import type { Response } from 'express';
import { AccountError } from './account-error.js';
import { logError } from './account-log.js';
import type { AccountDependencies } from './dependencies.js';
import { readRequestId, sendJson } from './response.js';
import { type StoredUser, toUser } from './users.js';

/**
 * Throws `AccountError`, code `internal`, when no token could be issued; the reason goes to the log only, with the id of
 * the request. Called before anything is stored, so that no account remains from a request that fails.
 */
export function assertCanIssue({ tokens, log }: AccountDependencies, res: Response): void {
  if (tokens.canIssue) return;
  const id = readRequestId(res);
  // In JSON form, because a client may have chosen it.
  const request = id === undefined ? '' : ` for request ${JSON.stringify(id)}`;
  const reason = tokens.reason ?? 'there is no secret. Set JWT_SECRET to at least 32 bytes and start again';
  logError(log, `Cannot issue a login token${request}: ${reason}`);
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
