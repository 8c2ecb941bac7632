// The accounts over stackyard/sqlite. The tables are in migrations.ts.

import { type Database, isUniqueViolation } from '../sqlite/index.js';
import type { StoredUser, UserStore } from './users.js';

/** A row of table `users`. */
export interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string;
  readonly token_version: number;
  readonly created_at: string;
}

/** The columns of `UserRow`. */
export const USER_COLUMNS = 'id, email, password_hash, token_version, created_at';

/** Accounts in the tables of `accountMigrations`, which must have been applied to `db`. */
export function createSqliteUserStore(db: Database): UserStore {
  const byEmail = db.prepare<[string], UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE email = ?`);
  const byToken = db.prepare<[string, number], UserRow & { readonly revoked: number }>(
    `SELECT ${USER_COLUMNS}, EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ?) AS revoked FROM users WHERE id = ?`,
  );
  // Statements that write and return a row are read to the end, with `all`: `get` stops at the row, SQLite commits when the
  // statement is reset, and better-sqlite3 drops the error of a reset, such as that of a full disk.
  const insert = db.prepare<[string, string, string], UserRow>(
    `INSERT INTO users (email, password_hash, created_at) VALUES (?, ?, ?) RETURNING ${USER_COLUMNS}`,
  );
  const replaceHash = db.prepare<[string, number, string]>(
    'UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?',
  );
  const replacePassword = db.prepare<[string, number, string], UserRow>(
    `UPDATE users SET password_hash = ?, token_version = token_version + 1
     WHERE id = ? AND password_hash = ? RETURNING ${USER_COLUMNS}`,
  );
  const dropResets = db.prepare<[number]>(
    "DELETE FROM account_recovery_tokens WHERE user_id = ? AND purpose = 'password_reset'",
  );
  const changePassword = db.transaction((userId: number, oldHash: string, newHash: string) => {
    const [row] = replacePassword.all(newHash, userId, oldHash);
    if (row) dropResets.run(userId);
    return row;
  });
  const bumpVersion = db.prepare<[number]>('UPDATE users SET token_version = token_version + 1 WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM users WHERE id = ?');
  const revoke = db.prepare<[string, number]>(
    'INSERT INTO revoked_tokens (jti, expires_at) VALUES (?, ?) ON CONFLICT (jti) DO NOTHING',
  );
  const dropExpired = db.prepare<[number]>('DELETE FROM revoked_tokens WHERE expires_at <= ?');

  return {
    async findByEmail(email) {
      return toStoredUser(byEmail.get(email));
    },

    async findByToken(userId, tokenId) {
      const row = byToken.get(tokenId, userId);
      const user = toStoredUser(row);
      return row && user && { user, revoked: row.revoked === 1 };
    },

    async insert({ email, passwordHash, createdAt }) {
      try {
        const [row] = insert.all(email, passwordHash, createdAt);
        return toStoredUser(row);
      } catch (error) {
        if (isUniqueViolation(error)) return undefined;
        throw error;
      }
    },

    async replaceHash(userId, oldHash, newHash) {
      return replaceHash.run(newHash, userId, oldHash).changes === 1;
    },

    async changePassword(userId, oldHash, newHash) {
      return toStoredUser(changePassword.immediate(userId, oldHash, newHash));
    },

    async bumpTokenVersion(userId) {
      return bumpVersion.run(userId).changes === 1;
    },

    async delete(userId) {
      return remove.run(userId).changes === 1;
    },

    async revokeToken(tokenId, expiresAt, now) {
      dropExpired.run(now);
      revoke.run(tokenId, expiresAt);
    },
  };
}

/** The account in a row, if there is one. */
export function toStoredUser(row: UserRow | undefined): StoredUser | undefined {
  return (
    row && {
      id: row.id,
      email: row.email,
      passwordHash: row.password_hash,
      tokenVersion: row.token_version,
      createdAt: row.created_at,
    }
  );
}
