// POST /logout and POST /logout-all: the end of one session, and of all.

import type { Request, Response } from 'express';
import { authenticate } from './authenticate.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import { sendEmpty } from './response.js';

/** Revokes the token of the request: 204. Refuses with 401. */
export async function logout(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const { user, claims } = await authenticate(req, deps.users, deps.tokens);
  await deps.users.revokeToken(claims.tokenId, claims.expiresAt, Math.floor(deps.now() / 1000));
  reportEvent(deps, req, 'logged_out', { userId: user.id });
  sendEmpty(res);
}

/** Ends all sessions of the account: 204. Refuses with 401. */
export async function logoutAll(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const { user } = await authenticate(req, deps.users, deps.tokens);
  await deps.users.bumpTokenVersion(user.id);
  reportEvent(deps, req, 'logged_out_everywhere', { userId: user.id });
  sendEmpty(res);
}
