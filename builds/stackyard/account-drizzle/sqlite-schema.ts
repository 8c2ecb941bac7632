// The tables of accounts for SQLite. Export them from your schema: `export * from './account-drizzle/sqlite-schema.js'`.

import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const accountUsers = sqliteTable('account_users', {
  // Without AUTOINCREMENT SQLite would give the id of a deleted account to the next one.
  id: integer('id').primaryKey({ autoIncrement: true }),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  tokenVersion: integer('token_version').notNull().default(0),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});

export const accountRevokedTokens = sqliteTable(
  'account_revoked_tokens',
  { jti: text('jti').primaryKey(), expiresAt: integer('expires_at').notNull() },
  (table) => [index('account_revoked_tokens_expires_at').on(table.expiresAt)],
);

export const accountSessions = sqliteTable(
  'account_sessions',
  {
    jti: text('jti').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => accountUsers.id, { onDelete: 'cascade' }),
    tokenVersion: integer('token_version').notNull(),
    device: text('device'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('account_sessions_user_id').on(table.userId, table.tokenVersion, table.createdAt),
    index('account_sessions_expires_at').on(table.expiresAt),
  ],
);

export const accountRecoveryTokens = sqliteTable(
  'account_recovery_tokens',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    tokenHash: text('token_hash').notNull().unique(),
    purpose: text('purpose').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => accountUsers.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('account_recovery_tokens_user_id').on(table.userId, table.purpose),
    index('account_recovery_tokens_expires_at').on(table.expiresAt),
  ],
);

export const accountVerifiedEmails = sqliteTable('account_verified_emails', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => accountUsers.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  verifiedAt: integer('verified_at').notNull(),
});
