/**
 * What ingesting remembers: a SQLite file that only its owner may read, outside the published tree.
 * Unlike the generator's state it is no cache: only this file records what was counted.
 *
 * Addresses are not in it. A day has a random salt and salted hashes of clients as long as it is open;
 * when it is closed both are deleted, its counts stay, and lines about it are refused.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { formatDay } from '../../format/statement/day.ts';
import { explainSqlite, Statements } from '../state/statements.ts';

const SALT_BYTES = 32;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS day (day INTEGER PRIMARY KEY, salt BLOB, opened INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS seen (
    id TEXT, version TEXT, day INTEGER, client BLOB,
    PRIMARY KEY (id, version, day, client)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS closed (
    id TEXT, month TEXT, version TEXT, count INTEGER, newest INTEGER,
    PRIMARY KEY (id, month, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS unwritten (id TEXT PRIMARY KEY) WITHOUT ROWID;
  DROP TABLE IF EXISTS statement;
`;
/** Version 0.1.0 had sketches: their counts stay as they are, and their days are closed. */
const CLOSE_SKETCHES = `
  INSERT INTO closed
    SELECT id, strftime('%Y-%m', day * 86400, 'unixepoch'), version, count, day FROM sketch WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count, newest = max(newest, excluded.newest);
  UPDATE day SET salt = NULL WHERE day IN (SELECT day FROM sketch);
  DROP TABLE sketch;
`;
const LOSS_HINT =
  'restore it from a copy; without it logs that were counted before must not be given again';

/** Downloads of a build: month to version to count, and the newest day on which there was one. */
interface CountedMonths {
  readonly months: Record<string, Record<string, number>>;
  readonly newest: number;
}

export class IngestState {
  readonly #db: Database.Database;
  readonly #sql: Statements;

  /**
   * Opens the state at `file`, created when it is missing, and takes its lock until `close`.
   * @throws {GeneratorError} `ERR_STATE`
   */
  constructor(file: string) {
    try {
      this.#db = new Database(file, { timeout: 1_000 });
      this.#sql = new Statements(this.#db);
      chmodSync(file, 0o600);
      this.#db.pragma('locking_mode = EXCLUSIVE');
      // Salts and hashes must be gone when they are deleted.
      this.#db.pragma('secure_delete = ON');
      const hasSketches = this.#sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'sketch'");
      const close = hasSketches === undefined ? '' : CLOSE_SKETCHES;
      this.#db.exec(`BEGIN IMMEDIATE; ${SCHEMA} ${close} COMMIT`);
    } catch (error) {
      throw explainSqlite(error, file, LOSS_HINT);
    }
  }

  close(): void {
    this.rollback();
    this.#db.close();
  }

  begin(): void {
    this.#db.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#db.exec('COMMIT');
  }

  rollback(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  /** The salt of a day, which is opened with it; `undefined` once the day is closed. */
  saltOf(day: number, today: number): Buffer | undefined {
    const known = this.#sql.get<{ salt: Buffer | null }>('SELECT salt FROM day WHERE day = ?', day);
    if (known !== undefined) return known.salt ?? undefined;
    const salt = randomBytes(SALT_BYTES);
    this.#sql.run('INSERT INTO day VALUES (?, ?, ?)', day, salt, today);
    return salt;
  }

  /** Counts a client once for each day and version. */
  count(day: number, id: string, version: string, client: Buffer): void {
    const row = [id, version, day, client] as const;
    if (this.#sql.run('INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)', ...row) > 0)
      this.#sql.run('INSERT OR IGNORE INTO unwritten VALUES (?)', id);
  }

  /** Closes the days that ended, and were opened, more than `keep` days before `today`. */
  closeDays(today: number, keep: number): number {
    const sql = 'SELECT day FROM day WHERE salt IS NOT NULL AND max(day, opened) < ?';
    const days = this.#sql.all<{ day: number }>(sql, today - keep);
    for (const { day } of days) {
      this.#sql.run(
        `INSERT INTO closed SELECT id, ?, version, count(*), day FROM seen WHERE day = ? GROUP BY id, version
         ON CONFLICT DO UPDATE SET count = count + excluded.count, newest = max(newest, excluded.newest)`,
        formatDay(day).slice(0, 7),
        day,
      );
      this.#sql.run('DELETE FROM seen WHERE day = ?', day);
      this.#sql.run('UPDATE day SET salt = NULL WHERE day = ?', day);
    }
    return days.length;
  }

  /** Ids whose counts are newer than their files under `signals/`. */
  unwritten(): string[] {
    return this.#sql
      .all<{ id: string }>('SELECT id FROM unwritten ORDER BY id')
      .map((row) => row.id);
  }

  setWritten(id: string): void {
    this.#sql.run('DELETE FROM unwritten WHERE id = ?', id);
  }

  countedMonths(id: string): CountedMonths {
    const months: Record<string, Record<string, number>> = {};
    let newest = 0;
    const add = (month: string, version: string, count: number, day: number): void => {
      const versions = (months[month] ??= {});
      versions[version] = (versions[version] ?? 0) + count;
      newest = Math.max(newest, day);
    };
    type Closed = { month: string; version: string; count: number; newest: number };
    for (const row of this.#sql.all<Closed>('SELECT * FROM closed WHERE id = ?', id)) {
      add(row.month, row.version, row.count, row.newest);
    }
    type Open = { day: number; version: string; count: number };
    const sql =
      'SELECT day, version, count(*) AS count FROM seen WHERE id = ? GROUP BY day, version';
    for (const { day, version, count } of this.#sql.all<Open>(sql, id)) {
      add(formatDay(day).slice(0, 7), version, count, day);
    }
    return { months, newest };
  }
}
