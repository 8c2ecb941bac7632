/** The entries and hashes of the log, as the state remembers them. */
import { Table } from './statements.ts';

/** Where a version was published: in the log and in git. */
export interface VersionPlace {
  readonly version: string;
  readonly index: number;
  readonly commit: string;
  readonly tree: string;
}

export class LogTable extends Table {
  /** How many entries there are. */
  size(): number {
    const row = this.prepare('SELECT coalesce(max(at) + 1, 0) AS n FROM log_entry').get() as {
      n: number;
    };
    return row.n;
  }

  /** Adds the entry after the last one. */
  addEntry(index: number, text: Uint8Array): void {
    this.prepare('INSERT INTO log_entry VALUES (?, ?)').run(index, text);
  }

  /** Adds the entry of a map: with it a signed run ends, so that the log has a checkpoint of this size. */
  addMap(index: number, text: Uint8Array): void {
    this.addEntry(index, text);
    this.prepare('INSERT INTO log_map VALUES (?)').run(index + 1);
  }

  /** Whether the log had a size in `[from, to)` whose last entry is that of a map. */
  hasMap(from: number, to: number): boolean {
    const sql = 'SELECT 1 FROM log_map WHERE size >= ? AND size < ? LIMIT 1';
    return this.prepare(sql).get(from, to) !== undefined;
  }

  /** The bytes of the entries `[from, to)`. */
  entries(from: number, to: number): Uint8Array[] {
    const sql = 'SELECT entry FROM log_entry WHERE at >= ? AND at < ? ORDER BY at';
    return (this.prepare(sql).all(from, to) as { entry: Buffer }[]).map((row) => row.entry);
  }

  /** Records which entry publishes a version. */
  setIndex(id: string, version: string, index: number): void {
    const sql = 'UPDATE version SET log_index = ? WHERE id = ? AND version = ?';
    this.prepare(sql).run(index, id, version);
  }

  /** Whether an entry publishes this version; without a version, any of `id`. */
  has(id: string, version?: string): boolean {
    return this.placesOf(id).some((place) => version === undefined || place.version === version);
  }

  placesOf(id: string): VersionPlace[] {
    const columns = 'version, log_index AS "index", commit_oid AS "commit", tree';
    const sql = `SELECT ${columns} FROM version WHERE id = ? AND log_index IS NOT NULL`;
    return this.prepare(sql).all(id) as VersionPlace[];
  }

  /** Adds a hash above the leaves. @param level of the tile that has it, from 1 */
  addHash(level: number, at: number, hash: Uint8Array): void {
    this.prepare('INSERT OR REPLACE INTO log_hash VALUES (?, ?, ?)').run(level, at, hash);
  }

  hashes(level: number, from: number, to: number): Uint8Array[] {
    const sql = 'SELECT hash FROM log_hash WHERE level = ? AND at >= ? AND at < ? ORDER BY at';
    type Row = { hash: Buffer };
    return (this.prepare(sql).all(level, from, to) as Row[]).map((row) => row.hash);
  }
}
