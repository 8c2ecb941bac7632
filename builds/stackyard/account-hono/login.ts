// POST /login: a token for an account. Unknown e-mails and wrong passwords get the same answer after the same work.

import { AccountError } from './account-error.js';
import { logError } from './account-log.js';
import type { AccountAnswer } from './answer.js';
import { parseLogin } from './credentials.js';
import type { AccountDependencies } from './dependencies.js';
import { isStorableText } from './email-address.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { throttled } from './throttled.js';
import { assertCanIssue, tokenAnswer } from './token-answer.js';
import type { StoredUser } from './users.js';

/** 200 with `{ user, token }`. Refuses with 400, 401, 413, 429, 500 (no secret) or 503. */
export async function login(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { email, password } = parseLogin(await request.readJson(deps.maxBodyBytes));
  assertCanIssue(deps, request);
  const user = await throttled(deps, request, email, async () => {
    const stored = isStorableText(email) ? await deps.users.findByEmail(email) : undefined;
    const check = await deps.passwords.verify(password, stored?.passwordHash);
    if (check.unreadable) reportUnreadable(deps, request, stored);
    if (!stored || !check.matches) {
      reportEvent(deps, request, 'login_failed', { email });
      throw new AccountError('invalid_credentials');
    }
    if (check.outdated) await rehash(deps, request, stored, password);
    return stored;
  });
  reportEvent(deps, request, 'logged_in', { userId: user.id, email });
  // With the token version read before the password was checked: a password change meanwhile ends this session too.
  return tokenAnswer(deps, request, 200, user);
}

function reportUnreadable(deps: AccountDependencies, request: AccountRequest, user: StoredUser | undefined): void {
  if (!user) return;
  logError(deps.log, `Cannot verify the password of account ${user.id}: its stored hash is not valid`);
  reportEvent(deps, request, 'hash_unreadable', { userId: user.id, email: user.email });
}

// The login has succeeded already, so a server that is too busy leaves this to the next one.
async function rehash(
  deps: AccountDependencies,
  request: AccountRequest,
  user: StoredUser,
  password: string,
): Promise<void> {
  try {
    const hash = await deps.passwords.hash(password);
    // Only where the old hash still stands: it may have been replaced meanwhile, by a password change above all.
    const replaced = await deps.users.replaceHash(user.id, user.passwordHash, hash);
    if (replaced) reportEvent(deps, request, 'password_rehashed', { userId: user.id });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
  }
}
