// Accounts in a SQLite file: the store of the account module, with the durability of a service.

import { accountMigrations, createSqliteStore } from '../../builds/stackyard/account/store.ts';
import {
  closeDatabase,
  openDatabase,
  type OpenOptions,
} from '../../builds/stackyard/sqlite/index.ts';
import type { ServiceStore } from './store.ts';

/** Opens the file, creates it when absent, and brings its tables up to date. Throws `DatabaseError`. */
export function openSqliteStore(
  file: string,
  options: Pick<OpenOptions, 'busyTimeoutMs'> = {},
): ServiceStore {
  const db = openDatabase(file, { ...options, migrations: accountMigrations });
  // An acknowledged account survives a power failure, not only a crash of this process.
  db.pragma('synchronous = FULL');
  const ping = db.prepare('SELECT 1 FROM users WHERE id = 0');
  return {
    ...createSqliteStore(db),
    check: async () => void ping.get(),
    close: async () => closeDatabase(db),
  };
}
