/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.

import { createAccountModule } from '../account-core/index.js';
import { database, migrate } from '../sqlite/index.js';
import { accountMigrations, createSqliteStore } from './store.js';

/** Accounts in the database of the application, below `/auth`. */
export const accountModule = createAccountModule({
  migrations: [accountMigrations],
  openStore() {
    // Does nothing where the module `database` has applied them.
    migrate(database(), accountMigrations);
    return createSqliteStore(database());
  },
});

/** Protects a route: middleware of Express and of Hono. */
export const requireAuth = accountModule.requireAuth;
/** Calls a listener after an account was deleted. Returns what ends that. */
export const onUserDeleted = accountModule.onUserDeleted;

export { answerBodyErrors, type AuthUser, currentUser } from '../account-core/index.js';
export * from './store.js';
