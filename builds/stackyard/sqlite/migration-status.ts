// Compares a list of migrations with what a database has. Reads only: no table is created.

import type Sqlite from 'better-sqlite3';
import { migrationChecksum } from './migration.js';
import { type Migrations, orderMigrations } from './migration-list.js';

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
