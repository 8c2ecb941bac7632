/** The compatibility matrices of builds, as the state remembers them. */
import type { Matrix } from '../../format/index/compatibility.ts';
import { Table } from './statements.ts';

export class MatrixTable extends Table {
  /** Replaces the matrix of a build; without one it is dropped. */
  set(id: string, matrix: Matrix | undefined): void {
    if (matrix === undefined) this.prepare('DELETE FROM matrix WHERE id = ?').run(id);
    else {
      this.prepare('INSERT OR REPLACE INTO matrix VALUES (?, ?)').run(id, JSON.stringify(matrix));
    }
  }

  find(id: string): Matrix | undefined {
    const row = this.prepare('SELECT document FROM matrix WHERE id = ?').get(id);
    if (row === undefined) return undefined;
    return JSON.parse((row as { document: string }).document) as Matrix;
  }

  has(id: string): boolean {
    return this.prepare('SELECT 1 FROM matrix WHERE id = ?').get(id) !== undefined;
  }

  /** How many are of builds that have a version. */
  count(): number {
    const sql = 'SELECT count(*) AS n FROM matrix WHERE id IN (SELECT id FROM version)';
    return (this.prepare(sql).get() as { n: number }).n;
  }
}
