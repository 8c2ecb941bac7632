// Password reset and e-mail verification for Hono: optional routes beside those of the account.

import type { Hono, MiddlewareHandler } from 'hono';
import type { Database } from '../sqlite/index.js';
import type { Account } from './account.js';
import type { AuthEnv } from './auth-user.js';
import { identifyVerified } from './email-verification.js';
import { mountRoutes } from './hono-routes.js';
import {
  createRecoveryDependencies,
  type RecoveryOptions,
  type RecoveryRouterOptions,
} from './recovery-dependencies.js';
import { recoveryRoutes } from './recovery-routes.js';
import { protect } from './require-auth.js';
import { createSqliteRecoveryStore } from './sqlite-recoveries.js';

export interface Recovery {
  /** The routes: mount them beside those of the account, with `app.route('/auth', recovery.router)`. */
  readonly router: Hono;
  /** Protects a route as `requireAuth` does, and answers 403 where the address of the account is not verified. */
  readonly requireVerified: MiddlewareHandler<AuthEnv>;
  /** Resolves when all mails that were requested so far are sent or have failed. For the shutdown, and for tests. */
  settled(): Promise<void>;
}

/** Recovery for the accounts in `db`. Throws `RangeError` for an option that cannot be used. */
export function createRecovery(db: Database, account: Account, options: RecoveryOptions): Recovery {
  return createRecoveryRouter({
    ...account.dependencies,
    ...options,
    recoveries: createSqliteRecoveryStore(db),
  });
}

/** As `createRecovery`, for a storage of your own. */
export function createRecoveryRouter(options: RecoveryRouterOptions): Recovery {
  const deps = createRecoveryDependencies(options);
  return {
    router: mountRoutes(deps, recoveryRoutes(deps)),
    requireVerified: protect((request) => identifyVerified(deps, request), deps.realm),
    async settled() {
      await Promise.all(deps.pending);
    },
  };
}
