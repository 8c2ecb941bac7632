/** What SQLite's failures mean. */
import Database from 'better-sqlite3';
import { GeneratorError } from './errors.ts';

/** Whether SQLite failed with a code that the expression matches. */
export function isSqliteError(error: unknown, code: RegExp): boolean {
  return error instanceof Database.SqliteError && code.test(error.code);
}

/** What a failure to open the state means to whoever runs the generator. */
export function explainSqlite(error: unknown, file: string): unknown {
  if (!isSqliteError(error, /./)) return error;
  const isBusy = isSqliteError(error, /BUSY|LOCKED/);
  const problem = isBusy ? 'another run is at work' : String(error);
  return new GeneratorError('ERR_STATE', `Cannot open the state file "${file}": ${problem}`, {
    cause: error,
    hint: isBusy ? 'wait for it to end' : 'delete the file: it is only a cache',
  });
}
