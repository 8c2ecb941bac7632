// What the errors of both databases mean for a caller. Errors of a statement itself, such as a violated constraint,
// stay as better-sqlite3 and pg throw them.

/** The database is unavailable or busy: the same call may succeed later. A foundation answers it with 503. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly code = 'database_unavailable';
  readonly status = 503;
  readonly expose = true;
  readonly headers = { 'Retry-After': '5' };

  constructor(cause: unknown) {
    super('The database is unavailable. Try again later');
    // As the second parameter of `Error` does, which the types of ES2020 do not have.
    Object.defineProperty(this, 'cause', { value: cause, writable: true, configurable: true });
  }
}

const UNIQUE_VIOLATION = /^(?:23505|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID))$/;

/** Whether the database refused a write because a unique column or a primary key already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION.test(codeOf(error));
}

// Serialization failure and deadlock of PostgreSQL: the transaction is to be repeated.
export function isRepeatable(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error));
}

// SQLSTATE classes 08 connection, 53 out of resources, 57 operator intervention, 58 system; lock not available, an
// unknown result, and a server that became a read-only copy. Codes of the network, and those of a locked or full file
// of SQLite.
const AWAY = [
  /^(?:08...|53...|57...|58...|40001|40P01|55P03|40003|25006)$/,
  /^(?:E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_)\w*|ENOTFOUND|ERR_DATABASE_(?:BUSY|TIMEOUT|UNAVAILABLE))$/,
  /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/,
];
// `pg` has no codes for its own errors.
const BROKEN = [
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection (?:terminated|ended))/,
  /^(?:Client has encountered a connection error|Client was closed)/,
];

/** A `SqlError` for an error that says nothing about the statement but about the database; others as they are. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SqlError) return error;
  const code = codeOf(error);
  const isAway = AWAY.some((pattern) => pattern.test(code)) || BROKEN.some((pattern) => pattern.test(error.message));
  return isAway ? new SqlError(error) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
