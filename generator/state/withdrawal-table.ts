/** What the state knows about withdrawals: which versions are withdrawn, and what requires them. */
import type Database from 'better-sqlite3';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { withdrawals } from '../../format/registry/withdrawals.ts';

/** What a version of a build requires. */
export interface Requirement {
  readonly version: string;
  readonly build: string;
  readonly range: string;
}

export class WithdrawalTable {
  readonly #prepare: (sql: string) => Database.Statement;

  /** @param prepare compiles a statement, once for each text */
  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare;
  }

  /** Every version that is withdrawn, of one owner or of all, as `<id>@<version>`. */
  all(of?: string): ReadonlySet<string> {
    type Row = { owner: string; file: string };
    const where = of === undefined ? '' : 'owner = ? AND ';
    const sql = `SELECT owner, file FROM owner WHERE ${where}instr(file, '"withdrawn"') > 0`;
    const rows = this.#prepare(sql).all(...(of === undefined ? [] : [of])) as Row[];
    return new Set(
      rows.flatMap(({ owner, file }) =>
        withdrawals(JSON.parse(file) as OwnerFile).map(
          ([name, version]) => `${owner}/${name}@${version}`,
        ),
      ),
    );
  }

  /** Every build with a version that requires `id`. Reads all versions: few runs need it. */
  requiring(id: string): string[] {
    const sql = `SELECT DISTINCT v.id FROM version v, json_each(v.facts, '$.manifest.builds') j
      WHERE instr(v.facts, ?) > 0 AND j.key = ?`;
    return (this.#prepare(sql).all(JSON.stringify(id), id) as { id: string }[]).map(
      (row) => row.id,
    );
  }

  /** What the versions of a build require. */
  requirementsOf(id: string): Requirement[] {
    const sql = `SELECT v.version, j.key AS build, j.value AS range
      FROM version v, json_each(v.facts, '$.manifest.builds') j WHERE v.id = ?`;
    return this.#prepare(sql).all(id) as Requirement[];
  }
}
