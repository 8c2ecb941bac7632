// Reports and flags in the tables of both databases: their SQL is the same. A statement is stored as it is exported.

import { randomBytes } from 'node:crypto';

/** Runs one statement with the parameters `$1`, `$2` and so on, and returns its rows. */
export type RunSql = (
  name: string,
  text: string,
  values: readonly (string | number)[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** A report or flag as it is stored. */
export interface NewStatement {
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
        'add_reporter',
        'INSERT INTO reporters (user_id, account) SELECT id, $2 FROM users WHERE id = $1 ON CONFLICT DO NOTHING',
        [userId, `service:${randomBytes(ACCOUNT_BYTES).toString('hex')}`],
      );
      const select = 'SELECT account FROM reporters WHERE user_id = $1';
      const [row] = await run('find_reporter', select, [userId]);
      return row && String(row['account']);
    },

    async add(userId, { kind, id, build, version, day, receivedAt, line }) {
      await run(
        'add_statement',
        `INSERT INTO statements (user_id, kind, build, version, day, id, received_at, line)
          SELECT user_id, $2, $3, $4, $5, $6, $7, $8 FROM reporters WHERE user_id = $1 ON CONFLICT DO NOTHING`,
        [userId, kind, build, version, day, id, receivedAt, line],
      );
      const [row] = await run(
        'find_statement',
        'SELECT id FROM statements WHERE user_id = $1 AND kind = $2 AND build = $3 AND version = $4 AND day = $5',
        [userId, kind, build, version, day],
      );
      return row && String(row['id']);
    },

    async list(after, before, limit) {
      const rows = await run(
        'list_statements',
        'SELECT seq, line FROM statements WHERE seq > $1 AND received_at < $2 ORDER BY seq LIMIT $3',
        [after, before, limit],
      );
      return rows.map(({ seq, line }) => ({ cursor: Number(seq), line: String(line) }));
    },
  };
}
