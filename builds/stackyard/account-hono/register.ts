// POST /register: a new account, and a token for it.

import { AccountError, invalidRequest } from './account-error.js';
import type { AccountAnswer } from './answer.js';
import { type Credentials, parseRegistration } from './credentials.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import { throttled } from './throttled.js';
import { assertCanIssue, tokenAnswer } from './token-answer.js';
import type { StoredUser } from './users.js';

/** 201 with `{ user, token }`. Refuses with 400, 409, 413, 429, 500 (no secret) or 503. */
export async function register(deps: AccountDependencies, request: AccountRequest): Promise<AccountAnswer> {
  const credentials = parseRegistration(await request.readJson(deps.maxBodyBytes));
  const fault = await deps.refusePassword(credentials.password, credentials.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
  assertCanIssue(deps, request);
  const user = await throttled(deps, request, undefined, () => addAccount(deps, credentials));
  reportEvent(deps, request, 'registered', { userId: user.id, email: user.email });
  return tokenAnswer(deps, request, 201, user);
}

async function addAccount(deps: AccountDependencies, { email, password }: Credentials): Promise<StoredUser> {
  const { users, passwords, now } = deps;
  // Runs when the hash is about to begin, so that fifty registrations of one address do not cost fifty hashes. It only
  // saves work: which of two registrations is first, the unique index decides.
  const passwordHash = await passwords.hash(password, async () => {
    if (await users.findByEmail(email)) throw new AccountError('email_taken');
  });
  const user = await users.insert({ email, passwordHash, createdAt: new Date(now()).toISOString() });
  if (!user) throw new AccountError('email_taken');
  return user;
}
