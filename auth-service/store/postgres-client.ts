// Connections to PostgreSQL, or to another database of its protocol: statements that are retried when the
// database requests it, and one error for every way in which it can be unavailable.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresConfig } from '../database-url.ts';
import { AuthServiceError } from '../answer.ts';
import type { StoreLog } from './store.ts';

/** One statement. The name is unique within the service. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** How many rows were found or changed. */
  readonly count: number;
}

/** Runs one statement, which is its own transaction. Rejects with `ERR_STORE_UNAVAILABLE` or as the driver does. */
export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values?: readonly unknown[],
) => Promise<Rows<Row>>;

export interface PostgresClient {
  readonly run: RunStatement;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3000;
const QUERY_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_LIFETIME_SECONDS = 1800;

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 10;

// Serialization failure and deadlock. Distributed databases answer the former whenever two transactions meet.
const TRY_AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);

// Classes 08 connection, 53 out of resources, 57 operator intervention, 58 system; a result that is unknown (40003),
// a cancelled statement (57014) and a server that became a read-only copy (25006).
const AWAY = /^(?:08...|53...|57...|58...|40003|25006)$/;

/** Connects when the first statement runs; an unavailable database rejects it with `ERR_STORE_UNAVAILABLE`. */
export function createPostgresClient(config: PostgresConfig, log: StoreLog): PostgresClient {
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.poolSize,
    application_name: 'stackyard-auth',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // On the client side: a pooler may refuse settings of the connection.
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    keepAlive: true,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error) => log.warn(`A database connection was lost: ${error.message}`));

  async function runOnce(text: string, name: string, values: readonly unknown[]) {
    const connection = await connect(pool);
    // A connection that breaks while in use reports it here as well as to its statement.
    const ignore = () => {};
    connection.on('error', ignore);
    let isUsable = true;
    try {
      return await connection.query({
        text,
        values: [...values],
        ...(config.prepared && { name }),
      });
    } catch (error) {
      // After an error of the database itself the connection is still usable.
      isUsable = error instanceof pg.DatabaseError && !AWAY.test(sqlState(error));
      throw translate(error);
    } finally {
      connection.off('error', ignore);
      connection.release(!isUsable);
    }
  }

  return {
    async run({ name, text }, values = []) {
      const { rows, rowCount } = await tryAgain(() => runOnce(text, name, values));
      return { rows, count: rowCount ?? 0 };
    },
    close: () => pool.end(),
  };
}

/** SQLSTATE of an error of the database, such as `23505`; `""` for other errors. */
export function sqlState(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // For every reason, a wrong password included: an operator corrects it, and the next connection may succeed.
    throw unavailable(error);
  }
}

async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!TRY_AGAIN.has(sqlState(error))) throw error;
      if (tries === MAX_TRIES) throw unavailable(error);
    }
    await sleep(FIRST_PAUSE_MS * 2 ** tries * Math.random());
  }
}

// The driver throws plain errors for connections that break or time out.
function translate(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof pg.DatabaseError)
    return AWAY.test(sqlState(error)) ? unavailable(error) : error;
  return unavailable(error);
}

function unavailable(cause: unknown): AuthServiceError {
  const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new AuthServiceError('ERR_STORE_UNAVAILABLE', `The database is not available${reason}`, {
    cause,
  });
}
