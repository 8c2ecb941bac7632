// Brings a database up to a list of migrations. Several builds call this with lists of their own; the ids of all
// of them live in one table, `_migrations`. Forward only.

import type Sqlite from 'better-sqlite3';
import { DatabaseError, errorText, isBusy } from './errors.js';
import { type Migration, migrationChecksum, type Migrations, orderMigrations } from './migration.js';

export interface MigrateOptions {
  /** The clock that `applied_at` is taken from. Default: the current time. */
  readonly now?: () => Date;
}

interface ForeignKeyViolation {
  readonly table: string;
  readonly parent: string;
}

/**
 * Applies the migrations that `db` does not have yet, each in a transaction of its own: list after list, and in a list
 * in order of the ids. Returns the ids applied now. When one fails, the ones before it stay applied and it leaves no
 * trace.
 */
export function migrate(
  db: Sqlite.Database,
  migrations: Migrations,
  options: MigrateOptions = {},
): string[] {
  const ordered = orderMigrations(migrations);
  if (db.inTransaction) {
    throw new DatabaseError(
      'ERR_MIGRATION_IN_TRANSACTION',
      `Cannot migrate "${db.name}": a transaction is open on this connection. Call migrate before you begin one`,
    );
  }
  const now = options.now ?? (() => new Date());
  return withoutForeignKeys(db, () => {
    const pending = findPending(db, ordered);
    return pending.filter((migration) => applyOnce(db, migration, now)).map(({ id }) => id);
  });
}

// The pragma does nothing inside a transaction, so it is set here, outside. While it is on, dropping a table in
// order to rebuild it would delete the rows that refer to it; off, such damage is found by the check in `apply`.
function withoutForeignKeys<T>(db: Sqlite.Database, body: () => T): T {
  const wasOn = Number(db.pragma('foreign_keys', { simple: true })) === 1;
  db.pragma('foreign_keys = OFF');
  try {
    return body();
  } finally {
    if (wasOn) db.pragma('foreign_keys = ON');
  }
}

// Looks at the whole list first, so that an edited migration is refused before any other is applied.
function findPending(db: Sqlite.Database, migrations: readonly Migration[]): Migration[] {
  try {
    return db
      .transaction(() => {
        db.exec(
          `CREATE TABLE IF NOT EXISTS _migrations (
            id TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at TEXT NOT NULL
          )`,
        );
        return migrations.filter((migration) => !isApplied(db, migration));
      })
      .immediate();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (isBusy(error)) throw busyError(db, error);
    throw new DatabaseError(
      'ERR_MIGRATION_TABLE',
      `Cannot read table "_migrations" of "${db.name}": ${errorText(error)}. ` +
        'If the table belongs to another tool, use another database file',
      { cause: error },
    );
  }
}

// IMMEDIATE takes the write lock before the table is read: of two processes that start at once the second waits,
// then sees what the first has applied.
function applyOnce(db: Sqlite.Database, migration: Migration, now: () => Date): boolean {
  try {
    return db
      .transaction(() => {
        if (isApplied(db, migration)) return false;
        apply(db, migration, now);
        return true;
      })
      .immediate();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (isBusy(error)) throw busyError(db, error);
    throw new DatabaseError(
      'ERR_MIGRATION_FAILED',
      `Migration "${migration.id}" failed and was rolled back: ${errorText(error)}`,
      { cause: error },
    );
  }
}

function isApplied(db: Sqlite.Database, migration: Migration): boolean {
  const applied = db
    .prepare<[string], string>('SELECT checksum FROM _migrations WHERE id = ?')
    .pluck()
    .get(migration.id);
  if (applied === undefined) return false;
  if (applied === migrationChecksum(migration)) return true;
  throw new DatabaseError(
    'ERR_MIGRATION_EDITED',
    `Cannot migrate "${db.name}": migration "${migration.id}" was edited after it was applied. ` +
      'Restore its SQL and put the change into a new migration',
  );
}

function apply(db: Sqlite.Database, migration: Migration, now: () => Date): void {
  db.exec(migration.sql);
  // `orderMigrations` refuses such SQL. This is the second check, in case SQLite reads something that it does not.
  if (!db.inTransaction) {
    throw new DatabaseError(
      'ERR_MIGRATION_SQL',
      `Migration "${migration.id}" ended its own transaction, so it may be applied in part. ` +
        'Remove BEGIN, COMMIT and ROLLBACK from its SQL and inspect the schema',
    );
  }
  checkForeignKeys(db, migration);
  db.prepare<[string, string, string]>(
    'INSERT INTO _migrations (id, checksum, applied_at) VALUES (?, ?, ?)',
  ).run(migration.id, migrationChecksum(migration), now().toISOString());
}

function checkForeignKeys(db: Sqlite.Database, migration: Migration): void {
  const [violation] = db.pragma('foreign_key_check') as ForeignKeyViolation[];
  if (violation === undefined) return;
  throw new DatabaseError(
    'ERR_MIGRATION_FOREIGN_KEY',
    `Migration "${migration.id}" was rolled back: after it, rows of table "${violation.table}" refer to rows of ` +
      `table "${violation.parent}" that do not exist. Delete or change those rows in the migration: ` +
      'ON DELETE and ON UPDATE do not act while migrating',
  );
}

function busyError(db: Sqlite.Database, cause: unknown): DatabaseError {
  return new DatabaseError(
    'ERR_DATABASE_BUSY',
    `Cannot migrate "${db.name}": another connection kept it locked. ` +
      'Wait until that work is done, or open the database with a larger "busyTimeoutMs"',
    { cause },
  );
}

export interface MigrationStatus {
  readonly id: string;
  /**
   * `edited`: the SQL is another one than was applied. `unlisted`: applied, and not in the list, as when a newer
   * version of the program has run on this database, or a build was removed.
   */
  readonly state: 'applied' | 'pending' | 'edited' | 'unlisted';
  /** UTC, such as `2026-11-21T09:30:00.000Z`; absent for `pending`. */
  readonly appliedAt?: string;
}

interface AppliedRow {
  readonly id: string;
  readonly checksum: string;
  readonly applied_at: string;
}

/** The state of each migration in the order in which `migrate` applies them, then the unlisted ones, oldest first. */
export function readMigrationStatus(db: Sqlite.Database, migrations: Migrations): MigrationStatus[] {
  const applied = new Map(readApplied(db).map((row) => [row.id, row]));
  const listed = orderMigrations(migrations).map((migration): MigrationStatus => {
    const row = applied.get(migration.id);
    applied.delete(migration.id);
    if (row === undefined) return { id: migration.id, state: 'pending' };
    const state = row.checksum === migrationChecksum(migration) ? 'applied' : 'edited';
    return { id: migration.id, state, appliedAt: row.applied_at };
  });
  const unlisted = Array.from(applied.values(), (row): MigrationStatus => {
    return { id: row.id, state: 'unlisted', appliedAt: row.applied_at };
  });
  return [...listed, ...unlisted];
}

function readApplied(db: Sqlite.Database): AppliedRow[] {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_migrations'").get();
  if (table === undefined) return [];
  return db
    .prepare<[], AppliedRow>('SELECT id, checksum, applied_at FROM _migrations ORDER BY rowid')
    .all();
}
