// The sessions over stackyard/sqlite.

import type { Database } from '../sqlite/index.js';
import type { SessionStore, StoredSession } from './sessions.js';

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

/** Sessions in the tables of `accountMigrations`, which must have been applied to `db`. */
export function createSqliteSessionStore(db: Database): SessionStore {
  const insert = db.prepare<[string, number, number, string | null, number, number]>(
    `INSERT INTO account_sessions (jti, user_id, token_version, device, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const dropExpired = db.prepare<[number]>('DELETE FROM account_sessions WHERE expires_at <= ?');
  const dropEarlier = db.prepare<[number, number]>(
    'DELETE FROM account_sessions WHERE user_id = ? AND token_version < ?',
  );
  const list = db.prepare<[number, number, number, number], SessionRow>(
    `${OPEN} ORDER BY created_at DESC, jti LIMIT ?`,
  );
  const find = db.prepare<[number, number, number, string], SessionRow>(`${OPEN} AND jti = ?`);
  const add = db.transaction(({ id, userId, tokenVersion, device, createdAt, expiresAt }: StoredSession, now: number) => {
    dropExpired.run(now);
    dropEarlier.run(userId, tokenVersion);
    insert.run(id, userId, tokenVersion, device ?? null, createdAt, expiresAt);
  });

  return {
    async add(session, now) {
      add.immediate(session, now);
    },

    async list(userId, tokenVersion, now, limit) {
      return list.all(userId, tokenVersion, now, limit).map(toSession);
    },

    async find(userId, tokenVersion, now, id) {
      const row = find.get(userId, tokenVersion, now, id);
      return row && toSession(row);
    },
  };
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.jti,
    userId: row.user_id,
    tokenVersion: row.token_version,
    device: row.device ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
