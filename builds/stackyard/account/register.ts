// POST /register: a new account, and a token for it.

import type { Request, Response } from 'express';
import { AccountError, invalidRequest } from './account-error.js';
import { type Credentials, parseRegistration } from './credentials.js';
import type { AccountDependencies } from './dependencies.js';
import { readJsonBody } from './json-body.js';
import { reportEvent } from './report-event.js';
import { throttled } from './throttled.js';
import { assertCanIssue, sendToken } from './token-answer.js';
import type { StoredUser } from './users.js';

/** 201 with `{ user, token }`. Refuses with 400, 409, 413, 429, 500 (no secret) or 503. */
export async function register(deps: AccountDependencies, req: Request, res: Response): Promise<void> {
  const credentials = parseRegistration(await readJsonBody(req, deps.maxBodyBytes));
  const fault = await deps.refusePassword(credentials.password, credentials.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
  assertCanIssue(deps, res);
  const user = await throttled(deps, req, undefined, () => addAccount(deps, credentials));
  reportEvent(deps, req, 'registered', { userId: user.id, email: user.email });
  sendToken(deps, res, 201, user);
}

async function addAccount(deps: AccountDependencies, { email, password }: Credentials): Promise<StoredUser> {
  const { users, passwords, now } = deps;
  // Looks when its turn has come, so that fifty registrations of one address do not cost fifty hashes. This only saves
  // work: which of two is first, the unique index decides.
  const passwordHash = await passwords.hash(password, async () => {
    if (await users.findByEmail(email)) throw new AccountError('email_taken');
  });
  const user = await users.insert({ email, passwordHash, createdAt: new Date(now()).toISOString() });
  if (!user) throw new AccountError('email_taken');
  return user;
}
