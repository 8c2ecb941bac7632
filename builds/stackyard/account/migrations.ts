// The tables of this build. Never edit a migration that has been published: add another.

import type { Migration } from '../sqlite/index.js';

// AUTOINCREMENT, since SQLite would give the id of a deleted account to the next one, and with it what still refers
// to that id.
export const accountMigrations: readonly Migration[] = [
  {
    id: '0001_account_create_users',
    sql: `
      CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        email TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        token_version INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    id: '0002_account_create_revoked_tokens',
    sql: `
      CREATE TABLE revoked_tokens (
        jti TEXT PRIMARY KEY,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX revoked_tokens_expires_at ON revoked_tokens (expires_at);
    `,
  },
];
