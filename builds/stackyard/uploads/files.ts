// The table of files. A row is written when its file is complete.

import { cutPage, FIRST_PAGE, type Page, RequestError } from '../module-routes/index.js';
import { portableMigrations, type Sql, statement } from '../sql/index.js';

/** A file that was stored, and whose it is. */
export interface StoredFile {
  readonly id: string;
  /** As text, whatever it is in the accounts. */
  readonly userId: string;
  /** For people. Never part of a path. */
  readonly name: string;
  /** By its content. */
  readonly type: string;
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

export interface FileRow extends StoredFile {
  readonly sha256: string | null;
  readonly requestKey: string | null;
}

export const uploadsMigrations = portableMigrations([
  {
    id: '0001_uploads_create_files',
    up: `CREATE TABLE uploads_files (
      id TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      size BIGINT NOT NULL,
      sha256 TEXT,
      created_at BIGINT NOT NULL,
      pending_until BIGINT,
      request_key TEXT,
      UNIQUE (user_id, request_key)
    );
    CREATE INDEX uploads_files_by_user ON uploads_files (user_id, created_at, id);
    CREATE TABLE uploads_users (user_id BIGINT PRIMARY KEY);
    CREATE TABLE uploads_store (id TEXT PRIMARY KEY)`,
  },
  {
    // Some accounts have texts as ids. Uploads that were pending for an hour at most are not of this version.
    id: '0002_uploads_user_ids_are_text',
    up: `CREATE TABLE uploads_files_2 (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      size BIGINT NOT NULL,
      sha256 TEXT,
      created_at BIGINT NOT NULL,
      request_key TEXT,
      UNIQUE (user_id, request_key)
    );
    INSERT INTO uploads_files_2 SELECT id, CAST(user_id AS TEXT), name, type, size, sha256, created_at, request_key
      FROM uploads_files WHERE pending_until IS NULL;
    DROP TABLE uploads_files;
    ALTER TABLE uploads_files_2 RENAME TO uploads_files;
    CREATE INDEX uploads_files_by_user ON uploads_files (user_id, created_at, id);
    DROP TABLE uploads_users;
    CREATE TABLE uploads_users (user_id TEXT PRIMARY KEY)`,
  },
]);

const COLUMNS =
  'id, user_id AS "userId", name, type, size, sha256, created_at AS "createdAt", request_key AS "requestKey"';
const USED = 'SELECT COALESCE(SUM(size), 0) AS bytes FROM uploads_files WHERE user_id = $1';

export type FileTable = ReturnType<typeof createFileTable>;

export function createFileTable(sql: Sql) {
  async function find(id: string): Promise<FileRow | undefined> {
    const [row] = await sql.query<FileRow>(`SELECT ${COLUMNS} FROM uploads_files WHERE id = $1`, [id]);
    return row;
  }

  return {
    find,
    /**
     * Adds a row, unless the user has one with the same request key: gives the row that is there then. Throws
     * `RequestError` where the files of the user would be larger than `userBytes` together.
     */
    add: (row: FileRow, userBytes: number): Promise<FileRow> =>
      sql.transaction(function* () {
        const { id, userId, name, type, size, sha256, createdAt, requestKey } = row;
        // The row of the user is locked until the end: another request of the same user waits, and then sees this file.
        const lock = 'INSERT INTO uploads_users VALUES ($1) ON CONFLICT (user_id) DO UPDATE SET user_id = $1';
        yield* statement(lock, [userId]);
        const same = `SELECT ${COLUMNS} FROM uploads_files WHERE user_id = $1 AND request_key = $2`;
        const [earlier] = requestKey === null ? [] : yield* statement<FileRow>(same, [userId, requestKey]);
        if (earlier) return earlier;
        const [used] = yield* statement<Used>(USED, [userId]);
        refuseBeyond(used, size, userBytes);
        const columns = 'id, user_id, name, type, size, sha256, created_at, request_key';
        const insert = `INSERT INTO uploads_files (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
        yield* statement(insert, [id, userId, name, type, size, sha256, createdAt, requestKey]);
        return row;
      }),
    /** Throws `RequestError` where `size` more bytes would be too many. */
    async checkSpace(userId: string, size: number, userBytes: number): Promise<void> {
      const [used] = await sql.query<Used>(USED, [userId]);
      refuseBeyond(used, size, userBytes);
    },
    /** Those of a user, newest first, and the place behind the page. */
    async list(userId: string, { limit, after }: Page = FIRST_PAGE) {
      const found = await sql.query<FileRow>(
        `SELECT ${COLUMNS} FROM uploads_files WHERE user_id = $1 AND (created_at < $2 OR (created_at = $2 AND id < $3))
         ORDER BY created_at DESC, id DESC LIMIT $4`,
        [userId, after.time, after.id, limit + 1],
      );
      const { rows, next } = cutPage(found, limit, ({ createdAt, id }) => ({ time: createdAt, id }));
      return { files: rows, next };
    },
    /** Whether the row was there. */
    async remove(id: string): Promise<boolean> {
      return (await sql.query('DELETE FROM uploads_files WHERE id = $1 RETURNING id', [id])).length > 0;
    },
    /** Removes all of a user, and gives their ids. */
    removeOf: (userId: string): Promise<string[]> =>
      sql.transaction(function* () {
        yield* statement('DELETE FROM uploads_users WHERE user_id = $1', [userId]);
        const remove = 'DELETE FROM uploads_files WHERE user_id = $1 RETURNING id';
        const rows = yield* statement<{ id: string }>(remove, [userId]);
        return rows.map(({ id }) => id);
      }),
    /** Ids behind `after` in their order, with the time of each. */
    ids: (after: string, limit: number) =>
      sql.query<{ readonly id: string; readonly at: number }>(
        'SELECT id, created_at AS at FROM uploads_files WHERE id > $1 ORDER BY id LIMIT $2',
        [after, limit],
      ),
    /** The id of the store that this database belongs to: the first one that was ever given. */
    storeId: (given: string): Promise<string> =>
      sql.transaction(function* () {
        const [row] = yield* statement<{ id: string }>('SELECT id FROM uploads_store ORDER BY id LIMIT 1');
        if (row) return row.id;
        yield* statement('INSERT INTO uploads_store (id) VALUES ($1)', [given]);
        return given;
      }),
  };
}

interface Used {
  readonly bytes: number;
}

function refuseBeyond(used: Used | undefined, size: number, userBytes: number): void {
  if ((used?.bytes ?? 0) + size <= userBytes) return;
  const message = `Your files would be larger than ${userBytes} bytes together: delete some first`;
  throw new RequestError(413, 'quota_exceeded', message);
}
