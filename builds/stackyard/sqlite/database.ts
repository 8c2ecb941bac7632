// Opens and closes the SQLite database: finds the file, guards against a Node that is too old, and sets the pragmas
// that every connection needs. The schema is the business of migrate.ts.

import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DatabaseError, errorText, isBusy } from './errors.js';
import { migrate } from './migrate.js';
import type { Migration } from './migration.js';
import { assertNodeApi } from './node-api.js';

/** An open connection: a `Database` of better-sqlite3. */
export type Database = Sqlite.Database;

export interface OpenOptions {
  /** Applied before the connection is returned, see `migrate`. */
  readonly migrations?: readonly Migration[];
  /** How long a statement waits for another connection's lock, in milliseconds. Default: 5000. */
  readonly busyTimeoutMs?: number;
}

const DEFAULT_FILE = './data/app.db';
const DEFAULT_BUSY_TIMEOUT_MS = 5000;
const MAX_BUSY_TIMEOUT_MS = 0x7fffffff;
const WAL_RETRY_MS = 10;
const IN_MEMORY = ':memory:';

// Two letters at least, so that a drive such as `C:` is not taken for a scheme.
const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * Opens a database file, or `:memory:`, and creates it and its folder when absent.
 * Without `file`, opens the one that SQLITE_PATH names, else `./data/app.db`. Relative paths start at the working
 * directory.
 */
export function openDatabase(file?: string, options: OpenOptions = {}): Database {
  assertNodeApi(process.versions['napi'], process.versions.node);
  const busyTimeoutMs = checkBusyTimeout(options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS);
  const path = resolveDatabasePath(file, process.env);
  const db = connect(path, busyTimeoutMs);
  try {
    if (options.migrations) migrate(db, options.migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Closes the connection; closing a closed one does nothing. An open transaction is rolled back. */
export function closeDatabase(db: Database): void {
  if (!db.open) return;
  try {
    // Refreshes the statistics of the query planner where that pays. Only a favour: it must neither wait nor fail.
    db.pragma('busy_timeout = 0');
    if (!db.inTransaction) db.pragma('optimize');
  } catch {
    // Another process is writing, or a statement is still running: the next close does it.
  }
  // The last connection to close also moves the WAL into the database file and removes it.
  db.close();
}

/** The absolute path to open, or `:memory:`. An empty SQLITE_PATH counts as absent. */
export function resolveDatabasePath(file: string | undefined, env: NodeJS.ProcessEnv): string {
  const path = (file ?? (env['SQLITE_PATH']?.trim() || DEFAULT_FILE)).trim();
  if (path === IN_MEMORY) return path;
  // SQLite would open a temporary database for an empty path and lose the data on close.
  if (path === '' || URL_SCHEME.test(path)) {
    throw new DatabaseError(
      'ERR_DATABASE_PATH',
      `Cannot open database "${path}": this is not a file path. Use a path such as "${DEFAULT_FILE}", or "${IN_MEMORY}"`,
    );
  }
  return resolve(path);
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
    if (path !== IN_MEMORY) mkdirSync(dirname(path), { recursive: true });
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
