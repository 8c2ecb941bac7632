/** The documents of versions, which a run makes once. */
import { Table } from './statements.ts';

export class DocumentTable extends Table {
  /** Their integrities, by version of a build. */
  of(id: string): Record<string, string> {
    const sql = 'SELECT version, document FROM version WHERE id = ? AND document IS NOT NULL';
    const rows = this.prepare(sql).all(id) as { version: string; document: string }[];
    return Object.fromEntries(rows.map(({ version, document }) => [version, document]));
  }

  set(id: string, version: string, integrity: string): void {
    const sql = 'UPDATE version SET document = ? WHERE id = ? AND version = ?';
    this.prepare(sql).run(integrity, id, version);
  }
}
