// POST /logout and POST /logout-all: the end of one session, and of all.

import { type AccountAnswer, emptyAnswer } from './answer.js';
import { authenticate } from './authenticate.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';

/** Revokes the token of the request: 204. Refuses with 401. */
export async function logout(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user, claims } = await authenticate(request, deps.users, deps.tokens);
  await deps.users.revokeToken(claims.tokenId, claims.expiresAt, Math.floor(deps.now() / 1000));
  reportEvent(deps, request, 'logged_out', { userId: user.id });
  return emptyAnswer();
}

/** Ends all sessions of the account: 204. Refuses with 401. */
export async function logoutAll(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  await deps.users.bumpTokenVersion(user.id);
  reportEvent(deps, request, 'logged_out_everywhere', { userId: user.id });
  return emptyAnswer();
}
