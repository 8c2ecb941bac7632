// The database as a module of the application: its settings, its start with the migrations of all modules, its
// readiness and its end. It stands in front of the modules that use it.

import { checkSettings, closeDatabase, createPool, type Database, type Environment, useDatabase } from './database.js';
import { DatabaseError, errorText, sqlState } from './errors.js';
import { migrate, type Migration, type Migrations } from './migrate.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { checkDatabase } from './transaction.js';

/** What a foundation gives to its modules, as far as this one needs it. */
export interface PostgresModuleHost {
  readonly env: Environment;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Of all modules, in their order. */
  readonly migrations: readonly unknown[];
}

export interface PostgresModuleOptions {
  /**
   * How long the start waits for a database that is not there yet, in milliseconds; tests do not wait. Default: 30,000.
   */
  readonly startTimeoutMs?: number;
}

const DEFAULT_START_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;

// A wrong password or user, and a database that does not exist: waiting does not help.
const MISCONFIGURED: ReadonlySet<string> = new Set(['28P01', '28000', '3D000']);

/**
 * Opens the database of DATABASE_URL and applies the migrations of all modules, then `own`, which may be listed in
 * both. In tests (NODE_ENV is `test`) it is a database of its own on that server, which must be there, deleted at the
 * end.
 */
export function createPostgresModule(own: Migrations = [], options: PostgresModuleOptions = {}) {
  let db: Database | undefined;
  let testDatabase: TestDatabase | undefined;
  async function stop(): Promise<void> {
    await (testDatabase ? testDatabase.drop() : closeDatabase(db));
    [db, testDatabase] = [undefined, undefined];
  }

  return {
    name: 'database',
    checkSettings,
    async start({ env, log, migrations }: PostgresModuleHost): Promise<void> {
      const url = env['DATABASE_URL'] ?? '';
      try {
        if (env['NODE_ENV'] === 'test') {
          testDatabase = await createTestDatabase({ url });
          db = testDatabase.db;
        } else {
          const onConnectionLost = (error: Error) => log.warn(`A database connection was lost: ${error.message}`);
          db = createPool({ url, onConnectionLost });
          await waitForDatabase(db, log, options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS);
        }
        useDatabase(db);
        const all = new Set([...migrations.flat(), ...own.flat()] as readonly Migration[]);
        for (const id of await migrate(db, [...all])) log.info(`Migration "${id}" was applied`);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    checks: { database: () => checkDatabase(db) },
    stop,
  };
}

/** The database without migrations of the project itself. */
export const postgresModule = createPostgresModule();

async function waitForDatabase(db: Database, log: PostgresModuleHost['log'], timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      await checkDatabase(db);
      return;
    } catch (error) {
      const isHopeless = !(error instanceof DatabaseError) || MISCONFIGURED.has(sqlState(error));
      if (isHopeless || Date.now() + pauseMs > deadline) throw error;
      if (pauseMs === FIRST_PAUSE_MS) log.warn(`Waiting for the database: ${errorText(error)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
