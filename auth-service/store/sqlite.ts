// The store in a SQLite file: the account module's own, with the durability and the errors of a service.

import {
  accountMigrations,
  createSqliteUserStore,
  type UserStore,
} from '../../builds/stackyard/account/index.ts';
import {
  closeDatabase,
  openDatabase,
  type OpenOptions,
} from '../../builds/stackyard/sqlite/index.ts';
import { AuthServiceError } from '../answer.ts';
import {
  createCiStatementStore,
  createStatementStore,
  type RunSql,
} from '../reports/statement-store.ts';
import {
  ciStatementMigrations,
  readinessMigrations,
  statementMigrations,
} from './sqlite-statements.ts';
import type { AuthStore, StatementTables } from './store.ts';

// The file cannot be used at the moment: locked for longer than the wait, on a disk that is full or failing.
const AWAY = /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|NOMEM)/;

// More than a registration writes, so that a disk with space for this row has space for an account. Random, because SQLite
// writes no page that stays as it was.
const READINESS_BYTES = 65_536;
const WRITE_READINESS = `INSERT INTO readiness (id, written) VALUES (1, randomblob(${READINESS_BYTES}))
  ON CONFLICT (id) DO UPDATE SET written = excluded.written`;

/** Opens the file, creates it when absent, and brings its tables up to date. Throws `DatabaseError`. */
export function openSqliteStore(
  file: string,
  options: Pick<OpenOptions, 'busyTimeoutMs'> & StatementTables = {},
): AuthStore {
  const { statements = false, ciStatements = false, ...openOptions } = options;
  const migrations = [
    ...accountMigrations,
    ...readinessMigrations,
    ...(statements ? statementMigrations : []),
    ...(ciStatements ? ciStatementMigrations : []),
  ];
  const db = openDatabase(file, { ...openOptions, migrations });
  // An acknowledged account survives a power failure, not only a crash of this process.
  db.pragma('synchronous = FULL');
  const ping = db.prepare('SELECT count(*) FROM users WHERE id = 0');
  const writeReadiness = db.prepare(WRITE_READINESS);
  const run: RunSql = async (_name, text, values) => {
    try {
      const statement = db.prepare<[object], Record<string, unknown>>(text);
      const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
      if (statement.reader) return statement.all(named);
      statement.run(named);
      return [];
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    kind: 'sqlite',
    statements: statements ? createStatementStore(run) : undefined,
    ciStatements: ciStatements ? createCiStatementStore(run) : undefined,
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
