/** The map of the log as the state remembers it: the digest of each document that decides, and that of each leaf. Also those that heads name. */
import { mapKey, type MapDocuments } from '../../format/log/map.ts';
import { Table } from './statements.ts';

export class MapTable extends Table {
  readonly #changed = new Set<number>();
  readonly #dropped = new Set<string>();

  /** Records the digest of a document. @param sha256 lower-case hexadecimal; `undefined` for one that is gone */
  set(path: string, sha256: string | undefined): void {
    const key = mapKey(path);
    const find = this.prepare('SELECT sha256 FROM map_document WHERE key = ? AND path = ?');
    const before = (find.get(key, path) as { sha256: string } | undefined)?.sha256;
    if (before === sha256) return;
    const remove = 'DELETE FROM map_document WHERE key = ? AND path = ?';
    if (sha256 === undefined) this.prepare(remove).run(key, path);
    else
      this.prepare('INSERT OR REPLACE INTO map_document VALUES (?, ?, ?)').run(key, path, sha256);
    this.#changed.add(key);
    this.#replace([before ?? []].flat(), [sha256 ?? []].flat());
  }

  /** Records the digests of the documents that the head of a build names. */
  setNamed(id: string, digests: readonly string[]): void {
    const rows = this.prepare('SELECT sha256 FROM head_document WHERE id = ?').all(id);
    this.prepare('DELETE FROM head_document WHERE id = ?').run(id);
    const insert = this.prepare('INSERT OR IGNORE INTO head_document VALUES (?, ?)');
    for (const sha256 of digests) insert.run(id, sha256);
    const before = (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
    this.#replace(before, digests);
  }

  /** Digests of the documents that this run replaced. */
  dropped(): string[] {
    return [...this.#dropped];
  }

  /** Digests of all documents that clients read. */
  digests(): ReadonlySet<string> {
    const sql = `SELECT sha256 FROM map_document WHERE path NOT LIKE 'client/%'
      UNION SELECT sha256 FROM head_document`;
    const rows = this.prepare(sql).all() as { sha256: string }[];
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  #replace(before: readonly string[], after: readonly string[]): void {
    for (const one of before) this.#dropped.add(one);
    for (const one of after) this.#dropped.delete(one);
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
