// The errors of the service. A problem in a request is an error of the account module; errors of the databases keep the
// classes that their builds give them.

import { isUnavailable as isPostgresUnavailable } from '../builds/stackyard/postgres/index.ts';

/** The environment cannot be read. The message lists all problems and holds no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'ERR_CONFIG';
}

// The file cannot be used at the moment: locked for longer than the wait, on a disk that is full or failing.
const SQLITE_UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOMEM)/;

/** Whether the database is unavailable: the request may succeed later, nothing is wrong with the service. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return isPostgresUnavailable(error) || SQLITE_UNAVAILABLE.test(String(code));
}
