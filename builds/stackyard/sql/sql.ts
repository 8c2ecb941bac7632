// Statements and transactions that read the same on both databases.

import { explain, isRepeatable } from './errors.js';

/** Times are integers of milliseconds, truth values 0 and 1, JSON is text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** What is used of a `Database` of better-sqlite3. */
export interface SqliteDatabase {
  prepare(text: string): { readonly reader: boolean; all(...values: any[]): unknown[]; run(...values: any[]): unknown };
  transaction(work: () => void): { immediate(): void };
}

/** What is used of a `PoolClient` of pg. */
export interface PgClient {
  query(text: string, values?: any[]): Promise<PgResult>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(broken?: boolean): void;
}

interface PgResult {
  readonly rows: any[];
  readonly command: string;
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What is used of a `Pool` of pg. */
export interface PgPool {
  connect(): Promise<PgClient>;
}

/** A connection on which the caller has begun a transaction. */
export type Connection = SqliteDatabase | Pick<PgClient, 'query'>;

/** One statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The steps of a transaction: each yields a statement and is given its rows. */
export type Steps<T> = () => Generator<Statement, T, unknown[]>;

export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs one statement, whose parameters are `$1`, `$2` ..., and gives the rows of a SELECT or of RETURNING, else none.
   * BIGINT and sums are numbers, truth values 0 and 1. On SQLite it has run when the call returns. Rejects with a
   * `SqlError` where the database is unavailable, and as the driver does where the statement is wrong. On PostgreSQL
   * repeated after a deadlock.
   */
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * Runs what `steps` yields in one transaction, committed when it returns and rolled back when it throws. On SQLite
   * nothing else of this connection comes between. A statement that fails ends it: `catch` in `steps` does not see the
   * error. On PostgreSQL `steps` runs again after a serialization failure or a deadlock, so it must change nothing but
   * the database.
   */
  transaction<T>(steps: Steps<T>): Promise<T>;
  /**
   * The same on a connection of the caller, in the transaction that it has open there. On SQLite a statement that fails
   * throws at once, so that it ends that transaction.
   */
  on(connection: Connection): Pick<Sql, 'query'>;
}

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 10;

/** SQL on the database of the application, which is asked for at each call: `createSql(database)`. */
export function createSql(database: () => SqliteDatabase | PgPool): Sql {
  return {
    get dialect() {
      return isSqlite(database()) ? 'sqlite' : 'postgres';
    },
    async query<Row extends object>(text: string, values: readonly SqlValue[] = []) {
      const db = database();
      if (isSqlite(db)) return attempt(() => runOnSqlite<Row>(db, { text, values }));
      return repeat(() => withClient(db, (client) => runOnPg<Row>(client, { text, values })));
    },
    async transaction<T>(steps: Steps<T>) {
      const db = database();
      if (isSqlite(db)) return attempt(() => transactOnSqlite(db, steps));
      return repeat(() => withClient(db, (client) => transactOnPg(client, steps)));
    },
    on: (connection) => ({
      query<Row extends object>(text: string, values: readonly SqlValue[] = []) {
        if (!isSqlite(connection)) return runOnPg<Row>(connection, { text, values });
        // In a transaction of SQLite nothing waits for a promise: a failure is thrown.
        return Promise.resolve(runOnSqlite<Row>(connection, { text, values }));
      },
    }),
  };
}

/** One step of a transaction: `const [row] = yield* statement<Row>('SELECT a FROM t WHERE id = $1', [id])`. */
export function* statement<Row extends object>(
  text: string,
  values: readonly SqlValue[] = [],
): Generator<Statement, Row[], unknown[]> {
  return (yield { text, values }) as Row[];
}

function isSqlite(database: Connection | PgPool): database is SqliteDatabase {
  return 'prepare' in database;
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

function runOnSqlite<Row>(db: SqliteDatabase, { text, values }: Statement): Row[] {
  const prepared = db.prepare(text);
  // `$1` is a parameter of SQLite that has the name `1`.
  const named = values.length > 0 ? [Object.fromEntries(values.map((value, index) => [index + 1, value]))] : [];
  if (prepared.reader) return prepared.all(...named) as Row[];
  prepared.run(...named);
  return [];
}

function transactOnSqlite<T>(db: SqliteDatabase, steps: Steps<T>): T {
  let result: { readonly value: T } | undefined;
  // IMMEDIATE takes the lock for writing first: a later one would fail at once where another process has written since.
  db.transaction(() => {
    const running = steps();
    let next = running.next();
    while (next.done !== true) next = running.next(orEnd(running, next.value, (step) => runOnSqlite(db, step)));
    result = { value: next.value };
  }).immediate();
  return result!.value;
}

// Lets `finally` in the steps run, and passes the error on to the caller of the transaction.
function orEnd<T, R>(running: Generator<Statement, T, unknown[]>, step: Statement, run: (step: Statement) => R): R {
  try {
    return run(step);
  } catch (error) {
    running.return(undefined as T);
    throw error;
  }
}

/** The types boolean, int8 and numeric. */
const CONVERTED = [16, 20, 1700];

async function runOnPg<Row>(client: Pick<PgClient, 'query'>, { text, values }: Statement): Promise<Row[]> {
  const { rows, fields } = await client.query(text, [...values]);
  // As SQLite gives them; pg gives text for numbers of 64 bits, and true and false.
  const converted = fields.filter(({ dataTypeID }) => CONVERTED.includes(dataTypeID));
  for (const row of rows) for (const { name } of converted) if (row[name] !== null) row[name] = Number(row[name]);
  return rows;
}

async function transactOnPg<T>(client: PgClient, steps: Steps<T>): Promise<T> {
  await client.query('BEGIN');
  let value: T;
  try {
    const running = steps();
    let next = running.next();
    while (next.done !== true) {
      const step = next.value;
      const rows = await runOnPg<unknown>(client, step).catch((error: unknown) => {
        running.return(undefined as T);
        throw error;
      });
      next = running.next(rows);
    }
    value = next.value;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  await client.query('COMMIT');
  return value;
}

// Lends a connection, and takes it out of the pool where it may be broken.
async function withClient<T>(pool: PgPool, work: (client: PgClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw explain(error);
  });
  // A connection that breaks while in use reports it here as well as to its statement; nobody else listens.
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on('error', onError);
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    const explained = isRepeatable(error) ? error : explain(lost ?? error);
    isBroken = lost !== undefined || (explained !== error && !isRepeatable(error));
    throw explained;
  } finally {
    client.off('error', onError);
    client.release(isBroken);
  }
}

async function repeat<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isRepeatable(error)) throw explain(error);
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries * Math.random()));
  }
}
