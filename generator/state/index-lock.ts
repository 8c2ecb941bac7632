/**
 * One run at a time writes an index, whatever its state file is: an exclusive lock on an empty SQLite file beside the index. The system
 * releases it when the process ends, also by a crash.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { GeneratorError } from '../errors.ts';
import { isSqliteError } from './statements.ts';

/** A run that ends is waited for. */
const WAIT_MS = 1_000;

/**
 * Locks the index at `out`, whose folder it makes where there is none.
 * @returns what releases the lock
 * @throws {GeneratorError} `ERR_INDEX_BUSY` while another run has the lock, `ERR_STATE` when the file cannot be made
 */
export function lockIndex(out: string): () => void {
  mkdirSync(out, { recursive: true });
  // The same for all names of the folder.
  const folder = realpathSync(out);
  const file = join(dirname(folder), `.${basename(folder)}.lock`);
  let db: Database.Database | undefined;
  try {
    const lock = (db = new Database(file, { timeout: WAIT_MS }));
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (cause) {
    db?.close();
    if (isSqliteError(cause, /BUSY|LOCKED/)) {
      const problem = `Cannot write the index at "${out}": another run writes it`;
      throw new GeneratorError('ERR_INDEX_BUSY', problem, { cause, hint: 'wait for it to end' });
    }
    if (!isSqliteError(cause, /./)) throw cause;
    throw new GeneratorError('ERR_STATE', `Cannot open the lock file "${file}": ${String(cause)}`, {
      cause,
      hint: 'the folder that holds the folder of the index must be writable, too',
    });
  }
}
