// GET /me and DELETE /me: the account behind the token.

import type { Request, Response } from 'express';
import { AccountError } from './account-error.js';
import { authenticate } from './authenticate.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import { sendEmpty, sendJson } from './response.js';
import { toUser } from './users.js';

/** 200 with `{ user }`, read fresh from the storage. Refuses with 401. */
export async function showMe(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const { user } = await authenticate(req, deps.users, deps.tokens);
  sendJson(res, 200, { user: toUser(user) });
}

/** Deletes the account: 204. Refuses with 401, or 403 when the login was too long ago. */
export async function deleteMe(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const { user, claims } = await authenticate(req, deps.users, deps.tokens);
  // What cannot be undone asks for more than a token that may have been lying around for days.
  const ageSeconds = deps.now() / 1000 - claims.issuedAt;
  if (ageSeconds > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  await deps.users.delete(user.id);
  reportEvent(deps, req, 'account_deleted', { userId: user.id, email: user.email });
  sendEmpty(res);
}
