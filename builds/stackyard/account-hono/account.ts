// The account module for Hono: the routes and the protection middleware, with the defaults of account-defaults.ts.

import type { Hono, MiddlewareHandler } from 'hono';
import type { Database } from '../sqlite/index.js';
import { type AccountOptions, createDefaults } from './account-defaults.js';
import { createAccountRouter } from './account-router.js';
import type { AuthEnv } from './auth-user.js';
import type { AccountConfig } from './config.js';
import type { AccountDependencies } from './dependencies.js';
import { createRequireAuth } from './require-auth.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface Account {
  /** The routes: mount them with `app.route('/auth', account.router)`. */
  readonly router: Hono;
  /** Protects a route, and sets the context value `user`. */
  readonly requireAuth: MiddlewareHandler<AuthEnv>;
  readonly users: UserStore;
  readonly tokens: Tokens;
  /** What the routes work with, for `createRecovery`. */
  readonly dependencies: AccountDependencies;
}

/** Accounts in `db`, whose tables it creates. Logs what is wrong with the configuration. Throws as `migrate` does. */
export function createAccount(db: Database, config: AccountConfig, options: AccountOptions = {}): Account {
  const dependencies = createDefaults(db, config, options);
  const { users, tokens, realm } = dependencies;
  return {
    router: createAccountRouter(dependencies),
    requireAuth: createRequireAuth({ users, tokens, realm }),
    users,
    tokens,
    dependencies,
  };
}
