/** Which versions are withdrawn or taken down, and which builds require them. */
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { isGone, statedIn, statusOf } from '../../format/registry/status.ts';
import { Table } from './statements.ts';

/** What a version of a build requires. */
interface Requirement {
  readonly version: string;
  readonly build: string;
  readonly range: string;
}

export class WithdrawalTable extends Table {
  /** Every version that is withdrawn or taken down, of one owner or of all, as `<id>@<version>`. */
  all(of?: string): ReadonlySet<string> {
    type Row = { owner: string; file: string };
    const where = of === undefined ? '' : 'owner = ? AND ';
    const sql = `SELECT owner, file FROM owner
      WHERE ${where}(instr(file, '"withdrawn"') > 0 OR instr(file, '"taken_down"') > 0)`;
    const rows = this.prepare(sql).all(...(of === undefined ? [] : [of])) as Row[];
    const gone = rows.flatMap(({ owner, file: text }) => {
      const file = JSON.parse(text) as OwnerFile;
      return [...statedIn(file.withdrawn), ...statedIn(file.taken_down)]
        .filter(([name, version]) => isGone(statusOf(file, name, version)))
        .map(([name, version]) => `${owner}/${name}@${version}`);
    });
    return new Set(gone);
  }

  /** Every version that is taken down, as `<id>@<version>`. */
  takenDown(): ReadonlySet<string> {
    const sql = `SELECT id || '@' || version AS name FROM version WHERE instr(facts, '"isTakenDown":true') > 0`;
    return new Set((this.prepare(sql).all() as { name: string }[]).map(({ name }) => name));
  }

  /** Every build with a version that requires `id`. Reads all versions: few runs need it. */
  requiring(id: string): string[] {
    const sql = `SELECT DISTINCT v.id FROM version v, json_each(v.facts, '$.manifest.builds') j
      WHERE instr(v.facts, ?) > 0 AND j.key = ?`;
    return (this.prepare(sql).all(JSON.stringify(id), id) as { id: string }[]).map((row) => row.id);
  }

  requirementsOf(id: string): Requirement[] {
    const sql = `SELECT v.version, j.key AS build, j.value AS range
      FROM version v, json_each(v.facts, '$.manifest.builds') j WHERE v.id = ?`;
    return this.prepare(sql).all(id) as Requirement[];
  }
}
