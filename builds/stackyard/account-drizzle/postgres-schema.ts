// The tables of accounts for PostgreSQL. Export them from your schema: `export * from './account-drizzle/postgres-schema.js'`.

import { bigint, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const accountUsers = pgTable('account_users', {
  // An identity gives no id again, so what still refers to a deleted account never belongs to another one.
  id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  tokenVersion: integer('token_version').notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull(),
});

export const accountRevokedTokens = pgTable(
  'account_revoked_tokens',
  { jti: text('jti').primaryKey(), expiresAt: bigint('expires_at', { mode: 'number' }).notNull() },
  (table) => [index('account_revoked_tokens_expires_at').on(table.expiresAt)],
);

export const accountSessions = pgTable(
  'account_sessions',
  {
    jti: text('jti').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => accountUsers.id, { onDelete: 'cascade' }),
    tokenVersion: integer('token_version').notNull(),
    device: text('device'),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('account_sessions_user_id').on(table.userId, table.tokenVersion, table.createdAt),
    index('account_sessions_expires_at').on(table.expiresAt),
  ],
);

export const accountRecoveryTokens = pgTable(
  'account_recovery_tokens',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    tokenHash: text('token_hash').notNull().unique(),
    purpose: text('purpose').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => accountUsers.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('account_recovery_tokens_user_id').on(table.userId, table.purpose),
    index('account_recovery_tokens_expires_at').on(table.expiresAt),
  ],
);

export const accountVerifiedEmails = pgTable('account_verified_emails', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => accountUsers.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  verifiedAt: bigint('verified_at', { mode: 'number' }).notNull(),
});
