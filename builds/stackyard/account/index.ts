/// <reference types="node" />
// The accounts of an application: their settings, the module that it mounts, and the public names of this folder.

import { database, loadEnv, migrate } from '../sqlite/index.js';
import { type AccountsOptions, type AuthUser, createAccounts } from './routes.js';
import { accountMigrations, createSqliteStore } from './store.js';
import { createThrottle } from './throttle.js';
import { createTokens } from './tokens.js';

declare global {
  namespace Express {
    // The same names as passport uses, so that both can be installed.
    interface User extends AuthUser {}
    interface Request { user?: User | undefined }
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Options = Partial<AccountsOptions> & { readonly previousSecrets?: readonly string[] };

// Everybody can read it here: a token that is signed with it proves nothing.
const DEVELOPMENT_SECRET = 'stackyard/account: built-in secret for tests and development only';

/** The settings, and what is wrong with them. Every NODE_ENV but `development` and `test` is production. */
export function readAccountSettings(env: Environment) {
  const problems: { readonly name: string; readonly message: string }[] = [];
  const isProduction = !['development', 'test'].includes(env['NODE_ENV'] ?? '');
  const given = env['JWT_SECRET']?.trim() ? env['JWT_SECRET'] : undefined;
  const secret = given ?? (isProduction ? '' : DEVELOPMENT_SECRET);
  // A key for HS256 has as many bytes as a SHA-256 (RFC 7518 section 3.2).
  if (isProduction && Buffer.byteLength(secret) < 32) {
    const fault = given === undefined ? 'is not set (in development set NODE_ENV to "development")' : 'is too short';
    problems.push({ name: 'JWT_SECRET', message: `${fault}: use the output of "openssl rand -hex 32"` });
  }
  const ttl = env['JWT_TTL_SECONDS']?.trim() || '604800';
  const isTtl = /^[1-9]\d{0,8}$/.test(ttl);
  if (!isTtl) problems.push({ name: 'JWT_TTL_SECONDS', message: 'use a whole number of seconds from 1 to 999999999' });
  return { problems, secret, ttlSeconds: Number(ttl), isProduction };
}

function assertSettings() {
  loadEnv();
  const settings = readAccountSettings(process.env);
  const lines = settings.problems.map(({ name, message }) => `  ${name}: ${message}`);
  if (lines.length > 0) throw new RangeError(['Invalid environment variables:', ...lines].join('\n'));
  return settings;
}

let options: Options = {};

const { router: node, start, stop, ...accounts } = createAccounts(() => {
  const { secret, ttlSeconds, isProduction } = assertSettings();
  const tokens = createTokens(secret, ttlSeconds, options.previousSecrets);
  // Does nothing where the module `database` has applied them.
  migrate(database(), accountMigrations);
  const throttle = isProduction ? createThrottle() : undefined;
  return { store: createSqliteStore(database()), tokens, throttle, ...options };
});

export const { requireAuth, authenticate, endTokens } = accounts;

/** For `src/modules.ts` of a foundation. Other projects mount `node`. */
export const accountModule = {
  name: 'account',
  migrations: [accountMigrations] as readonly unknown[],
  checkSettings: (env: Environment) => readAccountSettings(env).problems,
  start,
  stop,
  routes: [{ prefix: '/auth', node, fetch: async () => undefined }],
  node,
  /** For applications without `src/modules.ts`: throws where a variable is wrong or missing. */
  assertSettings: () => void assertSettings(),
  /** Sets options, before the start. */
  configure: (more: Options) => void (options = { ...options, ...more }),
};

/** The user behind `requireAuth`. */
export function currentUser({ user }: { readonly user?: AuthUser | undefined }): AuthUser {
  if (user) return user;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}

export { AccountError, answerBodyErrors } from './errors.js';
export { createPasswords, type Passwords } from './passwords.js';
export { type AccountsOptions, type AuthUser, createAccounts } from './routes.js';
export { accountMigrations, type AccountStore, createSqliteStore, type StoredUser } from './store.js';
export { createThrottle, type Throttle } from './throttle.js';
export { createTokens, type TokenClaims, type Tokens } from './tokens.js';
