// The routes of accounts: register, login, the account behind a token, logout, another password.

import { isStorableText, parseLogin, parsePasswordChange, parseRegistration } from './bodies.js';
import {
  type AccountDependencies, type AccountRequest, type AccountRoute, authenticate, reportEvent, throttled,
} from './core.js';
import { AccountError, type AccountAnswer, invalidRequest, jsonAnswer, logError } from './errors.js';
import { sessionRoutes } from './sessions.js';
import { checkSignIn, endAnswer, requiredFactors, tokenAnswer } from './sign-in.js';
import { type StoredUser, toUser } from './store.js';

type Deps = AccountDependencies;

/** `/me` and the others; `/sessions` only where sessions are stored. */
export function accountRoutes(deps: Deps): readonly AccountRoute[] {
  const post = (path: string, handle: (deps: Deps, request: AccountRequest) => Promise<AccountAnswer>): AccountRoute => ({
    path,
    handlers: { POST: (request) => handle(deps, request) },
  });
  return [
    { path: '/me', handlers: { GET: (request) => showMe(deps, request), DELETE: (request) => deleteMe(deps, request) } },
    post('/register', register),
    post('/login', login),
    post('/logout', logout),
    post('/logout-all', logoutAll),
    post('/password', changePassword),
    ...sessionRoutes(deps, logout),
  ];
}

/** A new account, and a token for it: 201 with `{ user, token }`. Refuses with 400, 403 (another origin), 409, 413, 429, 500 (no secret) or 503. */
async function register(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { email, password } = parseRegistration(await request.readJson(deps.maxBodyBytes));
  const fault = await deps.refusePassword(password, email);
  if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
  const form = checkSignIn(deps, request);
  const user = await throttled(deps, request, undefined, async () => {
    // The check runs when the hash is about to begin, so that fifty registrations of one address do not cost fifty hashes. It
    // only saves work: which of two registrations is first, the unique index decides.
    const passwordHash = await deps.passwords.hash(password, async () => {
      if (await deps.users.findByEmail(email)) throw new AccountError('email_taken');
    });
    const inserted = await deps.users.insert({ email, passwordHash, createdAt: new Date(deps.now()).toISOString() });
    if (!inserted) throw new AccountError('email_taken');
    return inserted;
  });
  reportEvent(deps, request, 'registered', { userId: user.id, email: user.email });
  return tokenAnswer(deps, request, 201, user, form);
}

/**
 * 200 with `{ user, token }`, or with `{ secondFactor, challenge }` where the account needs a second factor. Unknown e-mails and
 * wrong passwords get the same answer after the same work. Refuses with 400, 401, 403 (another origin), 413, 429, 500 (no secret) or 503.
 */
async function login(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { email, password } = parseLogin(await request.readJson(deps.maxBodyBytes));
  const form = checkSignIn(deps, request);
  const check = async () => {
    const stored = isStorableText(email) ? await deps.users.findByEmail(email) : undefined;
    const { matches, outdated, unreadable } = await deps.passwords.verify(password, stored?.passwordHash);
    if (stored && unreadable) {
      logError(deps.log, `Cannot verify the password of account ${stored.id}: its stored hash is not valid`);
      reportEvent(deps, request, 'hash_unreadable', { userId: stored.id, email: stored.email });
    }
    if (!stored || !matches) {
      reportEvent(deps, request, 'login_failed', { email });
      throw new AccountError('invalid_credentials');
    }
    if (outdated) await rehash(deps, request, stored, password);
    return { user: stored, secondFactor: await requiredFactors(deps, stored.id) };
  };
  // A right password alone must not forget the wrong codes that came before it.
  const { user, secondFactor } = await throttled(deps, request, email, check, (found) => found.secondFactor.length === 0);
  if (secondFactor.length > 0) {
    reportEvent(deps, request, 'second_factor_required', { userId: user.id, email });
    return jsonAnswer(200, { secondFactor, challenge: deps.challenges.issue(user) });
  }
  reportEvent(deps, request, 'logged_in', { userId: user.id, email });
  // With the token version read before the password was checked: a password change meanwhile ends this session too.
  return tokenAnswer(deps, request, 200, user, form);
}

// The login has succeeded already, so a server that is too busy leaves this to the next one.
async function rehash(deps: Deps, request: AccountRequest, user: StoredUser, password: string): Promise<void> {
  try {
    const hash = await deps.passwords.hash(password);
    // Only where the old hash still stands: it may have been replaced meanwhile, by a password change above all.
    const replaced = await deps.users.replaceHash(user.id, user.passwordHash, hash);
    if (replaced) reportEvent(deps, request, 'password_rehashed', { userId: user.id });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
  }
}

/** 200 with `{ user }`, read fresh from the storage. Refuses with 401. */
async function showMe(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { user } = await authenticate(request, deps);
  return jsonAnswer(200, { user: toUser(user) });
}

/** Deletes the account: 204. Refuses with 401, or 403 when the login was too long ago. */
async function deleteMe(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { user, claims, byCookie } = await authenticate(request, deps);
  // A deletion cannot be undone, so a token that may be days old, and stolen since, is not enough.
  if (deps.now() / 1000 - claims.issuedAt > deps.recentLoginSeconds) throw new AccountError('recent_login_required');
  await deps.users.delete(user.id);
  reportEvent(deps, request, 'account_deleted', { userId: user.id, email: user.email });
  for (const listener of deps.deletedListeners) {
    try {
      await listener({ id: user.id, email: user.email });
    } catch (error) {
      logError(deps.log, `A listener of deleted accounts failed on account ${user.id}`, error);
    }
  }
  return endAnswer(deps, byCookie);
}

/** Revokes the token of the request: 204. Refuses with 401. */
async function logout(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { user, claims, byCookie } = await authenticate(request, deps);
  await deps.users.revokeToken(claims.tokenId, claims.expiresAt, Math.floor(deps.now() / 1000));
  reportEvent(deps, request, 'logged_out', { userId: user.id });
  return endAnswer(deps, byCookie);
}

/** Ends all sessions of the account: 204. Refuses with 401. */
async function logoutAll(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { user, byCookie } = await authenticate(request, deps);
  await deps.users.bumpTokenVersion(user.id);
  reportEvent(deps, request, 'logged_out_everywhere', { userId: user.id });
  return endAnswer(deps, byCookie);
}

/**
 * Another password: ends all sessions and begins a new one, 200 with `{ user, token }`. Refuses with 400, 401, 403 (wrong
 * password), 409, 413, 429, 500 (no secret) or 503.
 */
async function changePassword(deps: Deps, request: AccountRequest): Promise<AccountAnswer> {
  const { user, byCookie } = await authenticate(request, deps);
  const { current_password: current, new_password: wanted } = parsePasswordChange(await request.readJson(deps.maxBodyBytes));
  const fault = await deps.refusePassword(wanted, user.email);
  if (fault !== undefined) throw invalidRequest([{ path: 'new_password', message: fault }]);
  const form = checkSignIn(deps, request);
  const about = { userId: user.id, email: user.email };
  await throttled(deps, request, user.email, async () => {
    if ((await deps.passwords.verify(current, user.passwordHash)).matches) return;
    reportEvent(deps, request, 'password_change_failed', about);
    throw new AccountError('wrong_password');
  });
  const changed = await deps.users.changePassword(user.id, user.passwordHash, await deps.passwords.hash(wanted));
  if (!changed) throw new AccountError('conflict');
  reportEvent(deps, request, 'password_changed', about);
  return tokenAnswer(deps, request, 200, changed, byCookie ? 'cookie' : form);
}
