// POST /password: another password for the account behind the token. Ends all its sessions and begins a new one.

import { AccountError, invalidRequest } from './account-error.js';
import type { AccountAnswer } from './answer.js';
import { authenticate } from './authenticate.js';
import { parsePasswordChange } from './credentials.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { throttled } from './throttled.js';
import { assertCanIssue, tokenAnswer } from './token-answer.js';
import type { StoredUser } from './users.js';

/** 200 with `{ user, token }`. Refuses with 400, 401, 403 (wrong password), 409, 413, 429, 500 (no secret) or 503. */
export async function changePassword(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  const body = parsePasswordChange(await request.readJson(deps.maxBodyBytes));
  const fault = await deps.refusePassword(body.new_password, user.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'new_password', message: fault }]);
  assertCanIssue(deps, request);
  await throttled(deps, request, user.email, () => assertPassword(deps, request, user, body.current_password));
  const hash = await deps.passwords.hash(body.new_password);
  const changed = await deps.users.changePassword(user.id, user.passwordHash, hash);
  if (!changed) throw new AccountError('conflict');
  reportEvent(deps, request, 'password_changed', { userId: user.id, email: user.email });
  return tokenAnswer(deps, request, 200, changed);
}

async function assertPassword(
  deps: AccountDependencies,
  request: AccountRequest,
  user: StoredUser,
  password: string,
): Promise<void> {
  const { matches } = await deps.passwords.verify(password, user.passwordHash);
  if (matches) return;
  reportEvent(deps, request, 'password_change_failed', { userId: user.id, email: user.email });
  throw new AccountError('wrong_password');
}
