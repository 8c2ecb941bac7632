// The connections to PostgreSQL: the settings, a pool, and the one pool of the application.

import pg from 'pg';
import { DatabaseError } from './errors.js';

/** A pool of connections: a `Pool` of pg. */
export type Database = pg.Pool;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with a variable of the environment; never its value. */
export interface SettingProblem {
  readonly name: string;
  readonly message: string;
}

export interface PoolOptions {
  /** Default: DATABASE_URL. Outside of production, without it: what the variables PGHOST, PGUSER, ... of libpq say. */
  readonly url?: string;
  /** The name of another database of the same server. Default: that of the URL. */
  readonly database?: string;
  /** Most connections at once. Default: 10. */
  readonly max?: number;
  /** How long a call waits for a free or new connection, in milliseconds. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may take, in milliseconds; 0 for any time. Default: 10,000. */
  readonly statementTimeoutMs?: number;
  /** Is told of idle connections that broke, which the pool replaces. Default: nobody. */
  readonly onConnectionLost?: (error: Error) => void;
}

const IDLE_TIMEOUT_MS = 30_000;
const MAX_LIFETIME_SECONDS = 1800;
const CLOSE_TIMEOUT_MS = 5000;

let applicationDatabase: Database | undefined;

/**
 * The database of the application, which the first call opens as `createPool()` does. In tests see
 * `createTestDatabase`.
 */
export function database(): Database {
  if (applicationDatabase === undefined) {
    if (process.env['NODE_ENV'] === 'test') {
      const message = 'Cannot use the database in a test: call createTestDatabase first, or start its module';
      throw new DatabaseError('ERR_DATABASE_URL', message);
    }
    applicationDatabase = createPool();
  }
  return applicationDatabase;
}

/** Makes `db` what `database()` gives; without one, the next call of it opens another. */
export function useDatabase(db: Database | undefined): void {
  applicationDatabase = db;
}

/** Opens a pool. It connects with the first statement; throws `ERR_DATABASE_URL` for a URL that cannot be right. */
export function createPool(options: PoolOptions = {}): Database {
  const url = options.url ?? process.env['DATABASE_URL'] ?? '';
  const [problem] = checkSettings({ NODE_ENV: process.env['NODE_ENV'], DATABASE_URL: url });
  if (problem) throw new DatabaseError('ERR_DATABASE_URL', `Cannot open the database: ${problem.message}`);
  const pool = new pg.Pool({
    ...(url === '' ? { database: options.database } : { connectionString: withDatabase(url, options.database) }),
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    // On this side, because poolers refuse settings of the connection. A transaction sets it in the server as well.
    query_timeout: options.statementTimeoutMs ?? 10_000,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    keepAlive: true,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(error));
  return pool;
}

/** Closes the pool, of the application by default. Waits a few seconds for statements that are running. */
export async function closeDatabase(db: Database | undefined = applicationDatabase): Promise<void> {
  if (db === applicationDatabase) applicationDatabase = undefined;
  if (db === undefined || db.ending) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  await Promise.race([db.end(), timeout]);
  clearTimeout(timer);
}

/** All problems of the variables that `database()` reads. */
export function checkSettings(env: Environment): SettingProblem[] {
  const url = env['DATABASE_URL'] ?? '';
  // No mode is production, so that a forgotten variable does not lead to another database.
  if (url === '' && (env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test')) return [];
  if (/^postgres(?:ql)?:\/\//i.test(url) && isReadable(url)) return [];
  const message =
    'Expected the URL of a PostgreSQL database, such as "postgres://USER:PASSWORD@HOST:5432/DATABASE", with special ' +
    'characters percent-encoded';
  return [{ name: 'DATABASE_URL', message }];
}

function withDatabase(url: string, name: string | undefined): string {
  if (name === undefined) return url;
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

// The driver would report an error only on the first connection, and would quote the text.
function isReadable(text: string): boolean {
  try {
    const { pathname, username, password } = new URL(text);
    return [pathname, username, password].every((part) => typeof decodeURIComponent(part) === 'string');
  } catch {
    return false;
  }
}
