// A database of its own for each test file, on the server that DATABASE_URL names: tests neither see each other nor the
// data of the developer.

import { randomBytes } from 'node:crypto';
import { closeDatabase, createPool, type Database, useDatabase } from './database.js';
import { DatabaseError, errorText } from './errors.js';
import { migrate, type Migrations } from './migrate.js';
import { query } from './transaction.js';

export interface TestDatabase {
  readonly db: Database;
  /** Closes the connections and deletes the database. */
  readonly drop: () => Promise<void>;
}

export interface TestDatabaseOptions {
  /** Applied before the database is returned. Default: none. */
  readonly migrations?: Migrations;
  /** A database of the server, whose role may create databases. Default: DATABASE_URL, else the variables of libpq. */
  readonly url?: string;
}

const PREFIX = 'stackyard_test_';
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
// Shorter than a test may take.
const CONNECT_TIMEOUT_MS = 2000;

/**
 * Creates an empty database and makes it the one that `database()` gives. Deletes those that earlier runs, which were
 * killed, have left behind for more than a day.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const url = options.url ?? process.env['DATABASE_URL'] ?? '';
  const name = `${PREFIX}${Date.now()}_${randomBytes(6).toString('hex')}`;
  const server = createPool({ url, max: 1, statementTimeoutMs: 0, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  let db: Database | undefined;
  const drop = async (): Promise<void> => {
    try {
      await closeDatabase(db);
      await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, [], server);
    } finally {
      await closeDatabase(server);
    }
  };
  try {
    await dropOld(server);
    await query(`CREATE DATABASE ${name}`, [], server);
  } catch (error) {
    await closeDatabase(server);
    throw withoutServer(error);
  }
  try {
    db = createPool({ url, database: name });
    if (options.migrations) await migrate(db, options.migrations);
  } catch (error) {
    await drop();
    throw error;
  }
  useDatabase(db);
  return { db, drop };
}

function withoutServer(cause: unknown): DatabaseError {
  const message =
    `Tests need a PostgreSQL server and a role that may create databases. ${errorText(cause)}. They do not read ` +
    '.env. A server for them: docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=postgres postgres:17, then set in the ' +
    'environment DATABASE_URL=postgres://postgres:postgres@localhost:5432/postgres';
  return new DatabaseError('ERR_DATABASE_UNAVAILABLE', message, { cause });
}

async function dropOld(server: Database): Promise<void> {
  const found = await query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^${PREFIX}[0-9]+_[0-9a-f]+$'`,
    [],
    server,
  );
  for (const { name } of found) {
    if (Date.now() - Number(name.slice(PREFIX.length).split('_')[0]) < MAX_AGE_MS) continue;
    // Another run may delete the same one, or a test may have stayed open on it.
    await query(`DROP DATABASE IF EXISTS ${name}`, [], server).catch(() => {});
  }
}
