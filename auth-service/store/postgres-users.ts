// The accounts in PostgreSQL. Each method is one statement, so no transaction is open while a password is hashed.

import type { StoredUser, UserStore } from '../../builds/stackyard/account/index.ts';
import { AuthServiceError } from '../answer.ts';
import { type RunStatement, sqlState, type Statement } from './postgres-client.ts';

interface UserRow {
  // The driver returns BIGINT as a string and times as `Date`, unless the program around it has set other parsers.
  readonly id: string | number | bigint;
  readonly email: string;
  readonly password_hash: string;
  readonly token_version: number | string;
  readonly created_at: Date | string;
}

const COLUMNS = 'id, email, password_hash, token_version, created_at';

const BY_EMAIL = statement('user_by_email', `SELECT ${COLUMNS} FROM users WHERE email = $1`);
const BY_TOKEN = statement(
  'user_by_token',
  `SELECT ${COLUMNS}, EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = $2) AS revoked FROM users WHERE id = $1`,
);
const INSERT = statement(
  'insert_user',
  `INSERT INTO users (email, password_hash, created_at) VALUES ($1, $2, $3)
   ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
);
const REPLACE_HASH = statement(
  'replace_hash',
  'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
);
const CHANGE_PASSWORD = statement(
  'change_password',
  `UPDATE users SET password_hash = $3, token_version = token_version + 1
   WHERE id = $1 AND password_hash = $2 RETURNING ${COLUMNS}`,
);
const BUMP_VERSION = statement(
  'bump_version',
  'UPDATE users SET token_version = token_version + 1 WHERE id = $1',
);
const DELETE = statement('delete_user', 'DELETE FROM users WHERE id = $1');
const REVOKE = statement(
  'revoke_token',
  'INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING',
);
const DROP_EXPIRED = statement(
  'drop_expired_tokens',
  'DELETE FROM revoked_tokens WHERE expires_at <= $1',
);

// No account has a text that the encoding of the database cannot represent.
const NOT_STORABLE: ReadonlySet<string> = new Set(['22021', '22P05']);

const DROP_INTERVAL_SECONDS = 60;

/** Accounts in the tables of `migratePostgres`. */
export function createPostgresUserStore(run: RunStatement): UserStore {
  let droppedAt = 0;

  // Occasionally: on every logout, several processes would wait for each other's row locks.
  async function dropExpired(now: number): Promise<void> {
    if (now - droppedAt < DROP_INTERVAL_SECONDS) return;
    droppedAt = now;
    await run(DROP_EXPIRED, [now]).catch(() => {});
  }

  return {
    async findByEmail(email) {
      try {
        const { rows } = await run<UserRow>(BY_EMAIL, [email]);
        return toStoredUser(rows[0]);
      } catch (error) {
        if (NOT_STORABLE.has(sqlState(error))) return undefined;
        throw error;
      }
    },

    async findByToken(userId, tokenId) {
      const { rows } = await run<UserRow & { readonly revoked: boolean }>(BY_TOKEN, [
        userId,
        tokenId,
      ]);
      const [row] = rows;
      const user = toStoredUser(row);
      return row && user && { user, revoked: row.revoked };
    },

    async insert({ email, passwordHash, createdAt }) {
      const { rows } = await run<UserRow>(INSERT, [email, passwordHash, createdAt]);
      return toStoredUser(rows[0]);
    },

    async replaceHash(userId, oldHash, newHash) {
      return (await run(REPLACE_HASH, [userId, oldHash, newHash])).count === 1;
    },

    async changePassword(userId, oldHash, newHash) {
      const { rows } = await run<UserRow>(CHANGE_PASSWORD, [userId, oldHash, newHash]);
      return toStoredUser(rows[0]);
    },

    async bumpTokenVersion(userId) {
      return (await run(BUMP_VERSION, [userId])).count === 1;
    },

    async delete(userId) {
      return (await run(DELETE, [userId])).count === 1;
    },

    async revokeToken(tokenId, expiresAt, now) {
      await run(REVOKE, [tokenId, expiresAt]);
      await dropExpired(now);
    },
  };
}

function statement(name: string, text: string): Statement {
  return { name, text };
}

function toStoredUser(row: UserRow | undefined): StoredUser | undefined {
  return (
    row && {
      id: toUserId(row.id),
      email: row.email,
      passwordHash: row.password_hash,
      tokenVersion: Number(row.token_version),
      createdAt: new Date(row.created_at).toISOString(),
    }
  );
}

// An id that JSON cannot carry would be rounded to that of another account.
function toUserId(value: UserRow['id']): number {
  const id = Number(value);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new AuthServiceError(
    'ERR_STORE_ID',
    'Cannot read an account: its id is not between 1 and 2^53. Let the identity column of "users" count from 1',
  );
}
