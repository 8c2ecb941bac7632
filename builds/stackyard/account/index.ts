/// <reference types="node" />
// The accounts of an application: their settings, the module that it mounts, and the public names of this folder.

import type { NextFunction, Request, Response } from 'express';
import { database, loadEnv, migrate } from '../sqlite/index.js';
import { type Accounts, type AccountsOptions, type AuthUser, createAccounts } from './routes.js';
import { accountMigrations, createSqliteStore } from './store.js';
import { createThrottle, noThrottle } from './throttle.js';
import { createTokens, type TokenOptions } from './tokens.js';

declare global {
  namespace Express {
    // The same names as passport uses, so that both can be installed.
    interface User extends AuthUser {}
    interface Request {
      user?: User | undefined;
    }
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

// Everybody can read it here: a token that is signed with it proves nothing.
const DEVELOPMENT_SECRET = 'stackyard/account: built-in secret for tests and development only';

/** The settings, and what is wrong with them. Every NODE_ENV but `development` and `test` is production. */
export function readAccountSettings(env: Environment) {
  const problems: { readonly name: string; readonly message: string }[] = [];
  const isProduction = !['development', 'test'].includes(env['NODE_ENV'] ?? '');
  const secret = env['JWT_SECRET']?.trim() || isProduction ? env['JWT_SECRET'] ?? '' : DEVELOPMENT_SECRET;
  // A key for HS256 has as many bytes as a SHA-256 (RFC 7518 section 3.2).
  if (isProduction && (Buffer.byteLength(secret) < 32 || secret.trim() === '')) {
    const message = `${secret.trim() === '' ? 'is not set' : 'is too short'}: use at least 32 random bytes, such as the output of`;
    problems.push({ name: 'JWT_SECRET', message: `${message} "openssl rand -hex 32". In development set NODE_ENV to "development"` });
  }
  const ttl = env['JWT_TTL_SECONDS']?.trim() || '604800';
  if (!/^[1-9]\d{0,8}$/.test(ttl)) {
    problems.push({ name: 'JWT_TTL_SECONDS', message: 'use a whole number of seconds from 1 to 999999999' });
  }
  return { problems, secret, ttlSeconds: Number(ttl), isProduction };
}

function checkedSettings() {
  loadEnv();
  const { problems, ...settings } = readAccountSettings(process.env);
  const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
  if (lines.length > 0) throw new RangeError(['Invalid environment variables:', ...lines].join('\n'));
  return settings;
}

export type AccountModuleOptions = Partial<AccountsOptions> & Pick<TokenOptions, 'previousSecrets'>;

let options: AccountModuleOptions = {};
let opened: Accounts | undefined;

// Opened at the start, or by the first request.
function accounts(): Accounts {
  return (opened ??= openAccounts());
}

function openAccounts(): Accounts {
  const { isProduction, ...settings } = checkedSettings();
  // Does nothing where the module `database` has applied them.
  migrate(database(), accountMigrations);
  const { previousSecrets = [], ...others } = options;
  const tokens = createTokens({ ...settings, previousSecrets });
  const throttle = isProduction ? createThrottle() : noThrottle;
  return createAccounts({ store: createSqliteStore(database()), tokens, throttle, ...others });
}

function node(req: Request, res: Response, next: NextFunction): void {
  accounts().router(req, res, next);
}

/** For `src/modules.ts` of a foundation. In other projects `node` is mounted. */
export const accountModule = {
  name: 'account',
  migrations: [accountMigrations] as readonly unknown[],
  checkSettings: (env: Environment) => readAccountSettings(env).problems,
  start: () => void accounts(),
  /** Forgets the database: its module closes it. */
  stop: () => void (opened = undefined),
  routes: [{ prefix: '/auth', node, fetch: async () => undefined }],
  node,
  /** Throws where a variable is wrong or missing: for applications without `src/modules.ts`, before they listen. */
  assertSettings: () => void checkedSettings(),
  /** Sets options, before the start. */
  configure: (more: AccountModuleOptions) => void (options = { ...options, ...more }),
};

/** Express middleware: lets requests with a valid token through, answers others with 401. */
export const requireAuth = (req: Request, res: Response, next: NextFunction): void => accounts().requireAuth(req, res, next);

/** The user of a request, or the answer to one that has none. */
export const authenticate = async (request: globalThis.Request) => accounts().authenticate(request);

/** Ends all tokens of an account, for example after its password was changed. Returns whether it exists. */
export const endTokens = async (userId: number) => accounts().endTokens(userId);

/** The user behind `requireAuth`. Throws `TypeError` on a route that it does not protect. */
export function currentUser({ user }: { readonly user?: AuthUser | undefined }): AuthUser {
  if (user) return user;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}

export { AccountError, answerBodyErrors } from './errors.js';
export * from './passwords.js';
export * from './routes.js';
export * from './store.js';
export * from './throttle.js';
export * from './tokens.js';
