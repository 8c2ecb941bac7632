// What the routes work with: the request that an adapter makes, the options of the host with their defaults, events, the
// throttle around an attempt, the account behind a token, and the answer of a route.

import { randomBytes } from 'node:crypto';
import { type CookieMode, type CookieOptions, createCookieMode, readCookieToken, type Sender } from './cookie.js';
import { AccountError, type AccountAnswer, type AccountLog, emptyAnswer, errorAnswer, logError } from './errors.js';
import type { Passwords } from './passwords.js';
import type { SecondFactor } from './sign-in.js';
import type { AccountStore, SessionStore, StoredUser, UserStore } from './store.js';
import { type Attempt, noThrottle, type Throttle } from './throttle.js';
import { createTokens, invalidToken, type TokenClaims, type TokenOptions, type Tokens } from './tokens.js';

/** What the routes read of a request. Each adapter makes it, so that the routes know no web framework. */
export interface AccountRequest {
  /** In upper case. */
  readonly method: string;
  /** The client, in the form of `toNetwork`. */
  readonly address: string;
  /** The values of all `Authorization` headers: more than one is refused. */
  readonly authorization: readonly string[];
  /** The header `User-Agent` as it was sent. A stranger chooses it. */
  readonly userAgent: string | undefined;
  /** The `X-Request-Id` that the host has given this request. */
  readonly requestId: string | undefined;
  /** Another header; `name` in any case. Adapters that do not have it take no cookies. */
  header?(name: string): string | undefined;
  /** The JSON value in the body. Throws `AccountError`: `invalid_json`, or `payload_too_large` above `maxBytes`. */
  readJson(maxBytes: number): Promise<unknown>;
}

/** What the routes report, for audit logs and metrics. No event contains a password, a hash or a token. */
export interface AccountEvent {
  readonly type: AccountEventType;
  /** UTC, such as `2026-11-21T09:30:00.000Z`. */
  readonly at: string;
  /** The client, see `toNetwork`. */
  readonly address: string;
  readonly userId?: number;
  /** What the client sent, normalised. A stranger chooses it: it may be long and hold any character. */
  readonly email?: string;
}

export type AccountEventType =
  | 'registered' | 'logged_in' | 'login_failed' | 'logged_out' | 'logged_out_everywhere' | 'password_changed'
  | 'password_change_failed' | 'password_rehashed' | 'account_deleted' | 'session_ended' | 'password_reset_requested'
  | 'password_reset' | 'password_reset_failed' | 'email_verification_requested' | 'email_verified'
  | 'email_verification_failed' | 'second_factor_required' | 'throttled' | 'overloaded' | 'hash_unreadable';

/** Takes events. Must return at once; what it throws is logged and has no effect on the request. */
export type AccountEventListener = (event: AccountEvent) => void;

/** A further rule for new passwords: returns a message for people where the password breaks it, else `undefined`. */
export type PasswordRule = (password: string, email: string) => string | undefined | Promise<string | undefined>;

/** Who sent a request that `requireAuth` has let through. */
export interface AuthUser {
  readonly id: number;
  readonly email: string;
}

/** Told of an account that was deleted, before the answer. What it throws is logged: the account is gone. */
export type UserDeletedListener = (user: AuthUser) => void | Promise<void>;

export interface RouteOptions {
  /** Default: none. */
  readonly throttle?: Throttle;
  /** Takes events for an audit log or for metrics. */
  readonly onEvent?: AccountEventListener;
  /** `console`, or a pino logger. Default: `console`. */
  readonly log?: AccountLog;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** `realm` of the challenges. Default: `account`. */
  readonly realm?: string;
  /** Longest body, in bytes. Default: 16384. */
  readonly maxBodyBytes?: number;
  /** Highest age of a token that may delete an account, in seconds. Default: 900. */
  readonly recentLoginSeconds?: number;
  /** A further rule for new passwords, such as a list of common ones. */
  readonly refusePassword?: PasswordRule;
  /**
   * Sessions in a cookie, for pages of the own origin that ask for it by the header `X-Session: cookie`; `true` for all of them,
   * `false` for none. Default: `{}`.
   */
  readonly cookie?: boolean | CookieOptions;
}

export interface AccountsOptions extends RouteOptions {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  /** Whether sessions are listed, and the routes `/sessions` exist. Default: true where the store has sessions. */
  readonly sessions?: boolean;
  /** Signs the challenges of second factors, with an audience of its own. Default: with a secret of this process. */
  readonly challenges?: Tokens;
}

export interface AccountDependencies extends Required<Omit<RouteOptions, 'cookie'>> {
  readonly store: AccountStore;
  readonly users: UserStore;
  readonly sessions: SessionStore | undefined;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly deletedListeners: Set<UserDeletedListener>;
  readonly cookie: CookieMode | false;
  readonly secondFactors: Set<SecondFactor>;
  readonly challenges: Tokens;
}

export const DEFAULT_REALM = 'account';

/** The options of the host with the defaults filled in. */
export function createDependencies(options: AccountsOptions): AccountDependencies {
  const { store, tokens, passwords, sessions = true } = options;
  return {
    store,
    users: store.users,
    sessions: sessions ? store.sessions : undefined,
    tokens,
    passwords,
    throttle: options.throttle ?? noThrottle,
    onEvent: options.onEvent ?? (() => {}),
    log: options.log ?? console,
    now: options.now ?? Date.now,
    realm: options.realm ?? DEFAULT_REALM,
    maxBodyBytes: options.maxBodyBytes ?? 16_384,
    recentLoginSeconds: options.recentLoginSeconds ?? 900,
    refusePassword: options.refusePassword ?? (() => undefined),
    deletedListeners: new Set(),
    cookie: createCookieMode(options.cookie),
    secondFactors: new Set(),
    challenges: options.challenges ?? createChallenges({ secret: randomBytes(32).toString('hex'), now: options.now ?? Date.now }),
  };
}

/** No login token has this audience: a challenge is none, and none is a challenge. It is valid for five minutes. */
export function createChallenges(options: Pick<TokenOptions, 'secret' | 'previousSecrets' | 'now'>): Tokens {
  return createTokens({ ...options, audience: 'second factor of a login', ttlSeconds: 300 });
}

/** Answers a request, or throws: an `AccountError` is answered, other errors are those of the host. `id` stands for `:id`. */
export type AccountHandler = (request: AccountRequest, id: string) => Promise<AccountAnswer>;

export interface AccountRoute {
  /** Below the prefix of the host, such as `/me` or `/sessions/:id`. */
  readonly path: string;
  /** By method. `GET` stands for HEAD as well. */
  readonly handlers: Readonly<Record<string, AccountHandler>>;
}

/** A route and what stands in place of `:id` in the path of the request, not decoded. */
export interface RouteMatch {
  readonly route: AccountRoute;
  readonly id: string;
}

/** Routes by path. Case and a slash at the end make no difference, as in Express. */
export class RouteTable {
  readonly #byPath = new Map<string, AccountRoute>();

  add(routes: readonly AccountRoute[]): void {
    for (const route of routes) this.#byPath.set(route.path, route);
  }

  /** The route of a URL below the prefix, which begins with `/` and may have a query. */
  match(url: string): RouteMatch | undefined {
    const exact = this.#byPath.get(url);
    if (exact) return { route: exact, id: '' };
    const [path = ''] = url.split(/[?#]/, 1);
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const known = this.#byPath.get(plain.toLowerCase());
    if (known) return { route: known, id: '' };
    const end = plain.lastIndexOf('/');
    const route = this.#byPath.get(`${plain.slice(0, end).toLowerCase()}/:id`);
    return route && end + 1 < plain.length ? { route, id: plain.slice(end + 1) } : undefined;
  }
}

/** The answer of the route, also to methods that it does not have. Rejects with errors that are not `AccountError`s. */
export async function answerRoute(deps: AccountDependencies, { route, id }: RouteMatch, request: AccountRequest): Promise<AccountAnswer> {
  const { method } = request;
  const { handlers } = route;
  const name = method === 'HEAD' ? 'GET' : method;
  try {
    if (Object.prototype.hasOwnProperty.call(handlers, name)) return await handlers[name]!(request, id);
    const methods = Object.keys(handlers).map((known) => (known === 'GET' ? 'GET, HEAD' : known));
    const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };
    if (method === 'OPTIONS') return emptyAnswer(allow);
    throw new AccountError('method_not_allowed', { message: `Method ${method} is not allowed here`, headers: allow });
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    if (error.code === 'overloaded') reportEvent(deps, request, 'overloaded');
    return errorAnswer(error, deps.realm, request.requestId);
  }
}

/** Reports what happened to the account in `about`. Never fails: what the listener throws is logged. */
export function reportEvent(
  { onEvent, log, now }: Pick<AccountDependencies, 'onEvent' | 'log' | 'now'>,
  { address }: Pick<AccountRequest, 'address'>,
  type: AccountEventType,
  about: Pick<AccountEvent, 'userId' | 'email'> = {},
): void {
  try {
    onEvent({ type, at: new Date(now()).toISOString(), address, ...about });
  } catch (error) {
    logError(log, `The listener of account events failed on "${type}"`, error);
  }
}

/** Counts an attempt. Throws `AccountError`, code `rate_limited`, when `throttle` does not admit it. */
export async function admit(
  deps: AccountDependencies,
  throttle: Throttle,
  request: AccountRequest,
  email: string | undefined,
): Promise<Attempt> {
  const attempt = { address: request.address, email };
  const seconds = await throttle.admit(attempt);
  if (!(seconds > 0)) return attempt;
  reportEvent(deps, request, 'throttled', email === undefined ? {} : { email });
  throw new AccountError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
}

/**
 * Runs `work` if the throttle of the logins admits it, and reports to the throttle how it ended; what is not `isComplete` neither
 * counts as a failure nor forgets earlier ones. Throws as `admit` does.
 */
export async function throttled<T>(
  deps: AccountDependencies,
  request: AccountRequest,
  email: string | undefined,
  work: () => Promise<T>,
  isComplete: (result: T) => boolean = () => true,
): Promise<T> {
  const { throttle } = deps;
  const attempt = await admit(deps, throttle, request, email);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Any error but a refusal, such as that of a failing database, does not show that the password was wrong.
    if (!(error instanceof AccountError && error.status < 500)) await throttle.withdraw(attempt);
    throw error;
  }
  await (isComplete(result) ? throttle.succeed(attempt) : throttle.withdraw(attempt));
  return result;
}

// The scheme is a token of RFC 9110 section 5.6.2, in any case; one or more spaces; then the `b64token` of RFC 6750.
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
const CREDENTIALS = /^ +([A-Za-z0-9._~+/-]+=*)$/;

/**
 * The bearer token in the values of the `Authorization` headers (RFC 6750 section 2.1); it is read from no other place. Throws
 * `AccountError`: `missing_token` without one or with another scheme, `invalid_token` for a malformed or repeated header.
 */
export function readBearerToken(authorization: readonly string[]): string {
  const [value = ''] = authorization;
  const malformed = () => new AccountError('invalid_token', { challenge: 'invalid_request' });
  if (authorization.length > 1) throw malformed();
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  if (scheme.toLowerCase() !== 'bearer') throw new AccountError('missing_token');
  const token = CREDENTIALS.exec(value.slice(scheme.length))?.[1];
  if (token === undefined) throw malformed();
  return token;
}

type Verifier = Pick<AccountDependencies, 'tokens'> & Partial<Pick<AccountDependencies, 'cookie'>>;

// The claims of the bearer token, or else of the cookie.
function verifySender(sender: Sender, { tokens, cookie }: Verifier) {
  const token = readCookieToken(sender, cookie);
  return { claims: tokens.verify(token ?? readBearerToken(sender.authorization)), byCookie: token !== undefined };
}

/**
 * The account behind the token, read fresh from the storage. Throws `AccountError`: `missing_token`, `invalid_token`,
 * `token_expired`, `account_gone` or, by the cookie, `cross_origin`.
 */
export async function authenticate(
  sender: Sender,
  { users, ...verifier }: Verifier & Pick<AccountDependencies, 'users'>,
): Promise<{ readonly user: StoredUser; readonly claims: TokenClaims; readonly byCookie: boolean }> {
  const { claims, byCookie } = verifySender(sender, verifier);
  const owner = await users.findByToken(claims.userId, claims.tokenId);
  // A token older than its account belonged to an earlier account with the same id.
  if (!owner || claims.issuedAt < Math.floor(Date.parse(owner.user.createdAt) / 1000)) {
    throw new AccountError('account_gone', { challenge: 'invalid_token' });
  }
  if (owner.revoked || claims.tokenVersion !== owner.user.tokenVersion) throw invalidToken();
  return { user: owner.user, claims, byCookie };
}

export interface IdentifyOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  /**
   * Whether the account is read on each request. When false, only the token is checked: deleted accounts, logouts and changed
   * passwords then have no effect before the token expires. Default: true.
   */
  readonly checkAccount?: boolean;
  /** Whether the token may come by a cookie. Default: no. */
  readonly cookie?: CookieMode | false;
}

/** Who sent the request, for a protected route. Throws as `authenticate` does. */
export async function identify(request: Sender, options: IdentifyOptions): Promise<AuthUser> {
  if (options.checkAccount === false) {
    const { userId, email } = verifySender(request, options).claims;
    return { id: userId, email };
  }
  const { user } = await authenticate(request, options);
  return { id: user.id, email: user.email };
}
