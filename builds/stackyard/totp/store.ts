// What the database has of second factors: for each account one secret, encrypted, and the hashes of its recovery codes. What
// decides is one statement each, so that of several requests at the same time one succeeds.

import { portableMigrations, type Sql, statement } from '../sql/index.js';

export const totpMigrations = portableMigrations([
  {
    id: '0001_totp_create',
    up: `CREATE TABLE totp_secrets (
      user_id BIGINT PRIMARY KEY, secret TEXT NOT NULL, created_at BIGINT NOT NULL, confirmed_at BIGINT,
      last_step BIGINT NOT NULL, failures BIGINT NOT NULL, blocked_until BIGINT NOT NULL)`,
  },
  { id: '0002_totp_create_recovery', up: 'CREATE TABLE totp_recovery_codes (user_id BIGINT NOT NULL, code_hash TEXT NOT NULL, PRIMARY KEY (user_id, code_hash))' },
]);

/** The second factor of an account; it counts once it is confirmed. Times are milliseconds since 1970. */
export interface Factor {
  /** As `SecretBox.seal` made it. */
  readonly secret: string;
  readonly confirmedAt: number | null;
  /** Wrong codes since the last right one. */
  readonly failures: number;
  readonly blockedUntil: number;
}

/** So many wrong codes one after the other, and only a recovery code is accepted (NIST SP 800-63B-4, section 3.2.2). */
export const MAX_FAILURES = 100;

const FIELDS = 'secret, confirmed_at AS "confirmedAt", failures, blocked_until AS "blockedUntil"';

export function createTotpStore(sql: Sql) {
  function* replaceCodes(userId: number, hashes: readonly string[]) {
    yield* statement('DELETE FROM totp_recovery_codes WHERE user_id = $1', [userId]);
    for (const hash of hashes) yield* statement('INSERT INTO totp_recovery_codes (user_id, code_hash) VALUES ($1, $2)', [userId, hash]);
  }
  return {
    async find(userId: number): Promise<Factor | undefined> {
      const [factor] = await sql.query<Factor>(`SELECT ${FIELDS} FROM totp_secrets WHERE user_id = $1`, [userId]);
      return factor;
    },

    /** Stores a secret to be confirmed, in place of one that was not. Returns false where a confirmed one is there. */
    async begin(userId: number, secret: string, now: number): Promise<boolean> {
      const rows = await sql.query(
        `INSERT INTO totp_secrets (user_id, secret, created_at, last_step, failures, blocked_until) VALUES ($1, $2, $3, -1, 0, 0)
         ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = -1, failures = 0, blocked_until = 0
         WHERE totp_secrets.confirmed_at IS NULL RETURNING user_id`,
        [userId, secret, now],
      );
      return rows.length > 0;
    },

    /**
     * Counts an attempt as wrong before its code is compared, so that many at once get no further than one after the other:
     * after 5 a minute passes before the next, after 10 an hour. `undefined` where it is not admitted.
     */
    async attempt(userId: number, now: number): Promise<Factor | undefined> {
      const [factor] = await sql.query<Factor>(
        `UPDATE totp_secrets SET failures = failures + 1,
           blocked_until = CASE WHEN failures < 4 THEN 0 WHEN failures < 9 THEN CAST($2 AS BIGINT) + 60000 ELSE CAST($2 AS BIGINT) + 3600000 END
         WHERE user_id = $1 AND blocked_until <= $2 AND failures < ${MAX_FAILURES} RETURNING ${FIELDS}`,
        [userId, now],
      );
      return factor;
    },

    /** Takes the code of a step, once: later only codes of later steps count (RFC 6238 section 5.2). Returns whether it was taken. */
    async accept(userId: number, secret: string, step: number): Promise<boolean> {
      const rows = await sql.query(
        `UPDATE totp_secrets SET last_step = $3, failures = 0, blocked_until = 0
         WHERE user_id = $1 AND secret = $2 AND last_step < $3 RETURNING user_id`,
        [userId, secret, step],
      );
      return rows.length > 0;
    },

    /** From now on the secret counts. Returns whether it was the one to be confirmed. */
    confirm(userId: number, secret: string, hashes: readonly string[], now: number): Promise<boolean> {
      return sql.transaction(function* () {
        const rows = yield* statement(
          'UPDATE totp_secrets SET confirmed_at = $3 WHERE user_id = $1 AND secret = $2 AND confirmed_at IS NULL RETURNING user_id',
          [userId, secret, now],
        );
        if (rows.length === 0) return false;
        yield* replaceCodes(userId, hashes);
        return true;
      });
    },

    replaceCodes: (userId: number, hashes: readonly string[]): Promise<void> => sql.transaction(() => replaceCodes(userId, hashes)),

    /** Uses up a recovery code. Returns whether there was such a code. */
    useCode(userId: number, hash: string): Promise<boolean> {
      return sql.transaction(function* () {
        const rows = yield* statement('DELETE FROM totp_recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id', [userId, hash]);
        if (rows.length === 0) return false;
        yield* statement('UPDATE totp_secrets SET failures = 0, blocked_until = 0 WHERE user_id = $1', [userId]);
        return true;
      });
    },

    async countCodes(userId: number): Promise<number> {
      const [row] = await sql.query<{ count: number }>('SELECT COUNT(*) AS count FROM totp_recovery_codes WHERE user_id = $1', [userId]);
      return row?.count ?? 0;
    },

    remove(userId: number): Promise<void> {
      return sql.transaction(function* () {
        yield* statement('DELETE FROM totp_secrets WHERE user_id = $1', [userId]);
        yield* statement('DELETE FROM totp_recovery_codes WHERE user_id = $1', [userId]);
      });
    },
  };
}

export type TotpStore = ReturnType<typeof createTotpStore>;
