/// <reference types="node" />
// The accounts of an application: their settings, the module that it mounts, and the public names of this folder.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { database, loadEnv, migrate } from '../sqlite/index.js';
import { type AccountsOptions, type AuthUser, createAccounts } from './routes.js';
import { accountMigrations, createSqliteStore } from './store.js';
import { createThrottle } from './throttle.js';
import { createTokens } from './tokens.js';

declare global {
  // The names of passport, so that both can be installed.
  namespace Express { interface User extends AuthUser {} interface Request { user?: User | undefined } }
}
type NodeHandler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
type Options = Partial<AccountsOptions> & { readonly previousSecrets?: readonly string[] };
// Everybody can read it here: a token that is signed with it proves nothing.
const DEVELOPMENT_SECRET = 'stackyard/account: built-in secret for tests and development only';
const WANTED_SECRET = 'is not set or too short: use the output of "openssl rand -hex 32", or NODE_ENV=development';
// Every NODE_ENV but exactly `development` and `test` is production.
export function readAccountSettings(env: Readonly<Record<string, string | undefined>>) {
  const problems: { readonly name: string; readonly message: string }[] = [];
  const isProduction = !['development', 'test'].includes(env['NODE_ENV'] ?? '');
  const secret = env['JWT_SECRET']?.trim() ? env['JWT_SECRET'] : isProduction ? '' : DEVELOPMENT_SECRET;
  // A key for HS256 has as many bytes as a SHA-256 (RFC 7518 section 3.2).
  if (isProduction && Buffer.byteLength(secret) < 32) problems.push({ name: 'JWT_SECRET', message: WANTED_SECRET });
  const ttl = env['JWT_TTL_SECONDS']?.trim() || '604800';
  if (!/^[1-9]\d{0,8}$/.test(ttl)) problems.push({ name: 'JWT_TTL_SECONDS', message: 'use a whole number of seconds' });
  return { problems, secret, ttlSeconds: Number(ttl), isProduction };
}
function assertSettings() {
  loadEnv();
  const { problems, ...settings } = readAccountSettings(process.env);
  const text = problems.map(({ name, message }) => `${name} ${message}`).join('; ');
  if (text !== '') throw new RangeError(`Invalid environment variables: ${text}`);
  return settings;
}
let options: Options = {};
const { router, stop, ...accounts } = createAccounts(() => {
  const { secret, ttlSeconds, isProduction } = assertSettings();
  const tokens = createTokens(secret, ttlSeconds, options.previousSecrets);
  migrate(database(), accountMigrations);
  const throttle = isProduction ? createThrottle() : undefined;
  return { store: createSqliteStore(database()), tokens, throttle, ...options };
});
// Express calls it, and the type of a foundation's modules is that of Node.
const node = router as unknown as NodeHandler;
export const { requireAuth, authenticate, endTokens } = accounts;
/** For `src/modules.ts` of a foundation. Other projects mount `node`, after `assertSettings()`. */
export const accountModule = {
  name: 'account',
  migrations: [accountMigrations] as readonly unknown[],
  checkSettings: (env: Parameters<typeof readAccountSettings>[0]) => readAccountSettings(env).problems,
  assertSettings: () => void assertSettings(),
  configure: (more: Options) => void (options = { ...options, ...more }),
  stop,
  node,
  routes: [{ prefix: '/auth', node, fetch: async () => undefined }],
};

export function currentUser({ user }: { readonly user?: AuthUser | undefined }): AuthUser {
  if (user) return user;
  throw new TypeError('Cannot read the current user: add "requireAuth" to the route, before this handler');
}
export { answerBodyErrors } from './errors.js';
export { createPasswords } from './passwords.js';
export { type AccountsOptions, type AuthUser, createAccounts } from './routes.js';
export { accountMigrations, type AccountStore, createSqliteStore, type StoredUser } from './store.js';
export { createThrottle, type Throttle } from './throttle.js';
export { createTokens, type TokenClaims, type Tokens } from './tokens.js';
