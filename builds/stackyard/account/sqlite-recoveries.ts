// The recovery tokens and verified addresses over stackyard/sqlite. Each use is one transaction that takes the write lock
// before it reads, so that a token works once, also for several processes.

import type { Database } from '../sqlite/index.js';
import type { OpenRecovery, RecoveryPurpose, RecoveryStore } from './recoveries.js';
import { toStoredUser, USER_COLUMNS, type UserRow } from './sqlite-users.js';

/** Recovery tokens in the tables of `accountMigrations`, which must have been applied to `db`. */
export function createSqliteRecoveryStore(db: Database): RecoveryStore {
  const insert = db.prepare<[string, string, number, string, number, number]>(
    `INSERT INTO account_recovery_tokens (token_hash, purpose, user_id, email, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
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
  const dropOfPurpose = db.prepare<[number, string]>(
    'DELETE FROM account_recovery_tokens WHERE user_id = ? AND purpose = ?',
  );
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
    // `all`, as in sqlite-users.ts.
    const [changed] = changePassword.all(newHash, user.id);
    return changed;
  });

  const verifyEmail = db.transaction((tokenHash: string, now: number): UserRow | undefined => {
    const user = findRow('email_verification', tokenHash, now);
    if (!user) return undefined;
    dropOfPurpose.run(user.id, 'email_verification');
    markVerified.run(user.id, user.email, now);
    return user;
  });

  return {
    async open(recovery, maxOpen, now) {
      open.immediate(recovery, maxOpen, now);
    },

    async find(purpose, tokenHash, now) {
      return toStoredUser(findRow(purpose, tokenHash, now));
    },

    async resetPassword(tokenHash, newHash, now) {
      return toStoredUser(resetPassword.immediate(tokenHash, newHash, now));
    },

    async verifyEmail(tokenHash, now) {
      return toStoredUser(verifyEmail.immediate(tokenHash, now));
    },

    async findVerifiedAt(userId) {
      return verifiedAt.get(userId);
    },
  };
}
