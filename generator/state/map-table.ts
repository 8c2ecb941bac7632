/** The map of the log as the state remembers it: the digest of each document that decides, and that of each leaf. */
import { mapKey, type MapDocuments } from '../../format/log/map.ts';
import { Table } from './statements.ts';

export class MapTable extends Table {
  readonly #changed = new Set<number>();

  /** Records the digest of a document. @param sha256 lower-case hexadecimal */
  set(path: string, sha256: string): void {
    const sql = `INSERT INTO map_document VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET sha256 = excluded.sha256 WHERE sha256 <> excluded.sha256`;
    const key = mapKey(path);
    if (this.prepare(sql).run(key, path, sha256).changes > 0) this.#changed.add(key);
  }

  /** Forgets a document that is not part of the index any more. */
  delete(path: string): void {
    const key = mapKey(path);
    const { changes } = this.prepare('DELETE FROM map_document WHERE key = ? AND path = ?').run(
      key,
      path,
    );
    if (changes > 0) this.#changed.add(key);
  }

  /**
   * Records the digests of the documents that the head of a build names.
   * @returns those that it named before and does not name any more
   */
  setNamed(id: string, digests: readonly string[]): string[] {
    const rows = this.prepare('SELECT sha256 FROM head_document WHERE id = ?').all(id);
    this.prepare('DELETE FROM head_document WHERE id = ?').run(id);
    const insert = this.prepare('INSERT OR IGNORE INTO head_document VALUES (?, ?)');
    for (const sha256 of digests) insert.run(id, sha256);
    const before = (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
    return before.filter((one) => !digests.includes(one));
  }

  /** Digests of the documents that heads name. */
  named(): ReadonlySet<string> {
    const rows = this.prepare('SELECT sha256 FROM head_document').all() as { sha256: string }[];
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  count(): number {
    const row = this.prepare('SELECT count(*) AS n FROM map_document').get() as { n: number };
    return row.n;
  }

  /** Keys (`mapKey`) of the documents that this run changed. */
  changed(): ReadonlySet<number> {
    return this.#changed;
  }

  /** The documents with a key of at least `from` and below `to`. */
  documents(from: number, to: number): MapDocuments {
    const sql = 'SELECT path, sha256 FROM map_document WHERE key >= ? AND key < ?';
    const rows = this.prepare(sql).all(from, to) as { path: string; sha256: string }[];
    return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
  }

  /** The digest of each leaf, in order. */
  leaves(): string[] {
    const rows = this.prepare('SELECT sha256 FROM map_leaf ORDER BY at').all();
    return (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
  }

  setLeaves(leaves: readonly string[]): void {
    this.prepare('DELETE FROM map_leaf').run();
    for (const [at, sha256] of leaves.entries()) {
      this.prepare('INSERT INTO map_leaf VALUES (?, ?)').run(at, sha256);
    }
  }
}
