// The database of the service: the stores of the account module, with the durability and the errors of a service, and the
// counters of the rate limits in PostgreSQL.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { AccountStore } from '../../builds/stackyard/account-core/index.ts';
import {
  accountMigrations as postgresMigrations,
  createPostgresStore,
} from '../../builds/stackyard/account-postgres/index.ts';
import {
  accountMigrations as sqliteMigrations,
  createSqliteStore,
} from '../../builds/stackyard/account-sqlite/index.ts';
import {
  DatabaseError,
  isUnavailable,
  migrate,
  type Migration as PostgresMigration,
  query,
} from '../../builds/stackyard/postgres/index.ts';
import {
  closeDatabase,
  type Migration,
  openDatabase,
  type OpenOptions,
} from '../../builds/stackyard/sqlite/index.ts';
import { AuthServiceError } from '../answer.ts';
import type { DatabaseConfig, PostgresConfig } from '../database-url.ts';
import { type CounterRule, type CreateCounter, toCounter } from '../limits/counter.ts';

/** An open database. Every method rejects with `ERR_STORE_UNAVAILABLE` while the database is unavailable. */
export interface AuthStore extends AccountStore {
  readonly kind: 'sqlite' | 'postgres';
  /** Makes the counters of the rate limits that all processes share; `undefined` leaves them to each process. */
  readonly createCounter: CreateCounter | undefined;
  /**
   * Rejects unless the database has its tables and stores a row, always the same one; creates the tables that are missing.
   * Rejects with `ERR_STORE_SCHEMA` when retrying cannot help.
   */
  check(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Receives the errors that no request reports. */
export interface StoreLog {
  warn(message: string): void;
}

/** Opens the store. While PostgreSQL is unavailable, each method rejects. Throws `DatabaseError` for a SQLite file. */
export function openStore(database: DatabaseConfig, log: StoreLog): AuthStore {
  return database.kind === 'sqlite'
    ? openSqliteStore(database.file)
    : openPostgresStore(database, log);
}

// The file cannot be used at the moment: locked for longer than the wait, on a disk that is full or failing.
const SQLITE_AWAY = /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOMEM)/;

// More than a registration writes, so that a disk with space for this row has space for an account. Random, because SQLite
// writes no page that stays as it was.
const READINESS_BYTES = 65_536;
const WRITE_READINESS = `INSERT INTO readiness (id, written) VALUES (1, randomblob(${READINESS_BYTES}))
  ON CONFLICT (id) DO UPDATE SET written = excluded.written`;

// One row, which readiness writes again and again. Never edit a migration that was released: add another.
const READINESS_MIGRATION: Migration = {
  id: '0003_service_create_readiness',
  sql: 'CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), written BLOB NOT NULL) STRICT',
};

/** Opens the file, creates it when absent, and brings its tables up to date. Throws `DatabaseError`. */
export function openSqliteStore(
  file: string,
  options: Pick<OpenOptions, 'busyTimeoutMs'> = {},
): AuthStore {
  const migrations = [...sqliteMigrations, READINESS_MIGRATION];
  const db = openDatabase(file, { ...options, migrations });
  // An acknowledged account survives a power failure, not only a crash of this process.
  db.pragma('synchronous = FULL');
  const ping = db.prepare('SELECT count(*) FROM users WHERE id = 0');
  const writeReadiness = db.prepare(WRITE_READINESS);
  const guard: Guard = async (work) => {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!SQLITE_AWAY.test(code)) throw error;
      throw unavailable(`Cannot use the SQLite file: ${code}`, error);
    }
  };
  return {
    kind: 'sqlite',
    ...guardStore(createSqliteStore(db), guard),
    createCounter: undefined,
    check: () =>
      guard(async () => {
        ping.get();
        writeReadiness.run();
      }),
    close: async () => closeDatabase(db),
  };
}

const CONNECT_TIMEOUT_MS = 3000;
const QUERY_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_LIFETIME_SECONDS = 1800;

// Never edit one that was released: add another. Their ids and texts are those of the service before it had the module.
const SERVICE_MIGRATIONS: readonly PostgresMigration[] = [
  {
    id: '0003_account_create_rate_limits',
    // As rate-limiter-flexible requires it: `expire` is in milliseconds since 1970.
    up: [
      `CREATE TABLE IF NOT EXISTS rate_limits (
        key VARCHAR(255) PRIMARY KEY, points INT4 NOT NULL DEFAULT 0, expire BIGINT
      )`,
      'CREATE INDEX IF NOT EXISTS rate_limits_expire ON rate_limits (expire)',
    ].join(';\n'),
  },
  {
    id: '0004_service_create_readiness',
    up: 'CREATE TABLE IF NOT EXISTS readiness (id INT4 PRIMARY KEY, written_at TIMESTAMPTZ NOT NULL)',
  },
];

/** Opens the store without connecting: the first statement that reaches the database creates its tables. */
export function openPostgresStore(config: PostgresConfig, log: StoreLog): AuthStore {
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
  if (config.prepared) pool.on('connect', prepareStatements);

  let migrated: Promise<unknown> | undefined;
  const guard: Guard = async (work) => {
    try {
      await (migrated ??= migrate(pool, [...postgresMigrations, ...SERVICE_MIGRATIONS]));
    } catch (error) {
      migrated = undefined;
      throw translate(error);
    }
    return work().catch((error: unknown) => {
      throw translate(error);
    });
  };
  const run = (text: string, values: readonly unknown[] = []) =>
    guard(() => query(text, values, pool));
  return {
    kind: 'postgres',
    ...guardStore(createPostgresStore(pool), guard),
    createCounter: createStoreCounters(run),
    async check() {
      await run('SELECT 1 FROM users WHERE id = 0');
      // One row for all processes.
      await run(`INSERT INTO readiness (id, written_at) VALUES (1, now())
        ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`);
    },
    close: () => pool.end(),
  };
}

function translate(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (isUnavailable(error)) return unavailable(error.message, error);
  if (!error.code.startsWith('ERR_MIGRATION')) return error;
  return new AuthServiceError('ERR_STORE_SCHEMA', `Cannot use the database: ${error.message}`, {
    cause: error,
  });
}

// Statements of this service are few, so each connection prepares each of them once.
function prepareStatements(client: pg.PoolClient): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const prepared = (text: unknown, values: unknown, ...more: unknown[]): unknown => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return plain(text, values, ...more);
    }
    return plain({ name: nameOf(text), text, values }, ...more);
  };
  client.query = prepared as typeof client.query;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

type Guard = <T>(work: () => Promise<T>) => Promise<T>;

/** Each method by `guard`. */
function guardStore({ users, sessions, recoveries }: AccountStore, guard: Guard): AccountStore {
  return {
    users: guardMethods(users, guard),
    sessions: sessions && guardMethods(sessions, guard),
    recoveries: recoveries && guardMethods(recoveries, guard),
  };
}

function guardMethods<Store extends object>(store: Store, guard: Guard): Store {
  const methods = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...args: unknown[]) => guard(() => method(...args))]),
  ) as Store;
}

function unavailable(message: string, cause: unknown): AuthServiceError {
  return new AuthServiceError('ERR_STORE_UNAVAILABLE', message, { cause });
}

const COUNTER_TABLE = 'rate_limits';
const DROP_INTERVAL_MS = 300_000;
const MAX_BLOCK_SECONDS = 60;

type Run = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>;

/** Counters in table `rate_limits`, which all processes share. */
function createStoreCounters(run: Run): CreateCounter {
  let droppedAt = Date.now();
  // The limiter sees this instead of a pool, so that its statements fail and are retried like all others.
  const storeClient = {
    async query({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
      if (Date.now() - droppedAt >= DROP_INTERVAL_MS) {
        droppedAt = Date.now();
        run(`DELETE FROM ${COUNTER_TABLE} WHERE expire < $1`, [droppedAt]).catch(() => {});
      }
      const rows = await run(text, values);
      return { rows, rowCount: rows.length };
    },
  };
  return (rule: CounterRule) => {
    const { name: keyPrefix, limit: points, windowSeconds: duration } = rule;
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: COUNTER_TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
      // A client that is over the limit costs no statement. Not for longer windows, which another process may end.
      inMemoryBlockOnConsumed: duration <= MAX_BLOCK_SECONDS ? points + 1 : 0,
    });
    return toCounter(limiter, rule);
  };
}
