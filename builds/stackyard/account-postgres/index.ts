/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

import { createAccountModule } from '../account-core/index.js';
import { database, migrate } from '../postgres/index.js';
import { accountMigrations } from './migrations.js';
import { createPostgresStore } from './store.js';

/** Accounts in the database of the application, below `/auth`. */
export const accountModule = createAccountModule({
  migrations: [accountMigrations],
  async openStore() {
    // Only reads where the module `database` has applied them.
    await migrate(database(), accountMigrations);
    return createPostgresStore();
  },
});

/** Protects a route: middleware of Express and of Hono. */
export const requireAuth = accountModule.requireAuth;
/** Calls a listener after an account was deleted. Returns what ends that. */
export const onUserDeleted = accountModule.onUserDeleted;

export { answerBodyErrors, type AuthUser, currentUser } from '../account-core/index.js';
export { accountMigrations } from './migrations.js';
export { createPostgresStore } from './store.js';
