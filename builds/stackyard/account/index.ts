/// <reference types="node" />
// Accounts in Express, on SQLite: the public names of this folder. The core is in ../account-core, the tables in ../account-sqlite.

import type { ZodType } from 'zod';
import {
  type AccountConfig, type Accounts, type AccountsOptions, type AuthUser, createAccounts, createConfiguredAccounts,
  type ModuleOptions, newEmail, newPassword, type NodeHandler, type SessionStore, type Tokens, type UserStore,
} from '../account-core/index.js';
import { accountMigrations, createSqliteStore } from '../account-sqlite/index.js';
import { type Database, migrate } from '../sqlite/index.js';

declare global {
  namespace Express {
    // The same names as passport uses, so that both can be installed.
    interface User extends AuthUser {}
    interface Request {
      /** Set by `requireAuth`. */
      user?: User | undefined;
    }
    interface Locals {
      /** Set by `requireAuth`. */
      user?: User | undefined;
    }
  }
}

export interface Account extends Accounts {
  /** The routes: mount them with `app.use('/auth', account.router)`. */
  readonly router: NodeHandler;
  readonly users: UserStore;
  readonly tokens: Tokens;
}

export type AccountOptions = ModuleOptions;

/**
 * Accounts in `db`, whose tables it creates, for applications that open the database themselves. Logs what is wrong with the
 * configuration. Throws as `migrate` does.
 */
export function createAccount(db: Database, config: AccountConfig, options: AccountOptions = {}): Account {
  migrate(db, accountMigrations);
  const accounts = createConfiguredAccounts(createSqliteStore(db), config, options);
  const { users, tokens } = accounts.dependencies;
  return { ...accounts, router: accounts.node, users, tokens };
}

export interface AccountRouterOptions extends Omit<AccountsOptions, 'store' | 'sessions'> {
  readonly users: UserStore;
  /** Where sessions are listed. Without it the routes `/sessions` do not exist. */
  readonly sessions?: SessionStore | undefined;
}

/** The routes over a storage of your own. */
export function createAccountRouter({ users, sessions, ...options }: AccountRouterOptions): NodeHandler {
  return createAccounts({ ...options, store: { users, sessions } }).node;
}

/** The rules of new addresses and passwords, for bodies of your own routes: `z.object({ email: accountFields.email })`. */
export const accountFields: { readonly email: ZodType<string>; readonly password: ZodType<string> } = {
  email: newEmail,
  password: newPassword,
};

export * from '../account-core/index.js';
export {
  accountMigrations, accountModule, createSqliteRecoveryStore, createSqliteSessionStore, createSqliteStore, createSqliteUserStore,
  onUserDeleted, requireAuth,
} from '../account-sqlite/index.js';
