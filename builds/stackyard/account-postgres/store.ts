// Accounts, sessions and recovery tokens over stackyard/postgres. The tables are in migrations.ts. Nearly every method is one
// statement, so that it is one round trip and all of it happens or nothing.

import type {
  AccountStore,
  OpenRecovery,
  RecoveryPurpose,
  RecoveryStore,
  SessionStore,
  StoredSession,
  StoredUser,
  UserStore,
} from '../account-core/index.js';
import { type Connection, type Database, query, sqlState, transaction } from '../postgres/index.js';

// The driver returns BIGINT as a string and times as `Date`, unless the program around it has set other parsers.
type BigInteger = string | number | bigint;

interface UserRow {
  readonly id: BigInteger;
  readonly email: string;
  readonly password_hash: string;
  readonly token_version: number | string;
  readonly created_at: Date | string;
}

interface SessionRow {
  readonly jti: string;
  readonly user_id: BigInteger;
  readonly token_version: number | string;
  readonly device: string | null;
  readonly created_at: BigInteger;
  readonly expires_at: BigInteger;
}

const USER = 'users.id, users.email, users.password_hash, users.token_version, users.created_at';

// No account has a text that the encoding of the database cannot represent.
const NOT_STORABLE: ReadonlySet<string> = new Set(['22021', '22P05']);

const DROP_INTERVAL_SECONDS = 60;

/** Accounts in the tables of `accountMigrations`, which must have been applied. Without `db`, in the one of the application. */
export function createPostgresStore(db?: Database): AccountStore {
  return {
    users: createUserStore(db),
    sessions: createSessionStore(db),
    recoveries: createRecoveryStore(db),
  };
}

function createUserStore(db: Database | undefined): UserStore {
  const dropExpired = createCleanup('revoked_tokens', db);
  const findOne = async (text: string, values: readonly unknown[]) => {
    const [row] = await query<UserRow>(text, values, db);
    return row && toStoredUser(row);
  };
  const changes = async (text: string, values: readonly unknown[]) =>
    (await query(`${text} RETURNING users.id`, values, db)).length === 1;

  return {
    async findByEmail(email) {
      try {
        return await findOne(`SELECT ${USER} FROM users WHERE email = $1`, [email]);
      } catch (error) {
        if (NOT_STORABLE.has(sqlState(error))) return undefined;
        throw error;
      }
    },

    async findByToken(userId, tokenId) {
      const [row] = await query<UserRow & { readonly revoked: boolean }>(
        `SELECT ${USER}, EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = $2) AS revoked FROM users WHERE id = $1`,
        [userId, tokenId],
        db,
      );
      return row && { user: toStoredUser(row), revoked: row.revoked };
    },

    insert: ({ email, passwordHash, createdAt }) =>
      // A violation of the unique index, told without an error.
      findOne(
        `INSERT INTO users (email, password_hash, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (email) DO NOTHING RETURNING ${USER}`,
        [email, passwordHash, createdAt],
      ),

    replaceHash: (userId, oldHash, newHash) =>
      changes('UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [userId, oldHash, newHash]),

    changePassword: (userId, oldHash, newHash) =>
      findOne(
        `WITH changed AS (
           UPDATE users SET password_hash = $3, token_version = token_version + 1
           WHERE id = $1 AND password_hash = $2 RETURNING ${USER}
         ), dropped AS (
           DELETE FROM account_recovery_tokens
           WHERE user_id IN (SELECT id FROM changed) AND purpose = 'password_reset'
         )
         SELECT * FROM changed`,
        [userId, oldHash, newHash],
      ),

    bumpTokenVersion: (userId) => changes('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [userId]),

    delete: (userId) => changes('DELETE FROM users WHERE id = $1', [userId]),

    async revokeToken(tokenId, expiresAt, now) {
      const text = 'INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING';
      await query(text, [tokenId, expiresAt], db);
      await dropExpired(now);
    },
  };
}

// Revoked ones are left out here, so that whoever revokes a token need not know of sessions.
const OPEN_SESSIONS = `SELECT jti, user_id, token_version, device, created_at, expires_at FROM account_sessions
  WHERE user_id = $1 AND token_version = $2 AND expires_at > $3
  AND NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE revoked_tokens.jti = account_sessions.jti)`;

function createSessionStore(db: Database | undefined): SessionStore {
  const dropExpired = createCleanup('account_sessions', db);

  return {
    async add({ id, userId, tokenVersion, device, createdAt, expiresAt }, now) {
      await query(
        `WITH dropped AS (DELETE FROM account_sessions WHERE user_id = $2 AND token_version < $3)
         INSERT INTO account_sessions (jti, user_id, token_version, device, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, userId, tokenVersion, device ?? null, createdAt, expiresAt],
        db,
      );
      await dropExpired(now);
    },

    async list(userId, tokenVersion, now, limit) {
      const text = `${OPEN_SESSIONS} ORDER BY created_at DESC, jti LIMIT $4`;
      return (await query<SessionRow>(text, [userId, tokenVersion, now, limit], db)).map(toSession);
    },

    async find(userId, tokenVersion, now, id) {
      const text = `${OPEN_SESSIONS} AND jti = $4`;
      const [row] = await query<SessionRow>(text, [userId, tokenVersion, now, id], db);
      return row && toSession(row);
    },
  };
}

function createRecoveryStore(db: Database | undefined): RecoveryStore {
  const dropExpired = createCleanup('account_recovery_tokens', db);
  const inTransaction = <T>(work: (connection: Connection) => Promise<T>) => transaction(work, db && { db });

  return {
    async open({ tokenHash, purpose, userId, email, createdAt, expiresAt }: OpenRecovery, maxOpen, now) {
      await inTransaction(async (connection) => {
        // What is opened and used for one account happens one after the other.
        await connection.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
        await connection.query(
          `INSERT INTO account_recovery_tokens (token_hash, purpose, user_id, email, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [tokenHash, purpose, userId, email, createdAt, expiresAt],
        );
        // By id, because two tokens of one second have the same time.
        await connection.query(
          `DELETE FROM account_recovery_tokens WHERE id IN (
             SELECT id FROM account_recovery_tokens WHERE user_id = $1 AND purpose = $2 ORDER BY id DESC OFFSET $3)`,
          [userId, purpose, maxOpen],
        );
      });
      await dropExpired(now);
    },

    async find(purpose, tokenHash, now) {
      const [row] = await query<UserRow>(
        `SELECT ${USER} FROM account_recovery_tokens AS token
         JOIN users ON users.id = token.user_id AND users.email = token.email
         WHERE token.token_hash = $1 AND token.purpose = $2 AND token.expires_at > $3`,
        [tokenHash, purpose, now],
        db,
      );
      return row && toStoredUser(row);
    },

    resetPassword: (tokenHash, newHash, now) =>
      inTransaction(async (connection) => {
        // Those of the other purpose too: the address is verified now.
        const id = await useToken(connection, 'password_reset', tokenHash, now, '');
        const text = `UPDATE users SET password_hash = $2, token_version = token_version + 1 WHERE id = $1 RETURNING ${USER}`;
        return id === undefined ? undefined : readUser(connection, text, [id, newHash]);
      }),

    verifyEmail: (tokenHash, now) =>
      inTransaction(async (connection) => {
        const id = await useToken(connection, 'email_verification', tokenHash, now, 'AND purpose = $2');
        return id === undefined ? undefined : readUser(connection, `SELECT ${USER} FROM users WHERE id = $1`, [id]);
      }),

    async findVerifiedAt(userId) {
      const [row] = await query<{ readonly verified_at: BigInteger }>(
        `SELECT verified_at FROM account_verified_emails AS verified
         JOIN users ON users.id = verified.user_id AND users.email = verified.email WHERE users.id = $1`,
        [userId],
        db,
      );
      return row && Number(row.verified_at);
    },
  };
}

/** Deletes a usable token, and others of the account as `others` says; marks its address as verified. The id of the account. */
async function useToken(
  connection: Connection,
  purpose: RecoveryPurpose,
  tokenHash: string,
  now: number,
  others: '' | 'AND purpose = $2',
): Promise<BigInteger | undefined> {
  // A statement sees what was committed before it began: the next one begins when this account is locked.
  await connection.query(
    `SELECT 1 FROM users WHERE id IN (SELECT user_id FROM account_recovery_tokens WHERE token_hash = $1) FOR NO KEY UPDATE`,
    [tokenHash],
  );
  const { rows } = await connection.query<{ readonly user_id: BigInteger }>(
    `WITH used AS (
       SELECT token.user_id, token.email FROM account_recovery_tokens AS token
       JOIN users ON users.id = token.user_id AND users.email = token.email
       WHERE token.token_hash = $1 AND token.purpose = $2 AND token.expires_at > $3
     ), dropped AS (
       DELETE FROM account_recovery_tokens WHERE user_id IN (SELECT user_id FROM used) ${others}
     ), verified AS (
       INSERT INTO account_verified_emails (user_id, email, verified_at) SELECT user_id, email, $3 FROM used
       ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, verified_at = excluded.verified_at
       WHERE account_verified_emails.email <> excluded.email
     )
     SELECT user_id FROM used`,
    [tokenHash, purpose, now],
  );
  return rows[0]?.user_id;
}

async function readUser(connection: Connection, text: string, values: unknown[]): Promise<StoredUser | undefined> {
  const { rows } = await connection.query<UserRow>(text, values);
  return rows[0] && toStoredUser(rows[0]);
}

// Occasionally, and without an error: with every call, several processes would wait for each other's row locks.
function createCleanup(table: string, db: Database | undefined): (now: number) => Promise<void> {
  let droppedAt = 0;
  return async (now) => {
    if (now - droppedAt < DROP_INTERVAL_SECONDS) return;
    droppedAt = now;
    await query(`DELETE FROM ${table} WHERE expires_at <= $1`, [now], db).catch(() => {});
  };
}

function toStoredUser(row: UserRow): StoredUser {
  const id = Number(row.id);
  // An id that JSON cannot carry would be rounded to that of another account.
  if (!Number.isSafeInteger(id) || id <= 0) {
    const message = 'Cannot read an account: its id is not between 1 and 2^53. Let the identity column of "users" count from 1';
    throw new RangeError(message);
  }
  return {
    id,
    email: row.email,
    passwordHash: row.password_hash,
    tokenVersion: Number(row.token_version),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.jti,
    userId: Number(row.user_id),
    tokenVersion: Number(row.token_version),
    device: row.device ?? undefined,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}
