// Opens and closes the SQLite database: refuses a Node that is too old, makes the folder, and sets the pragmas that
// every connection needs. The schema is created in migrate.ts.

import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { IN_MEMORY, resolveDatabasePath } from './database-path.js';
import { DatabaseError, errorText, isBusy } from './errors.js';
import { makeFolder } from './make-folder.js';
import { migrate } from './migrate.js';
import type { Migrations } from './migration-list.js';
import { assertNodeApi } from './node-api.js';

/** An open connection: a `Database` of better-sqlite3. */
export type Database = Sqlite.Database;

/** What `openDatabase` returns. */
export interface OpenedDatabase extends Database {
  /** The ids of the migrations that this opening has applied, in order. */
  readonly appliedMigrations: readonly string[];
}

export interface OpenOptions {
  /** Applied before the connection is returned, see `migrate`. */
  readonly migrations?: Migrations;
  /** How long a statement waits for another connection's lock, in milliseconds. Default: 5000. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_BUSY_TIMEOUT_MS = 5000;
const MAX_BUSY_TIMEOUT_MS = 0x7fffffff;
const WAL_RETRY_MS = 10;

/**
 * Opens a database file, or `:memory:`, and creates it and its folder when absent.
 * Without `file`, opens the one that SQLITE_PATH names, else `./data/app.db`. Relative paths start at the working
 * directory.
 */
export function openDatabase(file?: string, options: OpenOptions = {}): OpenedDatabase {
  assertNodeApi(process.versions['napi'], process.versions.node);
  const busyTimeoutMs = checkBusyTimeout(options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS);
  const path = resolveDatabasePath(file, process.env);
  const db = connect(path, busyTimeoutMs);
  try {
    const appliedMigrations = options.migrations ? migrate(db, options.migrations) : [];
    return Object.assign(db, { appliedMigrations });
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Closes the connection; closing a closed one does nothing. An open transaction is rolled back. */
export function closeDatabase(db: Database): void {
  if (!db.open) return;
  try {
    // Refreshes the statistics of the query planner where that pays. It must neither wait nor fail.
    db.pragma('busy_timeout = 0');
    if (!db.inTransaction) db.pragma('optimize');
  } catch {
    // Another process is writing, or a statement is still running: the next close does it.
  }
  // The last connection to close also moves the WAL into the database file and removes it.
  db.close();
}

function checkBusyTimeout(milliseconds: number): number {
  if (Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= MAX_BUSY_TIMEOUT_MS) {
    return milliseconds;
  }
  throw new RangeError(
    `Option "busyTimeoutMs" is "${milliseconds}": use a whole number from 0 to ${MAX_BUSY_TIMEOUT_MS}`,
  );
}

function connect(path: string, busyTimeoutMs: number): Database {
  let db: Database | undefined;
  try {
    if (path !== IN_MEMORY) makeFolder(dirname(path));
    db = new Sqlite(path, { timeout: busyTimeoutMs });
    enableWal(db, busyTimeoutMs);
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (error) {
    db?.close();
    throw openError(path, busyTimeoutMs, error);
  }
}

// When two connections change the mode of one new file at the same time, SQLite fails one of them at once, whatever
// the busy timeout. So the waiting is done here.
function enableWal(db: Database, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      const mode = db.pragma('journal_mode = WAL', { simple: true });
      if (mode === 'wal' || db.memory) return;
      throw new Error(`the file system does not support WAL, the journal mode is still "${String(mode)}"`);
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_RETRY_MS);
    }
  }
}

function openError(path: string, busyTimeoutMs: number, cause: unknown): DatabaseError {
  if (isBusy(cause)) {
    return new DatabaseError(
      'ERR_DATABASE_BUSY',
      `Cannot open database "${path}": another connection kept it locked for ${busyTimeoutMs} ms. ` +
        'Wait until that work is done, or raise "busyTimeoutMs"',
      { cause },
    );
  }
  return new DatabaseError(
    'ERR_DATABASE_OPEN',
    `Cannot open database "${path}": ${errorText(cause)}. ` +
      'Check that it is a SQLite file, or absent, in a writable folder on a local disk',
    { cause },
  );
}
