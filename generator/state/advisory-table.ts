/** The advisories of the registry, as the state remembers them. */
import { buildsOf, type Advisory } from '../../format/advisory/advisory.ts';
import { Table } from './statements.ts';

export class AdvisoryTable extends Table {
  /** Replaces an advisory; without one it is dropped. Returns the builds that the old or the new one is about. */
  set(id: string, advisory: Advisory | undefined): string[] {
    const before = this.find(id);
    this.prepare('DELETE FROM advisory WHERE id = ?').run(id);
    this.prepare('DELETE FROM advisory_build WHERE id = ?').run(id);
    if (advisory !== undefined) {
      this.prepare('INSERT INTO advisory VALUES (?, ?)').run(id, JSON.stringify(advisory));
      const insert = this.prepare('INSERT INTO advisory_build VALUES (?, ?)');
      for (const build of buildsOf(advisory)) insert.run(build, id);
    }
    return [before, advisory].flatMap((one) => (one === undefined ? [] : buildsOf(one)));
  }

  find(id: string): Advisory | undefined {
    const row = this.prepare('SELECT document FROM advisory WHERE id = ?').get(id);
    return row === undefined ? undefined : parse(row);
  }

  /** All of them, sorted by id. */
  all(): Advisory[] {
    return this.prepare('SELECT document FROM advisory ORDER BY id').all().map(parse);
  }

  /** Those about a build, sorted by id. */
  of(build: string): Advisory[] {
    const sql =
      'SELECT document FROM advisory JOIN advisory_build USING (id) WHERE build = ? ORDER BY id';
    return this.prepare(sql).all(build).map(parse);
  }

  count(): number {
    return (this.prepare('SELECT count(*) AS n FROM advisory').get() as { n: number }).n;
  }
}

function parse(row: unknown): Advisory {
  return JSON.parse((row as { document: string }).document) as Advisory;
}
