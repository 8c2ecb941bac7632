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
  {
    id: '0003_account_create_sessions',
    sql: `
      CREATE TABLE account_sessions (
        jti TEXT PRIMARY KEY,
        user_id INTEGER NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
        token_version INTEGER NOT NULL,
        device TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX account_sessions_user_id ON account_sessions (user_id, token_version, created_at);
      CREATE INDEX account_sessions_expires_at ON account_sessions (expires_at);
    `,
  },
  {
    id: '0004_account_create_recovery',
    sql: `
      CREATE TABLE account_recovery_tokens (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token_hash TEXT NOT NULL UNIQUE,
        purpose TEXT NOT NULL,
        user_id INTEGER NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
        email TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX account_recovery_tokens_user_id ON account_recovery_tokens (user_id, purpose);
      CREATE INDEX account_recovery_tokens_expires_at ON account_recovery_tokens (expires_at);
      CREATE TABLE account_verified_emails (
        user_id INTEGER PRIMARY KEY REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
        email TEXT NOT NULL,
        verified_at INTEGER NOT NULL
      ) STRICT;
    `,
  },
];
