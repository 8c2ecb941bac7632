// What is stored of an account, the interface of a storage, and the storage in SQLite.

import type { Database, Migration } from '../sqlite/index.js';

interface NewUser { readonly email: string; readonly passwordHash: string; readonly createdAt: string }
export interface StoredUser extends NewUser { readonly id: number; readonly tokenVersion: number }
export interface AccountStore {
  findByEmail(email: string): Promise<StoredUser | undefined>;
  findById(id: number): Promise<StoredUser | undefined>;
  /** `undefined`: the e-mail is taken, which a unique index decides. No id is given twice. */
  insert(user: NewUser): Promise<StoredUser | undefined>;
  /** Replaces the hash where it still is `oldHash`; tokens stay valid. Returns whether it did. */
  replaceHash(id: number, oldHash: string, newHash: string): Promise<boolean>;
  /** Raises `tokenVersion`, which ends all tokens. Returns whether the account exists. */
  endTokens(id: number): Promise<boolean>;
}

// AUTOINCREMENT, because SQLite would give the id of a deleted account to the next one.
const sql = `
      CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        email TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        token_version INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL
      ) STRICT;
    `;
export const accountMigrations: readonly Migration[] = [{ id: '0001_account_create_users', sql }];
const USER = 'id, email, password_hash AS passwordHash, token_version AS tokenVersion, created_at AS createdAt';
// Version 3 ended single tokens at a logout, in tables that nothing reads now: all tokens of these accounts end, once.
const OLD_TABLES = "SELECT 1 FROM sqlite_schema WHERE name IN ('account_sessions', 'revoked_tokens')";
const END_LOGGED_OUT = `BEGIN; UPDATE users SET token_version = token_version + 1 WHERE id IN (
  SELECT user_id FROM account_sessions JOIN revoked_tokens USING (jti)); DELETE FROM revoked_tokens; COMMIT`;
/** Accounts in `db`, to which `accountMigrations` were applied. */
export function createSqliteStore(db: Database): AccountStore {
  if (db.prepare(OLD_TABLES).all().length === 2) db.exec(END_LOGGED_OUT);
  const byEmail = db.prepare<string, StoredUser>(`SELECT ${USER} FROM users WHERE email = ?`);
  const byId = db.prepare<number, StoredUser>(`SELECT ${USER} FROM users WHERE id = ?`);
  const insert = db.prepare<NewUser, StoredUser>(`INSERT INTO users (email, password_hash, created_at)
    VALUES (@email, @passwordHash, @createdAt) ON CONFLICT (email) DO NOTHING RETURNING ${USER}`);
  const replaceHash = db.prepare('UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?');
  const endTokens = db.prepare('UPDATE users SET token_version = token_version + 1 WHERE id = ?');
  return {
    findByEmail: async (email) => byEmail.get(email),
    findById: async (id) => byId.get(id),
    // Not `get`: it stops before SQLite commits, and would lose the error of a full disk.
    insert: async (user) => insert.all(user)[0],
    replaceHash: async (id, oldHash, newHash) => replaceHash.run(newHash, id, oldHash).changes === 1,
    endTokens: async (id) => endTokens.run(id).changes === 1,
  };
}
