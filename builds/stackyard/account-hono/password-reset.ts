// POST /password-reset and POST /password-reset/confirm: another password for whoever reads the mail of an account.

import { AccountError, invalidRequest } from './account-error.js';
import { type AccountAnswer, emptyAnswer } from './answer.js';
import { acceptedAnswer } from './mail-answer.js';
import { parseReset, parseResetRequest } from './recovery-bodies.js';
import type { RecoveryDependencies } from './recovery-dependencies.js';
import { hashRecoveryToken } from './recovery-token.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { prepareRecovery } from './send-recovery.js';
import { admit, throttled } from './throttled.js';
import type { StoredUser } from './users.js';

const PURPOSE = 'password_reset';

/** 202, whether there is such an account or not. Refuses with 400, 413 or 429. */
export async function requestReset(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const email = parseResetRequest(await request.readJson(deps.maxBodyBytes));
  await admit(deps, deps.mailThrottle, request, email);
  reportEvent(deps, request, 'password_reset_requested', { email });
  return acceptedAnswer(prepareRecovery(deps, PURPOSE, () => deps.users.findByEmail(email)));
}

/**
 * Replaces the password, ends all sessions of the account and verifies its address: 204. Refuses with 400 (bad body, bad
 * or used token), 413, 429 or 503.
 */
export async function confirmReset(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { token, new_password: password } = parseReset(await request.readJson(deps.maxBodyBytes));
  const user = await throttled(deps, request, undefined, () => reset(deps, request, token, password));
  // The failed logins of before were those of somebody who did not know the password, maybe of the owner.
  const attempt = { address: request.address, email: user.email };
  await deps.throttle.succeed(attempt);
  await deps.mailThrottle.succeed(attempt);
  reportEvent(deps, request, 'password_reset', { userId: user.id, email: user.email });
  return emptyAnswer();
}

async function reset(
  deps: RecoveryDependencies,
  request: AccountRequest,
  token: string,
  password: string,
): Promise<StoredUser> {
  const tokenHash = hashRecoveryToken(PURPOSE, token);
  const owner = tokenHash === undefined ? undefined : await find(deps, tokenHash);
  if (tokenHash === undefined || !owner) throw refused(deps, request);
  // Before the token is used, so that another password can be sent with it.
  const fault = await deps.refusePassword(password, owner.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'new_password', message: fault }]);
  // Asks again before the hash, so that fifty requests with one token do not cost fifty hashes.
  const newHash = await deps.passwords.hash(password, async () => {
    if (!(await find(deps, tokenHash))) throw refused(deps, request);
  });
  const user = await deps.recoveries.resetPassword(tokenHash, newHash, nowSeconds(deps));
  if (!user) throw refused(deps, request);
  return user;
}

function find(deps: RecoveryDependencies, tokenHash: string): Promise<StoredUser | undefined> {
  return deps.recoveries.find(PURPOSE, tokenHash, nowSeconds(deps));
}

function refused(deps: RecoveryDependencies, request: AccountRequest): AccountError {
  reportEvent(deps, request, 'password_reset_failed');
  return new AccountError('invalid_recovery_token');
}

function nowSeconds({ now }: RecoveryDependencies): number {
  return Math.floor(now() / 1000);
}
