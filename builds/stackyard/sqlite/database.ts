// Opens and closes the SQLite database: the one of the application, or any other. Refuses a Node that is too old,
// makes the folder, and sets the pragmas that every connection needs. The schema is created in migrate.ts.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { loadEnv } from './env.js';
import { DatabaseError, errorText, isBusy } from './errors.js';
import { migrate } from './migrate.js';
import type { Migrations } from './migration.js';

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
 * Opens a database file, or `:memory:`, and creates it and its folder when absent. Without `file`, opens the one that
 * SQLITE_PATH names, else `./data/app.db`, or `:memory:` where NODE_ENV is `test`. Relative paths start at the
 * working directory.
 */
export function openDatabase(file?: string, options: OpenOptions = {}): OpenedDatabase {
  assertNodeApi(process.versions['napi'], process.versions.node);
  const busyTimeoutMs = checkBusyTimeout(options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS);
  if (file === undefined) loadEnv();
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

/** The name of a database that is kept in memory only. */
export const IN_MEMORY = ':memory:';

const DEFAULT_FILE = './data/app.db';

// Two letters at least, so that a drive such as `C:` is not taken for a scheme.
const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * The absolute path to open, or `:memory:`. Without `file` that of SQLITE_PATH, where an empty value counts as
 * absent; without that, `:memory:` where NODE_ENV is `test`, so that tests never write the database of a developer,
 * else `./data/app.db`.
 */
export function resolveDatabasePath(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const usual = env['NODE_ENV'] === 'test' ? IN_MEMORY : DEFAULT_FILE;
  const path = (file ?? (env['SQLITE_PATH']?.trim() || usual)).trim();
  if (path === IN_MEMORY) return path;
  // SQLite would open a temporary database for an empty path and lose the data on close.
  if (path === '' || URL_SCHEME.test(path)) {
    throw new DatabaseError(
      'ERR_DATABASE_PATH',
      `Cannot open database "${path}": this is not a file path. ` +
        `Use a path such as "${DEFAULT_FILE}", or "${IN_MEMORY}"`,
    );
  }
  return resolve(path);
}

/**
 * Makes `folder`, an absolute path, and the missing folders above it. Not by `mkdirSync` with `recursive`: where the
 * system accepts no folder, as below /proc, that call never returns in some versions of Node. Throws the error of the
 * system.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  // Ends at the root at the latest, which is its own parent and exists.
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it since.
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}

/** The Node-API version that the binaries of better-sqlite3 13 are built for. */
const REQUIRED_NODE_API = 10;

/**
 * Throws `ERR_DATABASE_NODE_TOO_OLD` unless `napiVersion` (see `process.versions.napi`) is at least 10. On an older
 * Node the process would be killed by SIGSEGV, without a message, as soon as a database is opened.
 */
export function assertNodeApi(napiVersion: string | undefined, nodeVersion: string): void {
  // Written so that a missing version, which becomes NaN, is refused as well.
  if (Number(napiVersion) >= REQUIRED_NODE_API) return;
  throw new DatabaseError(
    'ERR_DATABASE_NODE_TOO_OLD',
    `Cannot open a database on Node "${nodeVersion}" with Node-API "${napiVersion ?? 'none'}": ` +
      `better-sqlite3 13 needs Node-API ${REQUIRED_NODE_API}. ` +
      'Use Node 22.14.0 or newer (on the 23 line, 23.6.0 or newer)',
  );
}
