// The routes: register, login, and the account behind a token.

import { type NextFunction, type Request, type Response, Router } from 'express';
import { readLogin, readRegistration } from './bodies.js';
import { AccountError, answerBodyErrors, invalidRequest, unauthorized } from './errors.js';
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

/** `open` is called by the first request, and by `start`. */
export function createAccounts(open: () => AccountsOptions) {
  let opened: (AccountsOptions & { readonly passwords: Passwords }) | undefined;
  const parts = () => (opened ??= { passwords: createPasswords(), ...open() });
  const router = Router();

  router.post('/register', route(async (req, res) => {
    const { email, password } = await readRegistration(req);
    const { store, tokens, passwords, refusePassword } = parts();
    const fault = await refusePassword?.(password, email);
    if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
    await admit(req);
    // This check only saves a hash: which of two registrations is first, the unique index decides.
    if (await store.findByEmail(email)) throw emailTaken();
    const passwordHash = await passwords.hash(password);
    const user = await store.insert({ email, passwordHash, createdAt: new Date().toISOString() });
    if (!user) throw emailTaken();
    res.status(201).json({ user: toUser(user), token: await tokens.issue(user) });
  }));

  // An unknown e-mail and a wrong password get the same answer after the same work.
  router.post('/login', route(async (req, res) => {
    const { email, password } = await readLogin(req);
    const { store, tokens, passwords, throttle } = parts();
    const address = await admit(req, email);
    const user = await store.findByEmail(email);
    const { matches, outdated } = await passwords.verify(password, user?.passwordHash);
    if (!user || !matches) throw unauthorized('invalid_credentials', 'Invalid email or password');
    if (outdated) await store.replaceHash(user.id, user.passwordHash, await passwords.hash(password));
    await throttle?.succeed(address, email);
    res.json({ user: toUser(user), token: await tokens.issue(user) });
  }));

  router.get('/me', route(async (req, res) => {
    res.json({ user: toUser(await findUser(req.headers.authorization)) });
  }));

  async function admit(req: Request, email?: string): Promise<string> {
    const address = toNetwork(req.ip ?? '');
    const wait = (await parts().throttle?.admit(address, email)) ?? 0;
    if (wait === 0) return address;
    throw new AccountError(429, 'rate_limited', 'Too many attempts, try again later', { 'Retry-After': String(wait) });
  }

  // Reads the account at every request, so that a token ends with it. The form of the header is that of RFC 6750.
  async function findUser(authorization = ''): Promise<StoredUser> {
    if (!/^bearer\b/i.test(authorization)) throw unauthorized('missing_token', 'Missing bearer token');
    const claims = await parts().tokens.verify(/^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? '');
    if (!claims) throw unauthorized('invalid_token', 'Invalid or expired token');
    const user = await parts().store.findById(claims.userId);
    // A token that is older than the account is of another database.
    const isGone = !user || claims.issuedAt < Math.floor(Date.parse(user.createdAt) / 1000);
    if (isGone) throw unauthorized('account_gone', 'Account no longer exists');
    if (claims.tokenVersion !== user.tokenVersion) throw unauthorized('invalid_token', 'Invalid or expired token');
    return user;
  }

  async function identify(authorization: string | undefined): Promise<AuthUser> {
    const { id, email } = await findUser(authorization);
    return { id, email };
  }

  return {
    router,
    start: () => void parts(),
    stop: () => void (opened = undefined),
    /** Express middleware: sets `req.user` and `res.locals.user`, or answers 401. */
    requireAuth: route(async (req, res, next) => {
      req.user = res.locals['user'] = await identify(req.headers.authorization);
      next();
    }),
    /** The user of a request, or the answer to one that has none. */
    authenticate: ({ headers }: globalThis.Request): Promise<AuthUser | globalThis.Response> =>
      identify(headers.get('authorization') ?? undefined).catch((error: unknown) => {
        if (!(error instanceof AccountError)) throw error;
        return Response.json(error.toBody(), { status: error.status, headers: error.headers });
      }),
    /** Ends all tokens of an account, for example after its password was changed. Returns whether it exists. */
    endTokens: async (userId: number): Promise<boolean> => parts().store.endTokens(userId),
  };
}

// Express 4 does not wait for promises.
function route(work: (req: Request, res: Response, next: NextFunction) => Promise<void>) {
  return (req: Request, res: Response, next: NextFunction): void => {
    res.set('Cache-Control', 'no-store');
    work(req, res, next).catch((error: unknown) => answerBodyErrors(error, req, res, next));
  };
}

const toUser = ({ id, email, createdAt }: StoredUser) => ({ id, email, created_at: createdAt });
const emailTaken = () => new AccountError(409, 'email_taken', 'Email is already registered');
