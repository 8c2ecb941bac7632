// The tables of reports and flags in SQLite. They go with the account. Never edit one that was released: add another.

import type { Migration } from '../../builds/stackyard/sqlite/index.ts';

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
