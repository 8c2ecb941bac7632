// What comes after a proof of who somebody is: the token or the cookie of a new session, and before it the second factors that
// other builds add. Also how such builds find and create accounts.

import { createHash, randomBytes } from 'node:crypto';
import { findEmailFault, isStorableText, normalizeEmail } from './bodies.js';
import { formatCookie, wantsCookie } from './cookie.js';
import { type AccountDependencies, type AccountRequest, reportEvent } from './core.js';
import { AccountError, type AccountAnswer, emptyAnswer, invalidRequest, jsonAnswer, logError } from './errors.js';
import { recordSession } from './sessions.js';
import { type StoredUser, toUser, type User } from './store.js';
import { invalidToken } from './tokens.js';

type Deps = AccountDependencies;

/** What is used of the request of a login: who sends it, and whether a browser shall get the cookie. */
export type SignInRequest = Pick<AccountRequest, 'requestId' | 'userAgent' | 'address' | 'authorization' | 'header'>;

export interface SignedIn {
  readonly user: User;
  readonly token: string;
  /** The value of `Set-Cookie` that gives the session to a browser, for answers of your own such as a redirect. */
  readonly cookie: string | undefined;
}

/** A further proof that a login needs, for accounts that have set it up. */
export interface SecondFactor {
  /** A word for clients, such as `totp`. */
  readonly name: string;
  isRequired(userId: number): boolean | Promise<boolean>;
}

export interface FoundUser extends User {
  /** Whether somebody has shown that the address is theirs. Link an account of another provider only where it is true. */
  readonly verified: boolean;
}

export interface SignIn {
  /**
   * Begins a session for an account, as a login does, without asking for a second factor. Reports `logged_in`. Rejects with
   * `AccountError`: `account_gone` without such an account, `internal` without a secret.
   */
  signIn(userId: number, request?: SignInRequest): Promise<SignedIn>;
  /** As `signIn`, with the answer of `POST /login`: the token, or the cookie where the request asks for it. */
  answerSignIn(userId: number, request: SignInRequest): Promise<AccountAnswer>;
  findByEmail(email: string): Promise<FoundUser | undefined>;
  /**
   * A new account for an address that somebody else has verified, without a password: its owner sets one by a password reset.
   * Rejects with `AccountError`: `invalid_request`, `email_taken`, `overloaded`.
   */
  createVerified(email: string): Promise<User>;
  /**
   * Accounts for which it is required get no token for their password: `POST /login` answers 200 with
   * `{ secondFactor: [names], challenge }`. A route of yours takes the challenge with the proof, and calls `answerSignIn`.
   */
  addSecondFactor(factor: SecondFactor): void;
  /**
   * The account of a challenge, which is used by that; with `keep` it stays usable, so that a wrong code can be typed again. Count
   * wrong codes with `throttled`. Rejects with `AccountError`: `invalid_token`, `token_expired`, `account_gone`.
   */
  readChallenge(challenge: string, options?: { readonly keep?: boolean }): Promise<number>;
}

export function createSignIn(deps: Deps): Omit<SignIn, 'addSecondFactor'> {
  const nobody: SignInRequest = { requestId: undefined, userAgent: undefined, address: '', authorization: [] };
  const reading = new Set<string>();

  async function begin(userId: number, request: SignInRequest): Promise<StoredUser> {
    // No token has this id.
    const owner = await deps.users.findByToken(userId, '');
    if (!owner) throw new AccountError('account_gone', { challenge: 'invalid_token' });
    reportEvent(deps, request, 'logged_in', { userId, email: owner.user.email });
    return owner.user;
  }

  return {
    async signIn(userId, request = nobody) {
      assertCanIssue(deps, request);
      return issueToken(deps, request, await begin(userId, request));
    },
    async answerSignIn(userId, request) {
      const form = checkSignIn(deps, request);
      return tokenAnswer(deps, request, 200, await begin(userId, request), form);
    },
    async findByEmail(email) {
      const user = isStorableText(email) ? await deps.users.findByEmail(normalizeEmail(email)) : undefined;
      return user && { ...toUser(user), verified: (await deps.store.recoveries?.findVerifiedAt(user.id)) !== undefined };
    },
    async createVerified(text) {
      const email = normalizeEmail(text);
      const fault = findEmailFault(email);
      if (fault !== undefined) throw invalidRequest([{ path: 'email', message: fault }]);
      // A password that nobody knows: a login takes as long as with any other, and fails.
      const passwordHash = await deps.passwords.hash(randomBytes(32).toString('base64url'));
      const user = await deps.users.insert({ email, passwordHash, createdAt: new Date(deps.now()).toISOString() });
      if (!user) throw new AccountError('email_taken');
      await markVerified(deps, user);
      reportEvent(deps, nobody, 'registered', { userId: user.id, email });
      return toUser(user);
    },
    async readChallenge(challenge, { keep = false } = {}) {
      const { userId, tokenId, tokenVersion, expiresAt } = deps.challenges.verify(challenge);
      // Two requests with one challenge at the same time: one of them. In other processes the store knows it after this.
      if (reading.has(tokenId)) throw invalidToken();
      reading.add(tokenId);
      try {
        const owner = await deps.users.findByToken(userId, tokenId);
        if (!owner) throw new AccountError('account_gone', { challenge: 'invalid_token' });
        if (owner.revoked || owner.user.tokenVersion !== tokenVersion) throw invalidToken();
        if (!keep) await deps.users.revokeToken(tokenId, expiresAt, nowSeconds(deps));
        return userId;
      } finally {
        reading.delete(tokenId);
      }
    },
  };
}

// By a token that nobody gets: stores know no other way.
async function markVerified({ store: { recoveries }, ...deps }: Deps, { id: userId, email }: StoredUser): Promise<void> {
  const createdAt = nowSeconds(deps);
  const tokenHash = createHash('sha256').update(randomBytes(32)).digest('hex');
  await recoveries?.open({ tokenHash, purpose: 'email_verification', userId, email, createdAt, expiresAt: createdAt + 60 }, 1, createdAt);
  await recoveries?.verifyEmail(tokenHash, createdAt);
}

/** The names of the second factors that the account needs. */
export async function requiredFactors({ secondFactors }: Pick<Deps, 'secondFactors'>, userId: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const factor of secondFactors) if (await factor.isRequired(userId)) names.push(factor.name);
  return names;
}

type Form = 'token' | 'cookie';

/**
 * In which form the answer gives the session. Throws `AccountError`: `internal` when no token could be issued, `cross_origin`. Called
 * before anything is stored, so that no account remains from a request that fails.
 */
export function checkSignIn(deps: Deps, request: SignInRequest): Form {
  assertCanIssue(deps, request);
  return wantsCookie(request, deps.cookie) ? 'cookie' : 'token';
}

// The reason is only logged, with the id of the request.
function assertCanIssue({ tokens, log }: Deps, { requestId }: SignInRequest): void {
  if (tokens.canIssue) return;
  // In JSON form, because a client may have chosen it.
  const request = requestId === undefined ? '' : ` for request ${JSON.stringify(requestId)}`;
  const reason = tokens.reason ?? 'there is no secret. Set JWT_SECRET to at least 32 bytes and start again';
  logError(log, `Cannot issue a login token${request}: ${reason}`);
  throw new AccountError('internal');
}

// With a token that is among the sessions of the account.
async function issueToken(deps: Deps, request: SignInRequest, user: StoredUser): Promise<SignedIn> {
  const token = deps.tokens.issue(user);
  const expiresAt = await recordSession(deps, request, token);
  const cookie = deps.cookie ? formatCookie(deps.cookie, token, Math.max(0, expiresAt - nowSeconds(deps))) : undefined;
  return { user: toUser(user), token, cookie };
}

/** `{ user, token }`; in the form of a cookie `{ user }`, so that no script sees the token. */
export async function tokenAnswer(deps: Deps, request: SignInRequest, status: 200 | 201, stored: StoredUser, form: Form): Promise<AccountAnswer> {
  const { user, token, cookie } = await issueToken(deps, request, stored);
  if (form === 'token' || cookie === undefined) return jsonAnswer(status, { user, token });
  return jsonAnswer(status, { user }, { 'Set-Cookie': cookie });
}

/** 204 after the end of the session of the request; takes the cookie away if it came by that. */
export function endAnswer({ cookie }: Pick<Deps, 'cookie'>, byCookie: boolean): AccountAnswer {
  return emptyAnswer(byCookie && cookie ? { 'Set-Cookie': formatCookie(cookie, '', 0) } : {});
}

function nowSeconds({ now }: Pick<Deps, 'now'>): number {
  return Math.floor(now() / 1000);
}
