// The store in PostgreSQL: the first statement that reaches the database creates its tables.

import type { PostgresConfig } from '../database-url.ts';
import { createStoreCounters } from './store-counters.ts';
import { createPostgresClient, type RunStatement } from './postgres-client.ts';
import { migratePostgres } from './postgres-schema.ts';
import { createPostgresUserStore } from './postgres-users.ts';
import type { AuthStore, StoreLog } from './store.ts';

const PING = { name: 'ping', text: 'SELECT 1 FROM users WHERE id = 0' };
// One row for all processes.
const WRITE_READINESS = {
  name: 'write_readiness',
  text: `INSERT INTO readiness (id, written_at) VALUES (1, now())
   ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`,
};

/** Opens the store without connecting: see `AuthStore` for what happens while the database is unavailable. */
export function openPostgresStore(config: PostgresConfig, log: StoreLog): AuthStore {
  const client = createPostgresClient(config, log);
  let migrated: Promise<void> | undefined;

  function migrateOnce(): Promise<void> {
    migrated ??= migratePostgres(client).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    return migrated;
  }

  const run: RunStatement = async (statement, values) => {
    await migrateOnce();
    return client.run(statement, values);
  };

  return {
    kind: 'postgres',
    users: createPostgresUserStore(run),
    createCounter: createStoreCounters(run),
    async check() {
      await run(PING);
      await run(WRITE_READINESS);
    },
    close: () => client.close(),
  };
}
