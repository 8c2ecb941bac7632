// Puts the module together from its defaults: SQLite, HS256, scrypt, and in production a throttle. Only the routers are
// left to the file of the web framework.

import { type Database, migrate } from '../sqlite/index.js';
import type { AccountConfig } from './config.js';
import { type AccountDependencies, type AccountRouterOptions, createDependencies } from './dependencies.js';
import { createMemoryThrottle } from './memory-throttle.js';
import { accountMigrations } from './migrations.js';
import { createPasswords, type Passwords } from './passwords.js';
import { createSqliteSessionStore } from './sqlite-sessions.js';
import { createSqliteUserStore } from './sqlite-users.js';
import { noThrottle } from './throttle.js';
import { createTokens, type TokenOptions } from './tokens.js';

type RouterSettings = Omit<AccountRouterOptions, 'users' | 'tokens' | 'passwords' | 'sessions'>;
type TokenSettings = Pick<TokenOptions, 'previousSecrets' | 'issuer' | 'audience'>;

export interface AccountOptions extends RouterSettings, TokenSettings {
  /** Default: `createPasswords()`. */
  readonly passwords?: Passwords;
}

/** Applies the migrations to `db` and logs the notices of `config`. Throws as `migrate` does. */
export function createDefaults(db: Database, config: AccountConfig, options: AccountOptions): AccountDependencies {
  const { passwords = createPasswords(), log = console } = options;
  for (const { level, message } of config.notices) log[level](message);
  migrate(db, accountMigrations);
  const { secret, ttlSeconds } = config;
  const reason = config.notices.find(({ level }) => level === 'error')?.message;
  const throttle =
    options.throttle ??
    (config.production ? createMemoryThrottle({ now: options.now ?? Date.now }) : noThrottle);
  return createDependencies({
    ...options,
    users: createSqliteUserStore(db),
    tokens: createTokens({ ...options, secret, ttlSeconds, reason }),
    passwords,
    sessions: createSqliteSessionStore(db),
    throttle,
  });
}
