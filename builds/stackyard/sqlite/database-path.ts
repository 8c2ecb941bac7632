// Which file a database is in.

import { resolve } from 'node:path';
import { DatabaseError } from './errors.js';

/** The name of a database that is kept in memory only. */
export const IN_MEMORY = ':memory:';

const DEFAULT_FILE = './data/app.db';

// Two letters at least, so that a drive such as `C:` is not taken for a scheme.
const URL_SCHEME = /^[a-z][a-z0-9+.-]+:/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** The absolute path to open, or `:memory:`. Without `file` that of SQLITE_PATH, where an empty value counts as absent. */
export function resolveDatabasePath(file: string | undefined, env: Environment): string {
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
