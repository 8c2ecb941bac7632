/** What the operator's OSV dump states about packages, as the state remembers it. */
import type { PackageEcosystem, PackageEntry } from '../../format/advisory/package-advisories.ts';
import { Table } from './statements.ts';

/** An entry about one package. */
interface PackageRow extends PackageEntry {
  readonly ecosystem: PackageEcosystem;
  readonly name: string;
}

export class OsvTable extends Table {
  clear(): void {
    this.prepare('DELETE FROM osv').run();
  }

  add({ ecosystem, name, id, affected }: PackageRow): void {
    const sql = 'INSERT OR REPLACE INTO osv VALUES (?, ?, ?, ?)';
    this.prepare(sql).run(ecosystem, name, id, JSON.stringify(affected));
  }

  isEmpty(): boolean {
    return this.prepare('SELECT 1 FROM osv LIMIT 1').get() === undefined;
  }

  /** The entries about a package, sorted by id. */
  of(ecosystem: PackageEcosystem, name: string): PackageEntry[] {
    const sql = 'SELECT id, affected FROM osv WHERE ecosystem = ? AND name = ? ORDER BY id';
    type Row = { id: string; affected: string };
    return (this.prepare(sql).all(ecosystem, name) as Row[]).map(({ id, affected }) => {
      return { id, affected: JSON.parse(affected) as PackageEntry['affected'] };
    });
  }

  /** Ids of all builds that have versions. */
  builds(): string[] {
    const rows = this.prepare('SELECT DISTINCT id FROM version').all() as { id: string }[];
    return rows.map(({ id }) => id);
  }
}
