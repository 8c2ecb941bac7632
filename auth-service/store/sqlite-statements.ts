// The tables of the service in SQLite, beside those of the accounts. Never edit one that was released: add another.

import type { Migration } from '../../builds/stackyard/sqlite/index.ts';

/** One row, which readiness writes again and again. */
export const readinessMigrations: readonly Migration[] = [
  {
    id: '0003_service_create_readiness',
    sql: 'CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), written BLOB NOT NULL) STRICT',
  },
];

/** The tables of reports and flags, with REPORTS=on. They go with the account. */
export const statementMigrations: readonly Migration[] = [
  {
    id: '0001_service_create_statements',
    sql: `
      CREATE TABLE reporters (
        user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        account TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE statements (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind TEXT NOT NULL, build TEXT NOT NULL, version TEXT NOT NULL, day TEXT NOT NULL,
        id TEXT NOT NULL, received_at TEXT NOT NULL, line TEXT NOT NULL,
        UNIQUE (user_id, kind, build, version, day)
      ) STRICT;
    `,
  },
];

/** The tables of reports and flags of CI runs, with OIDC_ISSUERS. */
export const ciStatementMigrations: readonly Migration[] = [
  {
    id: '0002_service_create_ci_statements',
    sql: `
      CREATE TABLE ci_statements (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL,
        kind TEXT NOT NULL, build TEXT NOT NULL, version TEXT NOT NULL, day TEXT NOT NULL,
        id TEXT NOT NULL, received_at TEXT NOT NULL, line TEXT NOT NULL,
        UNIQUE (account, kind, build, version, day)
      ) STRICT;
      CREATE TABLE ci_tokens (digest TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT;
      CREATE INDEX ci_tokens_expires_at ON ci_tokens (expires_at);
    `,
  },
];
