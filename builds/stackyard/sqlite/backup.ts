// Copies a database that is in use into another file.

import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { resolveDatabasePath } from './database-path.js';
import { DatabaseError, errorText } from './errors.js';
import { makeFolder } from './make-folder.js';

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
