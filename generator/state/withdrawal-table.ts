/** What the state knows about withdrawals: which versions are withdrawn, and what required them before. */
import type Database from 'better-sqlite3';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { withdrawals } from '../../format/registry/withdrawals.ts';

/** A version that requires a build. */
export interface RequiringBuild {
  readonly id: string;
  readonly version: string;
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

  /** Every version of any build that requires `id`. Reads all versions: few runs ask. */
  requiring(id: string): RequiringBuild[] {
    const sql = `SELECT v.id, v.version, j.value AS range
      FROM version v, json_each(v.facts, '$.manifest.builds') j
      WHERE instr(v.facts, ?) > 0 AND j.key = ?`;
    return this.#prepare(sql).all(JSON.stringify(id), id) as RequiringBuild[];
  }
}
