// The answer that begins a session: the account and a new token.

import { AccountError } from './account-error.js';
import { logError } from './account-log.js';
import { type AccountAnswer, jsonAnswer } from './answer.js';
import type { AccountDependencies } from './dependencies.js';
import type { AccountRequest } from './request.js';
import { recordSession } from './record-session.js';
import { type StoredUser, toUser } from './users.js';

/**
 * Throws `AccountError`, code `internal`, when no token could be issued; the reason is only logged, with the id of the
 * request. Called before anything is stored, so that no account remains from a request that fails.
 */
export function assertCanIssue(
  { tokens, log }: AccountDependencies,
  { requestId }: Pick<AccountRequest, 'requestId'>,
): void {
  if (tokens.canIssue) return;
  // In JSON form, because a client may have chosen it.
  const request = requestId === undefined ? '' : ` for request ${JSON.stringify(requestId)}`;
  const reason = tokens.reason ?? 'there is no secret. Set JWT_SECRET to at least 32 bytes and start again';
  logError(log, `Cannot issue a login token${request}: ${reason}`);
  throw new AccountError('internal');
}

/** `{ user, token }`, with a token that is among the sessions of the account. */
export async function tokenAnswer(
  deps: AccountDependencies,
  request: AccountRequest,
  status: 200 | 201,
  user: StoredUser,
): Promise<AccountAnswer> {
  const token = deps.tokens.issue(user);
  await recordSession(deps, request, token);
  return jsonAnswer(status, { user: toUser(user), token });
}
