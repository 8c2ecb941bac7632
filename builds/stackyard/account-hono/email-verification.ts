// GET /verification, POST /verification and POST /verification/confirm: whether the owner of an account reads the mail of
// its address.

import { AccountError } from './account-error.js';
import { type AccountAnswer, emptyAnswer, jsonAnswer } from './answer.js';
import { authenticate, type AuthUser } from './authenticate.js';
import { acceptedAnswer } from './mail-answer.js';
import { parseVerification } from './recovery-bodies.js';
import type { RecoveryDependencies } from './recovery-dependencies.js';
import { hashRecoveryToken } from './recovery-token.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { prepareRecovery } from './send-recovery.js';
import { admit, throttled } from './throttled.js';
import { type StoredUser, toUser } from './users.js';

const PURPOSE = 'email_verification';

/** 200 with `{ user }`, which has `email_verified_at`, a time or null, beside the usual fields. Refuses with 401. */
export async function showVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  const seconds = await deps.recoveries.findVerifiedAt(user.id);
  const verifiedAt = seconds === undefined ? null : new Date(seconds * 1000).toISOString();
  return jsonAnswer(200, { user: { ...toUser(user), email_verified_at: verifiedAt } });
}

/** Sends a mail to the address of the account, unless it is verified: 202. Refuses with 401 or 429. */
export async function requestVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  await admit(deps, deps.mailThrottle, request, user.email);
  reportEvent(deps, request, 'email_verification_requested', { userId: user.id, email: user.email });
  const find = async (): Promise<StoredUser | undefined> =>
    (await deps.recoveries.findVerifiedAt(user.id)) === undefined ? user : undefined;
  return acceptedAnswer(prepareRecovery(deps, PURPOSE, find));
}

/** Verifies the address to which the token was sent: 204. Refuses with 400 (bad body, bad or used token), 413 or 429. */
export async function confirmVerification(deps: RecoveryDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const token = parseVerification(await request.readJson(deps.maxBodyBytes));
  const user = await throttled(deps, request, undefined, () => verify(deps, request, token));
  await deps.mailThrottle.succeed({ address: request.address, email: user.email });
  reportEvent(deps, request, 'email_verified', { userId: user.id, email: user.email });
  return emptyAnswer();
}

/** Who sent the request, if the address is verified. Throws as `authenticate` does, or with code `email_not_verified`. */
export async function identifyVerified(
  deps: RecoveryDependencies,
  request: Pick<AccountRequest, 'authorization'>,
): Promise<AuthUser> {
  const { user } = await authenticate(request, deps.users, deps.tokens);
  if ((await deps.recoveries.findVerifiedAt(user.id)) === undefined) throw new AccountError('email_not_verified');
  return { id: user.id, email: user.email };
}

async function verify(deps: RecoveryDependencies, request: AccountRequest, token: string): Promise<StoredUser> {
  const tokenHash = hashRecoveryToken(PURPOSE, token);
  const user = tokenHash && (await deps.recoveries.verifyEmail(tokenHash, Math.floor(deps.now() / 1000)));
  if (user) return user;
  reportEvent(deps, request, 'email_verification_failed');
  throw new AccountError('invalid_recovery_token');
}
