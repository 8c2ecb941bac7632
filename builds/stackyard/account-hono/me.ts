// GET /me and DELETE /me: the account behind the token.

import { AccountError } from './account-error.js';
import { type AccountAnswer, emptyAnswer, jsonAnswer } from './answer.js';
import { authenticate } from './authenticate.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { toUser } from './users.js';

/** 200 with `{ user }`, read fresh from the storage. Refuses with 401. */
export async function showMe(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  return jsonAnswer(200, { user: toUser(user) });
}

/** Deletes the account: 204. Refuses with 401, or 403 when the login was too long ago. */
export async function deleteMe(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user, claims } = await authenticate(request, deps.users, deps.tokens);
  // A deletion cannot be undone, so a token that may be days old, and stolen since, is not enough.
  const ageSeconds = deps.now() / 1000 - claims.issuedAt;
  if (ageSeconds > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  await deps.users.delete(user.id);
  reportEvent(deps, request, 'account_deleted', { userId: user.id, email: user.email });
  return emptyAnswer();
}
