// The store in a SQLite file: the account module's own, with the durability and the errors of a service.

import {
  accountMigrations,
  createSqliteUserStore,
  type UserStore,
} from '../../builds/stackyard/account/index.ts';
import {
  closeDatabase,
  type Migration,
  openDatabase,
  type OpenOptions,
} from '../../builds/stackyard/sqlite/index.ts';
import { AuthServiceError } from '../answer.ts';
import type { AuthStore } from './store.ts';

// The file cannot be used at the moment: locked for longer than the wait, on a disk that is full or failing.
const AWAY = /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOMEM)/;

// More than a registration writes, so that a disk with space for this row has space for an account. Random, because SQLite
// writes no page that stays as it was.
const READINESS_BYTES = 65_536;
const WRITE_READINESS = `INSERT INTO readiness (id, written) VALUES (1, randomblob(${READINESS_BYTES}))
  ON CONFLICT (id) DO UPDATE SET written = excluded.written`;

// One row, which readiness writes again and again. Never edit a migration that was released: add another.
const readinessMigrations: readonly Migration[] = [
  {
    id: '0003_service_create_readiness',
    sql: 'CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), written BLOB NOT NULL) STRICT',
  },
];

/** Opens the file, creates it when absent, and brings its tables up to date. Throws `DatabaseError`. */
export function openSqliteStore(
  file: string,
  options: Pick<OpenOptions, 'busyTimeoutMs'> = {},
): AuthStore {
  const migrations = [...accountMigrations, ...readinessMigrations];
  const db = openDatabase(file, { ...options, migrations });
  // An acknowledged account survives a power failure, not only a crash of this process.
  db.pragma('synchronous = FULL');
  const ping = db.prepare('SELECT count(*) FROM users WHERE id = 0');
  const writeReadiness = db.prepare(WRITE_READINESS);
  return {
    kind: 'sqlite',
    users: translateErrors(createSqliteUserStore(db)),
    createCounter: undefined,
    async check() {
      try {
        ping.get();
        writeReadiness.run();
      } catch (error) {
        throw translate(error);
      }
    },
    async close() {
      closeDatabase(db);
    },
  };
}

function translateErrors(users: UserStore): UserStore {
  return {
    findByEmail: (...args) => guard(users.findByEmail(...args)),
    findByToken: (...args) => guard(users.findByToken(...args)),
    insert: (...args) => guard(users.insert(...args)),
    replaceHash: (...args) => guard(users.replaceHash(...args)),
    changePassword: (...args) => guard(users.changePassword(...args)),
    bumpTokenVersion: (...args) => guard(users.bumpTokenVersion(...args)),
    delete: (...args) => guard(users.delete(...args)),
    revokeToken: (...args) => guard(users.revokeToken(...args)),
  };
}

async function guard<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!AWAY.test(code)) return error;
  return new AuthServiceError('ERR_STORE_UNAVAILABLE', `Cannot use the SQLite file: ${code}`, {
    cause: error,
  });
}
