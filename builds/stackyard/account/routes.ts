// The routes: register, login, and the account behind a token.

import { type Request, type RequestHandler, Router } from 'express';
import { Login, readBody, Registration } from './bodies.js';
import { AccountError, answerBodyErrors, invalidRequest, send, unauthorized } from './errors.js';
import { createPasswords, type Passwords } from './passwords.js';
import type { AccountStore, StoredUser } from './store.js';
import { type Throttle, toNetwork } from './throttle.js';
import type { Tokens } from './tokens.js';

export interface AuthUser { readonly id: number; readonly email: string }
export interface AccountsOptions {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly passwords?: Passwords;
  readonly throttle?: Throttle | undefined;
  /** A further rule for new passwords: a message for people where the password breaks it. */
  readonly refusePassword?: (password: string, email: string) => string | undefined | Promise<string | undefined>;
}

/** `open` is called by the first request, and again after `stop`. */
export function createAccounts(open: () => AccountsOptions) {
  let opened: (AccountsOptions & { readonly passwords: Passwords }) | undefined;
  const parts = () => (opened ??= { passwords: createPasswords(), ...open() });
  const router = Router();

  router.post('/register', route(async (req, res) => {
    const { email, password } = await readBody(Registration, req);
    const { store, tokens, passwords, refusePassword } = parts();
    const fault = await refusePassword?.(password, email);
    if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
    await admit(req);
    const passwordHash = await passwords.hash(password);
    const user = await store.insert({ email, passwordHash, createdAt: new Date().toISOString() });
    if (!user) throw new AccountError(409, 'email_taken', 'Email is already registered');
    send(res, 201, { user: toUser(user), token: await tokens.issue(user) });
  }));

  // An unknown e-mail and a wrong password get the same answer after the same work.
  router.post('/login', route(async (req, res) => {
    const { email, password } = await readBody(Login, req);
    const { store, tokens, passwords, throttle } = parts();
    const address = await admit(req, email);
    const user = await store.findByEmail(email);
    const { matches, outdated } = await passwords.verify(password, user?.passwordHash);
    if (!user || !matches) throw unauthorized('invalid_credentials', 'Invalid email or password');
    if (outdated) await store.replaceHash(user.id, user.passwordHash, await passwords.hash(password));
    await throttle?.succeed(address, email);
    send(res, 200, { user: toUser(user), token: await tokens.issue(user) });
  }));

  router.get('/me', route(async (req, res) => send(res, 200, { user: toUser(await findUser(req.headers)) })));

  async function admit(req: Request, email?: string): Promise<string> {
    const address = toNetwork(req.ip ?? '');
    const wait = await parts().throttle?.admit(address, email);
    if (!wait) return address;
    throw new AccountError(429, 'rate_limited', 'Too many attempts, try again later', { 'Retry-After': String(wait) });
  }

  // Reads the account at every request, so that a token ends with it. The form of the header is that of RFC 6750.
  async function findUser({ authorization = '' }: { authorization?: string | undefined }): Promise<StoredUser> {
    if (!/^bearer\b/i.test(authorization)) throw unauthorized('missing_token', 'Missing bearer token');
    const claims = await parts().tokens.verify(/^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? '');
    const user = claims && (await parts().store.findById(claims.userId));
    // A token that is older than the account is of another database.
    const isOlder = user && claims.issuedAt < Math.floor(Date.parse(user.createdAt) / 1000);
    if (claims && (!user || isOlder)) throw unauthorized('account_gone', 'Account no longer exists');
    if (user && claims?.tokenVersion === user.tokenVersion) return user;
    throw unauthorized('invalid_token', 'Invalid or expired token');
  }

  return {
    router,
    stop: () => void (opened = undefined),
    /** Express middleware: sets `req.user` and `res.locals.user`, or answers 401. */
    requireAuth: route(async (req, res, next) => {
      req.user = res.locals['user'] = toAuthUser(await findUser(req.headers));
      next();
    }),
    /** The user of a request, or the answer to one that has none. */
    authenticate: ({ headers }: globalThis.Request): Promise<AuthUser | globalThis.Response> =>
      findUser({ authorization: headers.get('authorization') ?? undefined }).then(toAuthUser, (error: unknown) => {
        if (error instanceof AccountError) return new Response(JSON.stringify({ error: error.body }), error);
        throw error;
      }),
    /** Ends all tokens of an account, for example after its password was changed. Returns whether it exists. */
    endTokens: async (userId: number): Promise<boolean> => parts().store.endTokens(userId),
  };
}

// Express 4 does not wait for promises.
const route = (work: (...args: Parameters<RequestHandler>) => Promise<void>): RequestHandler => (req, res, next) =>
  void work(req, res, next).catch((error: unknown) => answerBodyErrors(error, req, res, next));
const toAuthUser = ({ id, email }: StoredUser): AuthUser => ({ id, email });
const toUser = ({ id, email, createdAt }: StoredUser) => ({ id, email, created_at: createdAt });
