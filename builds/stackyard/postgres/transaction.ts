// Statements and transactions: retried where PostgreSQL asks for it, on a connection that is given back whatever
// happens, with one error for every way in which the database can be unavailable.

import type pg from 'pg';
import { type Database, database } from './database.js';
import { DatabaseError, explain, RETRIED, sqlState, unavailable } from './errors.js';

/** One connection, for the statements of a transaction: `await connection.query(text, values)`. */
export type Connection = pg.PoolClient;

export type Row = pg.QueryResultRow;

export interface TransactionOptions {
  /** Default: that of the application. */
  readonly db?: Database;
  /** Default: that of the database, which is `read committed` unless it was changed. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
}

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 10;

/**
 * Runs one statement, which is its own transaction, and gives its rows. Rejects with a `DatabaseError` (status 503)
 * when the database is unavailable, and as pg does when the statement is wrong. Retried after a serialization failure
 * or a deadlock.
 */
export async function query<R extends Row = Row>(
  text: string,
  values: readonly unknown[] = [],
  db: Database = database(),
): Promise<readonly R[]> {
  const run = (connection: Connection) => connection.query<R>(text, [...values]);
  return (await retry(() => withConnection(db, run))).rows;
}

/**
 * Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. After a serialization failure
 * or a deadlock `work` is called again, so it must change nothing but the database. Use the connection that it is
 * given: a statement on `database()` is not part of the transaction.
 */
export async function transaction<T>(
  work: (connection: Connection) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const db = options.db ?? database();
  return retry(() => withConnection(db, (connection) => runTransaction(connection, work, begin(db, options))));
}

/** For readiness: rejects with a `DatabaseError` unless the database answers and takes writes. */
export async function checkDatabase(db: Database = database()): Promise<void> {
  const text = "SELECT current_setting('transaction_read_only') AS value";
  const [row] = await query<{ readonly value: string }>(text, [], db);
  if (row?.value === 'on') throw unavailable(new Error('it takes no writes (transaction_read_only is on)'));
}

/** As `transaction`, once, and with what `BEGIN` is sent with. */
export async function runTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  beginText: string,
): Promise<T> {
  await connection.query(beginText);
  let result: T;
  try {
    result = await work(connection);
  } catch (error) {
    // Where this fails the connection is broken, and is not used again.
    await connection.query('ROLLBACK');
    throw error;
  }
  const { command } = await connection.query('COMMIT');
  // PostgreSQL answers so, without an error, when an earlier statement failed and its error was caught.
  if (command !== 'ROLLBACK') return result;
  const message =
    'The transaction was rolled back: one of its statements failed, and its error was caught. Let the error reject ' +
    'the work, or put the statement behind a SAVEPOINT';
  throw new DatabaseError('ERR_DATABASE_ROLLED_BACK', message);
}

/** Lends a connection, and takes it out of the pool where it cannot be used again. */
export async function withConnection<T>(db: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await db.connect().catch((error: unknown) => {
    const explained = explain(error);
    // For every reason, a wrong password included: an operator corrects it, and the next connection may succeed.
    throw explained === error ? unavailable(error) : explained;
  });
  // A connection that breaks while in use reports it here as well as to its statement; nobody else listens.
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  connection.on('error', onError);
  let isUsable = true;
  try {
    return await work(connection);
  } catch (error) {
    const explained = lost === undefined ? explain(error) : unavailable(lost);
    isUsable = !(explained instanceof DatabaseError) || explained.code === 'ERR_DATABASE_ROLLED_BACK';
    throw explained;
  } finally {
    connection.off('error', onError);
    connection.release(!isUsable);
  }
}

function begin(db: Database, { isolation }: TransactionOptions): string {
  const level = isolation === undefined ? '' : ` ISOLATION LEVEL ${isolation.toUpperCase()}`;
  const timeoutMs = Number(db.options.query_timeout ?? 0);
  return `BEGIN${level}${timeoutMs > 0 ? `; SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)}` : ''}`;
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !RETRIED.has(sqlState(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries * Math.random()));
  }
}
