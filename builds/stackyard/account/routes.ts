// The routes: register, login, and the account behind a token.

import { type NextFunction, type Request, type Response, Router } from 'express';
import { invalidRequest, readLogin, readRegistration } from './bodies.js';
import { AccountError, answerBodyErrors, describeError } from './errors.js';
import { createPasswords, type Passwords } from './passwords.js';
import type { AccountStore, StoredUser } from './store.js';
import { noThrottle, type Throttle, toNetwork } from './throttle.js';
import type { Tokens } from './tokens.js';

export interface AuthUser {
  readonly id: number;
  readonly email: string;
}

export interface AccountsOptions {
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly passwords?: Passwords;
  /** Default: none. */
  readonly throttle?: Throttle;
  /** A further rule for new passwords: a message for people where the password breaks it. */
  readonly refusePassword?: (password: string, email: string) => string | undefined | Promise<string | undefined>;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(options: AccountsOptions) {
  const { store, tokens, passwords = createPasswords(), throttle = noThrottle, refusePassword } = options;
  const router = Router();
  const emailTaken = () => new AccountError(409, 'email_taken', 'Email is already registered');

  router.post('/register', route(async (req, res) => {
    const { email, password } = await readRegistration(req);
    const fault = await refusePassword?.(password, email);
    if (fault !== undefined) throw invalidRequest([{ path: 'password', message: fault }]);
    const user = await throttled(req, undefined, async () => {
      // The check only saves a hash. Which of two registrations is first, the unique index decides.
      const passwordHash = await passwords.hash(password, async () => {
        if (await store.findByEmail(email)) throw emailTaken();
      });
      return store.insert({ email, passwordHash, createdAt: new Date().toISOString() });
    });
    if (!user) throw emailTaken();
    send(res, 201, { user: toUser(user), token: await tokens.issue(user) });
  }));

  // An unknown e-mail and a wrong password get the same answer after the same work.
  router.post('/login', route(async (req, res) => {
    const { email, password } = await readLogin(req);
    const user = await throttled(req, email, async () => {
      const stored = await store.findByEmail(email);
      const { matches, outdated } = await passwords.verify(password, stored?.passwordHash);
      if (!stored || !matches) throw new AccountError(401, 'invalid_credentials', 'Invalid email or password');
      if (outdated) await store.replaceHash(stored.id, stored.passwordHash, await passwords.hash(password));
      return stored;
    });
    send(res, 200, { user: toUser(user), token: await tokens.issue(user) });
  }));

  router.get('/me', route(async (req, res) => {
    send(res, 200, { user: toUser(await findUser(req.headers.authorization)) });
  }));

  async function throttled<T>(req: Request, email: string | undefined, work: () => Promise<T>): Promise<T> {
    const attempt = { address: toNetwork(req.ip ?? ''), ...(email !== undefined && { email }) };
    const retryAfter = await throttle.admit(attempt);
    if (retryAfter > 0) throw new AccountError(429, 'rate_limited', 'Too many attempts, try again later', { retryAfter });
    try {
      const result = await work();
      await throttle.succeed(attempt);
      return result;
    } catch (error) {
      // A database that fails does not show that the password was wrong.
      if (!(error instanceof AccountError && error.status < 500)) await throttle.withdraw(attempt);
      throw error;
    }
  }

  // Reads the account at every request, so that a token ends with it. The form of the header is that of RFC 6750.
  async function findUser(authorization = ''): Promise<StoredUser> {
    const [, token] = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
    if (token === undefined && !/^bearer\b/i.test(authorization)) throw unauthorized('missing_token', 'Missing bearer token');
    const claims = await tokens.verify(token ?? '');
    if (!claims) throw unauthorized('invalid_token', 'Invalid or expired token');
    const user = await store.findById(claims.userId);
    // A token that is older than its account belonged to another account with the same id.
    if (!user || claims.issuedAt < Math.floor(Date.parse(user.createdAt) / 1000)) {
      throw unauthorized('account_gone', 'Account no longer exists');
    }
    if (claims.tokenVersion !== user.tokenVersion) throw unauthorized('invalid_token', 'Invalid or expired token');
    return user;
  }

  return {
    router,
    /** Sets `req.user` and `res.locals.user`, or answers 401. */
    requireAuth: route(async (req, res, next) => {
      const { id, email } = await findUser(req.headers.authorization);
      req.user = res.locals['user'] = { id, email };
      next();
    }),
    /** The user of a request, or the answer to one that has none. */
    async authenticate({ headers }: globalThis.Request): Promise<AuthUser | globalThis.Response> {
      try {
        const { id, email } = await findUser(headers.get('authorization') ?? undefined);
        return { id, email };
      } catch (error) {
        if (!(error instanceof AccountError)) throw error;
        const { headers: answered, body } = describeError(error);
        return Response.json(body, { status: error.status, headers: answered });
      }
    },
    endTokens: (userId: number): Promise<boolean> => store.endTokens(userId),
  };
}

type Work = (req: Request, res: Response, next: NextFunction) => Promise<void>;

// Express 4 does not wait for promises.
function route(work: Work) {
  return (req: Request, res: Response, next: NextFunction): void => {
    work(req, res, next).catch((error: unknown) => answerBodyErrors(error, req, res, next));
  };
}

function send(res: Response, status: number, body: object): void {
  res.status(status).set('Cache-Control', 'no-store').json(body);
}

function unauthorized(code: string, message: string): AccountError {
  return new AccountError(401, code, message);
}

function toUser({ id, email, createdAt }: StoredUser) {
  return { id, email, created_at: createdAt };
}
