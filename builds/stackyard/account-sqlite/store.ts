// Accounts, sessions and recovery tokens over stackyard/sqlite, and the migrations of their tables.

import {
  type AccountStore, type OpenRecovery, type RecoveryPurpose, type RecoveryStore, type SessionStore, type StoredSession,
  type StoredUser, type UserStore,
} from '../account-core/index.js';
import { type Database, isUniqueViolation, type Migration } from '../sqlite/index.js';

/** The tables of this build. Never edit a migration that has been published: add another. */
export const accountMigrations: readonly Migration[] = [
  {
    // AUTOINCREMENT, since SQLite would give the id of a deleted account to the next one, and with it what still refers to it.
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

/** Accounts, sessions and recovery tokens in the tables of `accountMigrations`, which must have been applied to `db`. */
export function createSqliteStore(db: Database): Required<AccountStore> {
  return { users: createSqliteUserStore(db), sessions: createSqliteSessionStore(db), recoveries: createSqliteRecoveryStore(db) };
}

/** A row of table `users`. */
interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string;
  readonly token_version: number;
  readonly created_at: string;
}

/** The columns of `UserRow`. */
const USER_COLUMNS = 'id, email, password_hash, token_version, created_at';

function toStoredUser(row: UserRow | undefined): StoredUser | undefined {
  if (!row) return undefined;
  const { id, email, password_hash: passwordHash, token_version: tokenVersion, created_at: createdAt } = row;
  return { id, email, passwordHash, tokenVersion, createdAt };
}

/** Accounts, see `createSqliteStore`. */
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
  const replaceHash = db.prepare<[string, number, string]>('UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?');
  const replacePassword = db.prepare<[string, number, string], UserRow>(
    `UPDATE users SET password_hash = ?, token_version = token_version + 1 WHERE id = ? AND password_hash = ? RETURNING ${USER_COLUMNS}`,
  );
  const dropResets = db.prepare<[number]>("DELETE FROM account_recovery_tokens WHERE user_id = ? AND purpose = 'password_reset'");
  const changePassword = db.transaction((userId: number, oldHash: string, newHash: string) => {
    const [row] = replacePassword.all(newHash, userId, oldHash);
    if (row) dropResets.run(userId);
    return row;
  });
  const bumpVersion = db.prepare<[number]>('UPDATE users SET token_version = token_version + 1 WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM users WHERE id = ?');
  const revoke = db.prepare<[string, number]>('INSERT INTO revoked_tokens (jti, expires_at) VALUES (?, ?) ON CONFLICT (jti) DO NOTHING');
  const dropExpired = db.prepare<[number]>('DELETE FROM revoked_tokens WHERE expires_at <= ?');

  return {
    findByEmail: async (email) => toStoredUser(byEmail.get(email)),
    async findByToken(userId, tokenId) {
      const row = byToken.get(tokenId, userId);
      const user = toStoredUser(row);
      return row && user && { user, revoked: row.revoked === 1 };
    },
    async insert({ email, passwordHash, createdAt }) {
      try {
        return toStoredUser(insert.all(email, passwordHash, createdAt)[0]);
      } catch (error) {
        if (isUniqueViolation(error)) return undefined;
        throw error;
      }
    },
    replaceHash: async (userId, oldHash, newHash) => replaceHash.run(newHash, userId, oldHash).changes === 1,
    changePassword: async (userId, oldHash, newHash) => toStoredUser(changePassword.immediate(userId, oldHash, newHash)),
    bumpTokenVersion: async (userId) => bumpVersion.run(userId).changes === 1,
    delete: async (userId) => remove.run(userId).changes === 1,
    async revokeToken(tokenId, expiresAt, now) {
      dropExpired.run(now);
      revoke.run(tokenId, expiresAt);
    },
  };
}

interface SessionRow {
  readonly jti: string;
  readonly user_id: number;
  readonly token_version: number;
  readonly device: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

// Revoked ones are left out here, so that whoever revokes a token need not know of sessions.
const OPEN = `SELECT jti, user_id, token_version, device, created_at, expires_at FROM account_sessions
  WHERE user_id = ? AND token_version = ? AND expires_at > ?
  AND NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE revoked_tokens.jti = account_sessions.jti)`;

/** Sessions, see `createSqliteStore`. */
export function createSqliteSessionStore(db: Database): SessionStore {
  const insert = db.prepare<[string, number, number, string | null, number, number]>(
    'INSERT INTO account_sessions (jti, user_id, token_version, device, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropExpired = db.prepare<[number]>('DELETE FROM account_sessions WHERE expires_at <= ?');
  const dropEarlier = db.prepare<[number, number]>('DELETE FROM account_sessions WHERE user_id = ? AND token_version < ?');
  const list = db.prepare<[number, number, number, number], SessionRow>(`${OPEN} ORDER BY created_at DESC, jti LIMIT ?`);
  const find = db.prepare<[number, number, number, string], SessionRow>(`${OPEN} AND jti = ?`);
  const add = db.transaction(({ id, userId, tokenVersion, device, createdAt, expiresAt }: StoredSession, now: number) => {
    dropExpired.run(now);
    dropEarlier.run(userId, tokenVersion);
    insert.run(id, userId, tokenVersion, device ?? null, createdAt, expiresAt);
  });
  const toSession = ({ jti: id, user_id: userId, token_version: tokenVersion, device, created_at: createdAt, expires_at: expiresAt }: SessionRow) => ({
    id, userId, tokenVersion, device: device ?? undefined, createdAt, expiresAt,
  });
  return {
    add: async (session, now) => void add.immediate(session, now),
    list: async (userId, tokenVersion, now, limit) => list.all(userId, tokenVersion, now, limit).map(toSession),
    async find(userId, tokenVersion, now, id) {
      const row = find.get(userId, tokenVersion, now, id);
      return row && toSession(row);
    },
  };
}

/** Recovery tokens, see `createSqliteStore`. Each use is one transaction that takes the write lock before it reads: a token works once. */
export function createSqliteRecoveryStore(db: Database): RecoveryStore {
  const insert = db.prepare<[string, string, number, string, number, number]>(
    'INSERT INTO account_recovery_tokens (token_hash, purpose, user_id, email, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropExpired = db.prepare<[number]>('DELETE FROM account_recovery_tokens WHERE expires_at <= ?');
  // By id, because two tokens of one second have the same time.
  const dropOldest = db.prepare<[number, string, number]>(
    `DELETE FROM account_recovery_tokens WHERE id IN (
       SELECT id FROM account_recovery_tokens WHERE user_id = ? AND purpose = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  );
  const find = db.prepare<[string, string, number], UserRow>(
    `SELECT ${USER_COLUMNS.split(', ').map((name) => `users.${name}`).join(', ')}
     FROM account_recovery_tokens AS token JOIN users ON users.id = token.user_id AND users.email = token.email
     WHERE token.token_hash = ? AND token.purpose = ? AND token.expires_at > ?`,
  );
  const dropOfPurpose = db.prepare<[number, string]>('DELETE FROM account_recovery_tokens WHERE user_id = ? AND purpose = ?');
  const dropOfUser = db.prepare<[number]>('DELETE FROM account_recovery_tokens WHERE user_id = ?');
  const changePassword = db.prepare<[string, number], UserRow>(
    `UPDATE users SET password_hash = ?, token_version = token_version + 1 WHERE id = ? RETURNING ${USER_COLUMNS}`,
  );
  // The first time counts, unless the address is another one now.
  const markVerified = db.prepare<[number, string, number]>(
    `INSERT INTO account_verified_emails (user_id, email, verified_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, verified_at = excluded.verified_at
     WHERE account_verified_emails.email <> excluded.email`,
  );
  const verifiedAt = db
    .prepare<[number], number>(
      `SELECT verified_at FROM account_verified_emails AS verified
       JOIN users ON users.id = verified.user_id AND users.email = verified.email WHERE users.id = ?`,
    )
    .pluck();
  const open = db.transaction((recovery: OpenRecovery, maxOpen: number, now: number): void => {
    const { tokenHash, purpose, userId, email, createdAt, expiresAt } = recovery;
    dropExpired.run(now);
    insert.run(tokenHash, purpose, userId, email, createdAt, expiresAt);
    dropOldest.run(userId, purpose, maxOpen);
  });
  const findRow = (purpose: RecoveryPurpose, tokenHash: string, now: number) => find.get(tokenHash, purpose, now);
  const resetPassword = db.transaction((tokenHash: string, newHash: string, now: number): UserRow | undefined => {
    const user = findRow('password_reset', tokenHash, now);
    if (!user) return undefined;
    // Those of the other purpose too: the address is verified now.
    dropOfUser.run(user.id);
    markVerified.run(user.id, user.email, now);
    // `all`, as above.
    return changePassword.all(newHash, user.id)[0];
  });
  const verifyEmail = db.transaction((tokenHash: string, now: number): UserRow | undefined => {
    const user = findRow('email_verification', tokenHash, now);
    if (!user) return undefined;
    dropOfPurpose.run(user.id, 'email_verification');
    markVerified.run(user.id, user.email, now);
    return user;
  });
  return {
    open: async (recovery, maxOpen, now) => void open.immediate(recovery, maxOpen, now),
    find: async (purpose, tokenHash, now) => toStoredUser(findRow(purpose, tokenHash, now)),
    resetPassword: async (tokenHash, newHash, now) => toStoredUser(resetPassword.immediate(tokenHash, newHash, now)),
    verifyEmail: async (tokenHash, now) => toStoredUser(verifyEmail.immediate(tokenHash, now)),
    findVerifiedAt: async (userId) => verifiedAt.get(userId),
  };
}
