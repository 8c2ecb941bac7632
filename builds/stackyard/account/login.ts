// POST /login: a token for an account. Unknown e-mails and wrong passwords get the same answer after the same work.

import type { Request, Response } from 'express';
import { AccountError } from './account-error.js';
import { logError } from './account-log.js';
import { parseLogin } from './credentials.js';
import type { AccountDependencies } from './dependencies.js';
import { isStorableText } from './email-address.js';
import { readJsonBody } from './json-body.js';
import { reportEvent } from './report-event.js';
import { throttled } from './throttled.js';
import { assertCanIssue, sendToken } from './token-answer.js';
import type { StoredUser } from './users.js';

/** 200 with `{ user, token }`. Refuses with 400, 401, 413, 429, 500 (no secret) or 503. */
export async function login(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const { email, password } = parseLogin(await readJsonBody(req, deps.maxBodyBytes));
  assertCanIssue(deps, res);
  const user = await throttled(deps, req, email, async () => {
    const stored = isStorableText(email) ? await deps.users.findByEmail(email) : undefined;
    const check = await deps.passwords.verify(password, stored?.passwordHash);
    if (check.unreadable) reportUnreadable(deps, req, stored);
    if (!stored || !check.matches) {
      reportEvent(deps, req, 'login_failed', { email });
      throw new AccountError('invalid_credentials');
    }
    if (check.outdated) await rehash(deps, req, stored, password);
    return stored;
  });
  reportEvent(deps, req, 'logged_in', { userId: user.id, email });
  // With the token version read before the password was checked: a password change meanwhile ends this session too.
  sendToken(deps, res, 200, user);
}

function reportUnreadable(deps: AccountDependencies, req: Request, user: StoredUser | undefined): void {
  if (!user) return;
  logError(deps.log, `Cannot verify the password of account ${user.id}: its stored hash is not valid`);
  reportEvent(deps, req, 'hash_unreadable', { userId: user.id, email: user.email });
}

// The login has succeeded already, so a server that is too busy leaves this to the next one.
async function rehash(
  deps: AccountDependencies,
  req: Request,
  user: StoredUser,
  password: string,
): Promise<void> {
  try {
    const hash = await deps.passwords.hash(password);
    // Only where the old hash still stands: it may have been replaced meanwhile, by a password change above all.
    const replaced = await deps.users.replaceHash(user.id, user.passwordHash, hash);
    if (replaced) reportEvent(deps, req, 'password_rehashed', { userId: user.id });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
  }
}
