// Chooses the store by its configuration. PostgreSQL and its driver are loaded only when configured.

import type { DatabaseConfig } from '../database-url.ts';
import { openSqliteStore } from './sqlite.ts';
import type { AuthStore, StoreLog } from './store.ts';

/** Opens the store. While PostgreSQL is unavailable, this resolves and each method rejects. */
export async function openStore(database: DatabaseConfig, log: StoreLog): Promise<AuthStore> {
  if (database.kind === 'sqlite') return openSqliteStore(database.file);
  const { openPostgresStore } = await import('./postgres.ts');
  return openPostgresStore(database, log);
}
