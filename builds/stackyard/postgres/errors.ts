// The errors of this folder, each with a stable code, and what the errors of PostgreSQL mean for the application.
// Errors of your own SQL, such as a violated constraint, keep the class and the SQLSTATE that `pg` gives them.

import pg from 'pg';

export type DatabaseErrorCode =
  | 'ERR_DATABASE_BUSY'
  | 'ERR_DATABASE_ROLLED_BACK'
  | 'ERR_DATABASE_TIMEOUT'
  | 'ERR_DATABASE_UNAVAILABLE'
  | 'ERR_DATABASE_URL'
  | 'ERR_MIGRATION_DUPLICATE'
  | 'ERR_MIGRATION_EDITED'
  | 'ERR_MIGRATION_FAILED'
  | 'ERR_MIGRATION_ID'
  | 'ERR_MIGRATION_SQL'
  | 'ERR_MIGRATION_TABLE';

const TRY_LATER: ReadonlySet<DatabaseErrorCode> = new Set([
  'ERR_DATABASE_BUSY',
  'ERR_DATABASE_TIMEOUT',
  'ERR_DATABASE_UNAVAILABLE',
]);

/** An operation of this folder failed. `code` is stable, `cause` is the error that caused it, if any. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: DatabaseErrorCode;
  /** The HTTP status that fits: 503 where the same request may succeed later, else 500. */
  readonly status: 500 | 503;

  constructor(code: DatabaseErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message);
    this.code = code;
    this.status = TRY_LATER.has(code) ? 503 : 500;
    // As the second parameter of `Error` does, which the types of ES2020 do not have.
    if (options.cause === undefined) return;
    Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
  }
}

/**
 * SQLSTATE of an error of the database, such as `23505`, also of one that a `DatabaseError` has as its cause; else
 * `''`.
 */
export function sqlState(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? '';
  return error instanceof DatabaseError && 'cause' in error ? sqlState(error.cause) : '';
}

/** Whether PostgreSQL refused a write because a unique column or a primary key already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** Whether the database could not be reached or could not work now: the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && TRY_LATER.has(error.code);
}

/** Serialization failure and deadlock. Distributed databases answer the former whenever two transactions meet. */
export const RETRIED: ReadonlySet<string> = new Set(['40001', '40P01']);

const CANCELLED = '57014';
// Too many connections, and a lock that was not to be had in time.
const BUSY: ReadonlySet<string> = new Set(['53300', '55P03']);
// Classes 08 connection, 53 out of resources (a full disk), 57 operator intervention, 58 system; a result that is
// unknown (40003), and a server that became a read-only copy (25006).
const AWAY = /^(?:08...|53...|57...|58...|40003|25006)$/;

// `pg` has no codes for its own errors.
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';
const READ_TIMEOUT = 'Query read timeout';
const BROKEN = /^(?:Connection (?:terminated|ended)|Client (?:has encountered a connection error|was closed))/;

/**
 * The `DatabaseError` for an error that says nothing about the statement but about the database; others as they are.
 */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const state = sqlState(error);
  if (state === CANCELLED || error.message === READ_TIMEOUT) {
    const message = 'The statement took too long and was given up. Make it faster, or raise "statementTimeoutMs"';
    return new DatabaseError('ERR_DATABASE_TIMEOUT', message, { cause: error });
  }
  if (error.message === POOL_EXHAUSTED) {
    const message = 'No connection became free in time. Keep transactions short, and release what you take';
    return new DatabaseError('ERR_DATABASE_BUSY', message, { cause: error });
  }
  if (BUSY.has(state) || RETRIED.has(state)) {
    const message = `The database is busy: ${errorText(error)}. Try again`;
    return new DatabaseError('ERR_DATABASE_BUSY', message, { cause: error });
  }
  return AWAY.test(state) || BROKEN.test(error.message) ? unavailable(error) : error;
}

export function unavailable(cause: unknown): DatabaseError {
  const message = `The database is unavailable: ${errorText(cause)}. Start it, or correct DATABASE_URL`;
  return new DatabaseError('ERR_DATABASE_UNAVAILABLE', message, { cause });
}

/** The text of anything that was thrown, for use inside another message. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of a host with several addresses, each of which failed, Node gives an error without a message.
  return error.message || String((error as { readonly code?: unknown }).code ?? error.name);
}
