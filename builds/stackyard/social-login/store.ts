// What the database has: attempts to log in that a provider is to answer, logins that a browser is to fetch, and which account
// belongs to whom at a provider. Of secrets only SHA-256; each is used once, in the statement that deletes it.

import { createHash, randomUUID } from 'node:crypto';
import { portableMigrations, type Sql, statement } from '../sql/index.js';

export const socialLoginMigrations = portableMigrations([
  {
    id: '0001_social_login_create_identities',
    up: `CREATE TABLE social_identities (
      id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, provider TEXT NOT NULL, issuer TEXT NOT NULL, subject TEXT NOT NULL,
      email TEXT, created_at BIGINT NOT NULL, UNIQUE (issuer, subject))`,
  },
  { id: '0002_social_login_index_identities', up: 'CREATE INDEX social_identities_user ON social_identities (user_id)' },
  {
    id: '0003_social_login_create_attempts',
    up: `CREATE TABLE social_attempts (
      state_hash TEXT PRIMARY KEY, browser_hash TEXT NOT NULL, provider TEXT NOT NULL, verifier TEXT NOT NULL, nonce TEXT NOT NULL,
      return_to TEXT NOT NULL, wants_cookie BIGINT NOT NULL, user_id BIGINT, expires_at BIGINT NOT NULL)`,
  },
  { id: '0004_social_login_create_logins', up: 'CREATE TABLE social_logins (code_hash TEXT PRIMARY KEY, user_id BIGINT NOT NULL, expires_at BIGINT NOT NULL)' },
  { id: '0005_social_login_create_passwordless', up: 'CREATE TABLE social_passwordless (user_id BIGINT PRIMARY KEY, hash TEXT NOT NULL)' },
]);

export interface Attempt {
  readonly provider: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  /** 1 where the session is to be in a cookie. */
  readonly wantsCookie: number;
  /** Who links another way to log in; null for a login. */
  readonly userId: number | null;
}

export interface Identity {
  readonly id: string;
  readonly userId: number;
  readonly provider: string;
  readonly email: string | null;
  readonly createdAt: number;
}

const IDENTITY = 'id, user_id AS "userId", provider, email, created_at AS "createdAt"';

/** SHA-256 for secrets of 256 random bits, which nobody can guess. */
export function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function createSocialStore(sql: Sql) {
  return {
    async addAttempt(state: string, browser: string, attempt: Attempt, now: number, expiresAt: number): Promise<void> {
      await sql.query('DELETE FROM social_attempts WHERE expires_at <= $1', [now]);
      const { provider, verifier, nonce, returnTo, wantsCookie, userId } = attempt;
      await sql.query(
        `INSERT INTO social_attempts (state_hash, browser_hash, provider, verifier, nonce, return_to, wants_cookie, user_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [hash(state), hash(browser), provider, verifier, nonce, returnTo, wantsCookie, userId, expiresAt],
      );
    },

    /** Uses up the attempt of a state, which only the browser that began it can do. */
    async takeAttempt(state: string, browser: string, provider: string, now: number): Promise<Attempt | undefined> {
      const [attempt] = await sql.query<Attempt>(
        `DELETE FROM social_attempts WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3 AND expires_at > $4
         RETURNING provider, verifier, nonce, return_to AS "returnTo", wants_cookie AS "wantsCookie", user_id AS "userId"`,
        [hash(state), hash(browser), provider, now],
      );
      return attempt;
    },

    async addLogin(code: string, userId: number, now: number, expiresAt: number): Promise<void> {
      await sql.query('DELETE FROM social_logins WHERE expires_at <= $1', [now]);
      await sql.query('INSERT INTO social_logins (code_hash, user_id, expires_at) VALUES ($1, $2, $3)', [hash(code), userId, expiresAt]);
    },

    async takeLogin(code: string, now: number): Promise<number | undefined> {
      const [login] = await sql.query<{ userId: number }>(
        'DELETE FROM social_logins WHERE code_hash = $1 AND expires_at > $2 RETURNING user_id AS "userId"',
        [hash(code), now],
      );
      return login?.userId;
    },

    async find(issuer: string, subject: string): Promise<Identity | undefined> {
      const [identity] = await sql.query<Identity>(`SELECT ${IDENTITY} FROM social_identities WHERE issuer = $1 AND subject = $2`, [issuer, subject]);
      return identity;
    },

    /** Returns whose identity it is then: it belongs to the account that was first. */
    async add(userId: number, provider: string, issuer: string, subject: string, email: string | undefined, now: number): Promise<number | undefined> {
      await sql.query(
        `INSERT INTO social_identities (id, user_id, provider, issuer, subject, email, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (issuer, subject) DO NOTHING`,
        [randomUUID(), userId, provider, issuer, subject, email ?? null, now],
      );
      return (await this.find(issuer, subject))?.userId;
    },

    list: (userId: number): Promise<Identity[]> =>
      sql.query<Identity>(`SELECT ${IDENTITY} FROM social_identities WHERE user_id = $1 ORDER BY created_at, id`, [userId]),

    /** Removes an identity of the account, unless it is the last one and `mayBeLast` is false. */
    remove(userId: number, id: string, mayBeLast: boolean): Promise<'removed' | 'unknown' | 'last'> {
      return sql.transaction(function* () {
        // Locks the rows, so that of two requests at the same time the second sees what the first has done.
        const all = yield* statement<{ id: string }>('UPDATE social_identities SET user_id = user_id WHERE user_id = $1 RETURNING id', [userId]);
        if (!all.some((identity) => identity.id === id)) return 'unknown';
        if (all.length === 1 && !mayBeLast) return 'last';
        yield* statement('DELETE FROM social_identities WHERE id = $1', [id]);
        return 'removed';
      });
    },

    /** Remembers that nobody knows the password whose hash this is. */
    async markPasswordless(userId: number, passwordHash: string): Promise<void> {
      await sql.query(
        'INSERT INTO social_passwordless (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash',
        [userId, hash(passwordHash)],
      );
    },

    async isPasswordless(userId: number, passwordHash: string): Promise<boolean> {
      const rows = await sql.query('SELECT user_id FROM social_passwordless WHERE user_id = $1 AND hash = $2', [userId, hash(passwordHash)]);
      return rows.length > 0;
    },

    async removeUser(userId: number): Promise<void> {
      for (const table of ['social_identities', 'social_attempts', 'social_logins', 'social_passwordless']) {
        await sql.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
      }
    },
  };
}

export type SocialStore = ReturnType<typeof createSocialStore>;
