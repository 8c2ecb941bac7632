import { randomBytes } from 'node:crypto';
import type { RunSql } from './database.ts';

// Reports and flags in the tables of both databases: their SQL is the same. A statement is stored as it is exported.

/** A report or flag as it is stored. */
interface NewStatement {
  readonly kind: 'report' | 'flag';
  readonly id: string;
  readonly build: string;
  readonly version: string;
  readonly day: string;
  readonly receivedAt: string;
  /** The line of the export. */
  readonly line: string;
}

/** A line of the export, and where it is among those of its table. */
export interface StoredLine {
  readonly cursor: number;
  readonly line: string;
}

export interface StatementStore {
  /** The opaque account that statements of this user name, made on first use; `undefined` when the user is gone. */
  accountOf(userId: number): Promise<string | undefined>;
  /**
   * Stores the user's first statement of a kind about a version on a day. Returns the id of the stored statement,
   * which is an earlier one if there is one; `undefined` when the user is gone.
   */
  add(userId: number, statement: NewStatement): Promise<string | undefined>;
  /** The lines after a cursor that arrived before `before`, in order of their cursors. */
  list(after: number, before: string, limit: number): Promise<readonly StoredLine[]>;
}

const ACCOUNT_BYTES = 20;

/** Statements in the tables `reporters` and `statements`, accessed through `run`. */
export function createStatementStore(run: RunSql): StatementStore {
  return {
    async accountOf(userId) {
      await run(
        'INSERT INTO reporters (user_id, account) SELECT id, $2 FROM users WHERE id = $1 ON CONFLICT DO NOTHING',
        [userId, `service:${randomBytes(ACCOUNT_BYTES).toString('hex')}`],
      );
      const select = 'SELECT account FROM reporters WHERE user_id = $1';
      const [row] = await run(select, [userId]);
      return row && String(row['account']);
    },

    async add(userId, { kind, id, build, version, day, receivedAt, line }) {
      await run(
        `INSERT INTO statements (user_id, kind, build, version, day, id, received_at, line)
          SELECT user_id, $2, $3, $4, $5, $6, $7, $8 FROM reporters WHERE user_id = $1 ON CONFLICT DO NOTHING`,
        [userId, kind, build, version, day, id, receivedAt, line],
      );
      const [row] = await run(
        'SELECT id FROM statements WHERE user_id = $1 AND kind = $2 AND build = $3 AND version = $4 AND day = $5',
        [userId, kind, build, version, day],
      );
      return row && String(row['id']);
    },

    async list(after, before, limit) {
      const rows = await run(
        'SELECT seq, line FROM statements WHERE seq > $1 AND received_at < $2 ORDER BY seq LIMIT $3',
        [after, before, limit],
      );
      return rows.map(({ seq, line }) => ({ cursor: Number(seq), line: String(line) }));
    },
  };
}

// Reports and flags of CI runs, and the tokens that they have used, in the tables of both databases.

export interface CiStatementStore {
  /** Notes that a token was used until it expires. Returns whether this is the first time. */
  useToken(digest: string, expiresAt: number): Promise<boolean>;
  /** Stores an account's first statement of a kind about a version on a day, and returns the id of the stored one. */
  add(account: string, statement: NewStatement): Promise<string>;
  /** As `list` of `StatementStore`. */
  list(after: number, before: string, limit: number): Promise<readonly StoredLine[]>;
}

const DROP_INTERVAL_MS = 60_000;

/** Statements in the tables `ci_statements` and `ci_tokens`, accessed through `run`. */
export function createCiStatementStore(run: RunSql): CiStatementStore {
  let droppedAt = 0;
  return {
    async useToken(digest, expiresAt) {
      const now = Date.now();
      if (now - droppedAt >= DROP_INTERVAL_MS) {
        droppedAt = now;
        const drop = 'DELETE FROM ci_tokens WHERE expires_at < $1';
        await run(drop, [Math.floor(now / 1000)]);
      }
      const rows = await run(
        'INSERT INTO ci_tokens (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING digest',
        [digest, expiresAt],
      );
      return rows.length > 0;
    },

    async add(account, { kind, id, build, version, day, receivedAt, line }) {
      await run(
        `INSERT INTO ci_statements (account, kind, build, version, day, id, received_at, line)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [account, kind, build, version, day, id, receivedAt, line],
      );
      const [row] = await run(
        'SELECT id FROM ci_statements WHERE account = $1 AND kind = $2 AND build = $3 AND version = $4 AND day = $5',
        [account, kind, build, version, day],
      );
      return String(row?.['id']);
    },

    async list(after, before, limit) {
      const rows = await run(
        'SELECT seq, line FROM ci_statements WHERE seq > $1 AND received_at < $2 ORDER BY seq LIMIT $3',
        [after, before, limit],
      );
      return rows.map(({ seq, line }) => ({ cursor: Number(seq), line: String(line) }));
    },
  };
}
