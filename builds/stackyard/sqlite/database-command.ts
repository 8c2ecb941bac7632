// What `npm run db:status` and `npm run db:migrate` do, and copies of a database. The project calls the first from a
// file of its own, because only the project knows all migrations.

import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { assertNodeApi, closeDatabase, IN_MEMORY, makeFolder, openDatabase, resolveDatabasePath } from './database.js';
import { loadEnv } from './env.js';
import { DatabaseError, errorText } from './errors.js';
import { type MigrationStatus, readMigrationStatus } from './migrate.js';
import type { Migrations } from './migration.js';

export interface DatabaseCommandOptions {
  /** Default: the file that SQLITE_PATH names, as for `openDatabase`. */
  readonly file?: string;
  /** Takes a line of output. Default: `console.log`. */
  readonly print?: (line: string) => void;
  /** Takes a line about an error. Default: `console.error`. */
  readonly printError?: (line: string) => void;
}

const USAGE = 'Usage: status (lists the migrations), migrate (applies those that are pending)';

/**
 * Runs `status` or `migrate` on the database. Returns the exit status: 0; 1 when a migration is pending or edited, or
 * after an error; 2 for other arguments.
 */
export function runDatabaseCommand(
  args: readonly string[],
  migrations: Migrations,
  options: DatabaseCommandOptions = {},
): number {
  const print = options.print ?? ((line: string) => console.log(line));
  const printError = options.printError ?? ((line: string) => console.error(line));
  const [command] = args;
  if (args.length !== 1 || (command !== 'status' && command !== 'migrate')) {
    printError(`error: Cannot run "${args.join(' ')}" on the database`);
    printError(USAGE);
    return 2;
  }
  try {
    if (options.file === undefined) loadEnv();
    const path = resolveDatabasePath(options.file, process.env);
    return command === 'status' ? status(path, migrations, print) : applyAll(path, migrations, print);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    printError(`error: ${error.message}`);
    return 1;
  }
}

function status(path: string, migrations: Migrations, print: (line: string) => void): number {
  const states = readStatus(path, migrations);
  print(`Database ${path}`);
  for (const { id, state, appliedAt } of states) print(`${state.padEnd(8)}  ${id}${appliedAt ? `  ${appliedAt}` : ''}`);
  const open = states.filter(({ state }) => state === 'pending' || state === 'edited').length;
  print(open === 0 ? 'Nothing is pending' : `${open} of ${states.length} migrations are pending or edited`);
  return open === 0 ? 0 : 1;
}

// Neither creates the file nor changes it.
function readStatus(path: string, migrations: Migrations): MigrationStatus[] {
  assertNodeApi(process.versions['napi'], process.versions.node);
  const isStored = path !== IN_MEMORY && existsSync(path);
  const db = openReadOnly(isStored ? path : IN_MEMORY);
  try {
    return readMigrationStatus(db, migrations);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw unreadable(path, error);
  } finally {
    db.close();
  }
}

function openReadOnly(path: string): Sqlite.Database {
  try {
    return new Sqlite(path, { readonly: path !== IN_MEMORY });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): DatabaseError {
  return new DatabaseError('ERR_DATABASE_OPEN', `Cannot read database "${path}": ${errorText(cause)}`, { cause });
}

function applyAll(path: string, migrations: Migrations, print: (line: string) => void): number {
  const db = openDatabase(path, { migrations });
  try {
    for (const id of db.appliedMigrations) print(`applied   ${id}`);
    if (db.appliedMigrations.length === 0) print('Nothing is pending');
    return 0;
  } finally {
    closeDatabase(db);
  }
}

/**
 * Writes a copy of `db` to the file `to` while `db` stays in use, and resolves when the copy is complete. An older copy
 * there is replaced in one step, so that `to` never contains half a database. Throws `ERR_DATABASE_BACKUP`.
 */
export async function backupDatabase(db: Sqlite.Database, to: string): Promise<void> {
  const path = resolveDatabasePath(to, {});
  if (path === ':memory:' || path === resolve(db.name)) {
    throw backupError(db, path, 'the copy must be another file than the database');
  }
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    makeFolder(dirname(path));
    await db.backup(partial);
    renameSync(partial, path);
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
    throw backupError(db, path, errorText(error), error);
  }
}

function backupError(db: Sqlite.Database, path: string, reason: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'ERR_DATABASE_BACKUP',
    `Cannot copy database "${db.name}" to "${path}": ${reason}. ` +
      'Use the path of a file in a writable folder with enough space',
    { cause },
  );
}
