// The database of the application, opened once, and the module that a foundation reads.

import { closeDatabase, type Database, openDatabase, resolveDatabasePath } from './database.js';
import { DatabaseError } from './errors.js';
import { migrate } from './migrate.js';
import { type Migration, type Migrations, toLists } from './migration.js';

let current: Database | undefined;

/**
 * The database of the application: that of SQLITE_PATH, see `openDatabase`. It is opened by the first call and closed
 * when the process ends. Throws as `openDatabase` does.
 */
export function database(): Database {
  if (current?.open) return current;
  const opened = openDatabase();
  process.once('exit', () => closeDatabase(opened));
  current = opened;
  return opened;
}

/** A `Module` of src/module.ts in a foundation. */
export interface SqliteModule {
  readonly name: 'database';
  checkSettings(
    env: Readonly<Record<string, string | undefined>>,
  ): readonly { readonly name: string; readonly message: string }[];
  /** Opens the database and applies the migrations of all modules. */
  start(host: { readonly migrations: readonly unknown[] }): void;
  readonly checks: { readonly database: () => unknown };
  stop(): void;
}

/**
 * The database as a module, which also applies `own`, after those of the modules: they may refer to tables of the
 * modules.
 */
export function createSqliteModule(own: Migrations = []): SqliteModule {
  return {
    name: 'database',
    checkSettings(env) {
      try {
        resolveDatabasePath(undefined, env);
        return [];
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return [{ name: 'SQLITE_PATH', message: error.message }];
      }
    },
    start({ migrations }) {
      const db = database();
      try {
        migrate(db, combine(migrations, own));
      } catch (error) {
        closeDatabase(db);
        throw error;
      }
    },
    checks: { database: () => database().prepare('SELECT 1 FROM sqlite_schema').get() },
    stop: () => (current ? closeDatabase(current) : undefined),
  };
}

/** The database without migrations of the project itself. */
export const sqliteModule = createSqliteModule();

// What a module contributes is a list of migrations, whose order is that of their ids, or a single one, which keeps
// its place. Those of `own` that modules contribute as well, such as the list of accounts in src/migrations.ts, are
// applied once.
function combine(contributed: readonly unknown[], own: Migrations): (readonly Migration[])[] {
  const seen = new Set<Migration>();
  const once = (list: readonly Migration[]) => list.filter((migration) => !seen.has(migration) && seen.add(migration));
  const lists = contributed.map((element) => (Array.isArray(element) ? element : [element]) as readonly Migration[]);
  return [...lists, ...toLists(own)].map(once);
}
