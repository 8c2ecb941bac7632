// The account module for Express: the routes and the protection middleware, with the defaults of account-defaults.ts.

import type { RequestHandler, Router } from 'express';
import type { Database } from '../sqlite/index.js';
import { type AccountOptions, createDefaults } from './account-defaults.js';
import { createAccountRouter } from './account-router.js';
import type { AccountConfig } from './config.js';
import type { AccountDependencies } from './dependencies.js';
import { createRequireAuth } from './require-auth.js';
import type { Tokens } from './tokens.js';
import type { UserStore } from './users.js';

export interface Account {
  /** The routes: mount them with `app.use('/auth', account.router)`. */
  readonly router: Router;
  /** Protects a route. */
  readonly requireAuth: RequestHandler;
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
