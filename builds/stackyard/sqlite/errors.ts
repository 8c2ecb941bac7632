// The errors that this folder throws itself, each with a stable code to test for.
// Errors of your own SQL keep the class and the code that better-sqlite3 gives them.

export type DatabaseErrorCode =
  | 'ERR_DATABASE_BACKUP'
  | 'ERR_DATABASE_BUSY'
  | 'ERR_DATABASE_NODE_TOO_OLD'
  | 'ERR_DATABASE_OPEN'
  | 'ERR_DATABASE_PATH'
  | 'ERR_MIGRATION_DUPLICATE'
  | 'ERR_MIGRATION_EDITED'
  | 'ERR_MIGRATION_FAILED'
  | 'ERR_MIGRATION_FOREIGN_KEY'
  | 'ERR_MIGRATION_ID'
  | 'ERR_MIGRATION_IN_TRANSACTION'
  | 'ERR_MIGRATION_SQL'
  | 'ERR_MIGRATION_TABLE';

/** An operation of this folder failed. `code` is stable, `cause` is the error that caused it, if any. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message);
    this.code = code;
    // As the second parameter of `Error` does, which the types of ES2020 do not have.
    if (options.cause === undefined) return;
    Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
  }
}

const UNIQUE_VIOLATIONS: readonly unknown[] = [
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
];

/** Whether SQLite refused a write because a unique column or a primary key already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.includes(sqliteCode(error));
}

/** Whether SQLite gave up because another connection held a lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/** The text of anything that was thrown, for use inside another message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sqliteCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
