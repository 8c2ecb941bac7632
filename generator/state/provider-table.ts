/** Which builds the page of a build names as providers of a stack tag that it requires. */
import type Database from 'better-sqlite3';

export class ProviderTable {
  readonly #prepare: (sql: string) => Database.Statement;

  /** @param prepare compiles a statement, once for each text */
  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare;
  }

  /** The ids that the page of `id` names for `tag`; `undefined` where it names none because many would. */
  named(tag: string, id: string): readonly string[] | undefined {
    const sql = 'SELECT named FROM provider WHERE tag = ? AND id = ?';
    const row = this.#prepare(sql).get(tag, id) as { named: string } | undefined;
    return row?.named.split(' ').filter((one) => one !== '');
  }

  /** Builds whose pages name others for `tag`, or that there are none. */
  naming(tag: string): string[] {
    const rows = this.#prepare('SELECT id FROM provider WHERE tag = ?').all(tag);
    return (rows as { id: string }[]).map((row) => row.id);
  }

  /** Builds whose pages name `provider` for `tag`. */
  namingOne(tag: string, provider: string): string[] {
    const rows = this.#prepare('SELECT id, named FROM provider WHERE tag = ?').all(tag);
    return (rows as { id: string; named: string }[])
      .filter(({ named }) => named.split(' ').includes(provider))
      .map(({ id }) => id);
  }

  /** @returns whether the page names others than before */
  setNamed(tag: string, id: string, named: readonly string[] | undefined): boolean {
    const before = this.named(tag, id)?.join(' ');
    const after = named?.join(' ');
    if (before === after) return false;
    if (after === undefined) {
      this.#prepare('DELETE FROM provider WHERE tag = ? AND id = ?').run(tag, id);
    } else {
      this.#prepare('INSERT OR REPLACE INTO provider VALUES (?, ?, ?)').run(tag, id, after);
    }
    return true;
  }
}
