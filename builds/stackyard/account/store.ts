// What is stored of an account, the interface of a storage, and the storage in SQLite.

import { type Database, isUniqueViolation, type Migration } from '../sqlite/index.js';

export interface StoredUser {
  readonly id: number;
  readonly email: string;
  readonly passwordHash: string;
  /** Raised to end all tokens of the account. */
  readonly tokenVersion: number;
  readonly createdAt: string;
}

export interface AccountStore {
  findByEmail(email: string): Promise<StoredUser | undefined>;
  findById(id: number): Promise<StoredUser | undefined>;
  /** `undefined` where the e-mail is taken, which a unique index decides. No id is given twice. */
  insert(user: Pick<StoredUser, 'email' | 'passwordHash' | 'createdAt'>): Promise<StoredUser | undefined>;
  /** Replaces the hash where it still is `oldHash`; tokens stay valid. Returns whether it did. */
  replaceHash(id: number, oldHash: string, newHash: string): Promise<boolean>;
  /** Raises `tokenVersion`. Returns whether the account exists. */
  endTokens(id: number): Promise<boolean>;
}

// AUTOINCREMENT, because SQLite would give the id of a deleted account to the next one.
const CREATE_USERS = `
      CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        email TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        token_version INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL
      ) STRICT;
    `;

export const accountMigrations: readonly Migration[] = [{ id: '0001_account_create_users', sql: CREATE_USERS }];

const USER = 'id, email, password_hash AS passwordHash, token_version AS tokenVersion, created_at AS createdAt';

/** Accounts in `db`, to which `accountMigrations` were applied. */
export function createSqliteStore(db: Database): AccountStore {
  const byEmail = db.prepare<[string], StoredUser>(`SELECT ${USER} FROM users WHERE email = ?`);
  const byId = db.prepare<[number], StoredUser>(`SELECT ${USER} FROM users WHERE id = ?`);
  const insert = db.prepare<[string, string, string], StoredUser>(
    `INSERT INTO users (email, password_hash, created_at) VALUES (?, ?, ?) RETURNING ${USER}`,
  );
  const replace = db.prepare('UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?');
  const raise = db.prepare('UPDATE users SET token_version = token_version + 1 WHERE id = ?');
  return {
    findByEmail: async (email) => byEmail.get(email),
    findById: async (id) => byId.get(id),
    async insert({ email, passwordHash, createdAt }) {
      try {
        // Not `get`: it stops before SQLite commits, and would lose the error of a full disk.
        return insert.all(email, passwordHash, createdAt)[0];
      } catch (error) {
        if (isUniqueViolation(error)) return undefined;
        throw error;
      }
    },
    replaceHash: async (id, oldHash, newHash) => replace.run(newHash, id, oldHash).changes === 1,
    endTokens: async (id) => raise.run(id).changes === 1,
  };
}
