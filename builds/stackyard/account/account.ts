// Puts the account module together from its defaults: SQLite, HS256, scrypt, and in production a throttle.

import type { RequestHandler, Router } from 'express';
import { type Database, migrate } from '../sqlite/index.js';
import { type AccountRouterOptions, createAccountRouter } from './account-router.js';
import type { AccountConfig } from './config.js';
import { createMemoryThrottle } from './memory-throttle.js';
import { accountMigrations } from './migrations.js';
import { createPasswords, type Passwords } from './passwords.js';
import { createRequireAuth } from './require-auth.js';
import { createSqliteUserStore } from './sqlite-users.js';
import { noThrottle } from './throttle.js';
import { createTokens, type TokenOptions, type Tokens } from './tokens.js';
import type { UserStore } from './users.js';

type RouterSettings = Omit<AccountRouterOptions, 'users' | 'tokens' | 'passwords'>;
type TokenSettings = Pick<TokenOptions, 'previousSecrets' | 'issuer' | 'audience'>;

export interface AccountOptions extends RouterSettings, TokenSettings {
  /** Default: `createPasswords()`. */
  readonly passwords?: Passwords;
}

export interface Account {
  /** The routes: mount them with `app.use('/auth', account.router)`. */
  readonly router: Router;
  /** Protects a route. */
  readonly requireAuth: RequestHandler;
  readonly users: UserStore;
  readonly tokens: Tokens;
}

/**
 * Accounts in `db`, whose tables it creates. Logs what is wrong with the configuration. Throws as `migrate` does.
 */
export function createAccount(db: Database, config: AccountConfig, options: AccountOptions = {}): Account {
  const { passwords = createPasswords(), log = console } = options;
  for (const { level, message } of config.notices) log[level](message);
  migrate(db, accountMigrations);
  const users = createSqliteUserStore(db);
  const { secret, ttlSeconds } = config;
  const reason = config.notices.find(({ level }) => level === 'error')?.message;
  const tokens = createTokens({ ...options, secret, ttlSeconds, reason });
  const throttle =
    options.throttle ??
    (config.production ? createMemoryThrottle({ now: options.now ?? Date.now }) : noThrottle);
  return {
    router: createAccountRouter({ ...options, users, tokens, passwords, throttle }),
    requireAuth: createRequireAuth({ ...options, users, tokens }),
    users,
    tokens,
  };
}
