// Brings a database up to a list of migrations. Several builds bring lists of their own; the ids of all of them live in
// one table, `_migrations`. Forward only.
//
//   { id: '0001_blog_create_posts', up: 'CREATE TABLE posts (...)' }

import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from './database.js';
import { DatabaseError, errorText, sqlState } from './errors.js';
import { type Connection, query, runTransaction, withConnection } from './transaction.js';

/** One step of the schema. Never edit one that has been applied anywhere: add another instead. */
export interface Migration {
  /** Four digits and lower-case words, such as `0001_blog_create_posts`. Name the build: all ids share one table. */
  readonly id: string;
  /**
   * One or more statements, without BEGIN or COMMIT; or a function, for data that SQL alone cannot convert. An edit of
   * SQL is noticed, an edit of a function is not.
   */
  readonly up: string | ((connection: Connection) => Promise<unknown>);
}

/** Migrations in the order in which they are applied; a list in it, such as that of a build, counts as its elements. */
export type Migrations = readonly (Migration | readonly Migration[])[];

export interface MigrateOptions {
  /**
   * How long to wait for another process that is migrating, and for the lock of a table that others use, in
   * milliseconds. Default: 60,000.
   */
  readonly lockTimeoutMs?: number;
}

export interface MigrationStatus {
  readonly id: string;
  /**
   * `edited`: the SQL is another one than was applied. `unlisted`: applied, and not in the list, as when a newer
   * version of the program has run on this database, or a build was removed.
   */
  readonly state: 'applied' | 'pending' | 'edited' | 'unlisted';
  /** UTC, such as `2026-11-21T09:30:00.000Z`; absent for `pending`. */
  readonly appliedAt?: string;
}

interface AppliedRow {
  readonly id: string;
  readonly checksum: string;
  readonly applied_at: Date | string;
}

// Always four digits: with more or fewer, order by name would no longer be order by number.
const MIGRATION_ID = /^[0-9]{4}(?:_[a-z0-9]+)+$/;

// The lock of all processes that migrate one database: an arbitrary number, "stackyar" in ASCII. One lock for all
// schemas.
const ADVISORY_LOCK = '8319663880752228722';
const DEFAULT_LOCK_TIMEOUT_MS = 60_000;
// A migration takes as long as it takes: the limit of the pool is for requests.
const NO_TIMEOUT_MS = 0x7fffffff;

const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';
const INSUFFICIENT_PRIVILEGE = '42501';
// What PostgreSQL answers to BEGIN, COMMIT, ROLLBACK and SAVEPOINT in a DO statement.
const TRANSACTION_STATEMENT: ReadonlySet<string> = new Set(['0A000', '2D000', '3B001']);

/**
 * Applies the migrations that `db` does not have yet, in order, each in a transaction of its own. Returns the ids
 * applied now. When one fails, the ones before it stay applied and it leaves no trace. Of several processes that start
 * at once one applies a migration, and the others wait. Migrations that the database has and the list does not are left
 * alone, so that an older version of the application works beside a newer one.
 */
export async function migrate(
  db: Database,
  migrations: Migrations,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  // Looks at the whole list first, so that an edited migration is refused before any other is applied. Only reads where
  // nothing is pending: a role that may not create tables can run an application whose tables exist.
  const listed = checkMigrations(migrations);
  const applied = new Map((await readApplied(db)).map(({ id, checksum }) => [id, checksum]));
  for (const migration of listed) assertUnedited(migration, applied.get(migration.id));
  const ids: string[] = [];
  for (const migration of listed) {
    if (!applied.has(migration.id) && (await applyOnce(db, migration, options))) ids.push(migration.id);
  }
  return ids;
}

/**
 * The state of each migration in the order in which `migrate` applies them, then the unlisted ones, oldest first. Only
 * reads.
 */
export async function readMigrationStatus(db: Database, migrations: Migrations): Promise<MigrationStatus[]> {
  const listed = checkMigrations(migrations);
  const applied = new Map((await readApplied(db)).map((row) => [row.id, row]));
  const states = listed.map((migration): MigrationStatus => {
    const row = applied.get(migration.id);
    if (row === undefined) return { id: migration.id, state: 'pending' };
    applied.delete(migration.id);
    const state = row.checksum === checksumOf(migration) ? 'applied' : 'edited';
    return { id: migration.id, state, appliedAt: toIso(row.applied_at) };
  });
  const unlisted = Array.from(applied.values(), (row): MigrationStatus => {
    return { id: row.id, state: 'unlisted', appliedAt: toIso(row.applied_at) };
  });
  return [...states, ...unlisted];
}

function checkMigrations(migrations: Migrations): readonly Migration[] {
  const listed = migrations.flat();
  const seen = new Set<string>();
  for (const { id, up } of listed) {
    if (typeof id !== 'string' || !MIGRATION_ID.test(id)) {
      const form = 'Use four digits and lower-case words, such as "0001_blog_create_posts"';
      throw new DatabaseError('ERR_MIGRATION_ID', `Cannot migrate: migration id "${id}" is not valid. ${form}`);
    }
    if (seen.has(id)) {
      const message = `Cannot migrate: migration "${id}" is listed twice. Remove one, or give one of them another id`;
      throw new DatabaseError('ERR_MIGRATION_DUPLICATE', message);
    }
    seen.add(id);
    if (typeof up === 'function' || (typeof up === 'string' && up.trim() !== '' && !up.includes('\0'))) continue;
    const message = `Cannot migrate: "up" of migration "${id}" is not SQL for PostgreSQL. Write at least one statement`;
    throw new DatabaseError('ERR_MIGRATION_SQL', message);
  }
  return listed;
}

async function readApplied(db: Database): Promise<readonly AppliedRow[]> {
  try {
    return await query<AppliedRow>('SELECT id, checksum, applied_at FROM _migrations ORDER BY applied_at, id', [], db);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    throw error instanceof pg.DatabaseError ? tableError(error) : error;
  }
}

// The lock is of the transaction: it ends with it, also when this process or its connection dies, and a pooler that
// shares connections between transactions cannot separate the two.
function applyOnce(db: Database, migration: Migration, options: MigrateOptions): Promise<boolean> {
  const lockTimeoutMs = Math.trunc(options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS);
  const begin = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockTimeoutMs}`;
  return withConnection(db, async (connection) => {
    try {
      return await runTransaction(connection, (inside) => applyLocked(inside, migration), begin);
    } catch (error) {
      throw explainFailure(migration, error);
    }
  });
}

async function applyLocked(connection: Connection, migration: Migration): Promise<boolean> {
  await run(connection, `SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  await createTable(connection);
  const { rows } = await connection.query<AppliedRow>('SELECT checksum FROM _migrations WHERE id = $1', [migration.id]);
  assertUnedited(migration, rows[0]?.checksum);
  if (rows.length > 0) return false;
  const transactionId = await readTransactionId(connection);
  if (typeof migration.up === 'string') {
    // In a DO statement PostgreSQL itself refuses what would end the transaction, wherever it is written.
    const body = `BEGIN EXECUTE ${pg.escapeLiteral(migration.up)}; END`;
    await run(connection, `DO LANGUAGE plpgsql ${pg.escapeLiteral(body)}`);
  } else {
    await migration.up(connection);
  }
  if ((await readTransactionId(connection)) !== transactionId) {
    const message =
      `Migration "${migration.id}" ended its own transaction, so it may be applied in part. ` +
      'Remove BEGIN, COMMIT and ROLLBACK from it and inspect the schema';
    throw new DatabaseError('ERR_MIGRATION_SQL', message);
  }
  const values = [migration.id, checksumOf(migration)];
  await connection.query('INSERT INTO _migrations (id, checksum) VALUES ($1, $2)', values);
  return true;
}

async function createTable(connection: Connection): Promise<void> {
  // Asks first: CREATE TABLE IF NOT EXISTS needs the right to create tables also where the table exists.
  const { rows } = await connection.query<{ found: boolean }>("SELECT to_regclass('_migrations') IS NOT NULL AS found");
  if (rows[0]?.found) return;
  const time = 'TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()';
  await run(connection, `CREATE TABLE _migrations (id TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at ${time})`);
}

async function readTransactionId(connection: Connection): Promise<string | undefined> {
  const { rows } = await connection.query<{ id: string }>('SELECT txid_current()::text AS id');
  return rows[0]?.id;
}

function run(connection: Connection, text: string): Promise<unknown> {
  // pg knows this option of a statement; its types do not.
  const statement = { text, query_timeout: NO_TIMEOUT_MS };
  return connection.query(statement);
}

function assertUnedited(migration: Migration, checksum: string | undefined): void {
  if (checksum === undefined || checksum === checksumOf(migration)) return;
  const message =
    `Cannot migrate: migration "${migration.id}" was edited after it was applied. ` +
    'Restore its SQL and put the change into a new migration';
  throw new DatabaseError('ERR_MIGRATION_EDITED', message);
}

/** SHA-256 of the SQL in hexadecimal. CRLF counts as LF, so that a checkout on Windows is not an edit. */
function checksumOf({ up }: Migration): string {
  // The text of a function depends on the compiler.
  if (typeof up === 'function') return 'function';
  return createHash('sha256').update(up.replace(/\r\n/g, '\n')).digest('hex');
}

function explainFailure({ id, up }: Migration, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const state = sqlState(error);
  if (state === LOCK_NOT_AVAILABLE) {
    const message =
      `Cannot apply migration "${id}": another process is migrating, or uses a table that it changes. ` +
      'Nothing of it was kept: start again when that work is done';
    return new DatabaseError('ERR_DATABASE_BUSY', message, { cause: error });
  }
  if (typeof up === 'string' && TRANSACTION_STATEMENT.has(state) && /transaction/i.test(error.message)) {
    const message =
      `Cannot migrate: the SQL of migration "${id}" begins or ends a transaction. Remove BEGIN, COMMIT and ROLLBACK: ` +
      'every migration runs in a transaction of its own';
    return new DatabaseError('ERR_MIGRATION_SQL', message, { cause: error });
  }
  if (state === INSUFFICIENT_PRIVILEGE) {
    const message =
      `Migration "${id}" failed and was rolled back: ${error.message}. Apply the migrations once with a role that ` +
      'owns the tables ("npm run db:migrate"), then grant SELECT, INSERT, UPDATE and DELETE on them to this one';
    return new DatabaseError('ERR_MIGRATION_FAILED', message, { cause: error });
  }
  // Class 08, 57 and the like are not the fault of the migration: `withConnection` names them.
  if (/^(?:08|53|57|58|25006)/.test(state)) return error;
  const message = `Migration "${id}" failed and was rolled back: ${error.message}`;
  return new DatabaseError('ERR_MIGRATION_FAILED', message, { cause: error });
}

function tableError(cause: Error): DatabaseError {
  const message =
    `Cannot read table "_migrations": ${errorText(cause)}. ` +
    'If the table belongs to another tool, use another database or another schema';
  return new DatabaseError('ERR_MIGRATION_TABLE', message, { cause });
}

function toIso(time: Date | string): string {
  return new Date(time).toISOString();
}
