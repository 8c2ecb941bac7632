/** What SQLite refuses, as our errors. */
import Database from 'better-sqlite3';
import { GeneratorError } from '../errors.ts';

/** Whether `error` is SQLite's and its code matches. */
export function isSqliteError(error: unknown, code: RegExp): boolean {
  return error instanceof Database.SqliteError && code.test(error.code);
}

/**
 * `error` as an error about the state file `file`; one that is not SQLite's stays as it is.
 * @param hint the way out when it is not another run that holds the file
 */
export function explainSqlite(error: unknown, file: string, hint: string): unknown {
  if (!isSqliteError(error, /./)) return error;
  const isBusy = isSqliteError(error, /BUSY|LOCKED/);
  const problem = isBusy ? 'another run is at work' : String(error);
  return new GeneratorError('ERR_STATE', `Cannot open the state file "${file}": ${problem}`, {
    cause: error,
    hint: isBusy ? 'wait for it to end' : hint,
  });
}
