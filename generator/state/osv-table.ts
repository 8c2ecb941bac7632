/** What the operator's OSV dump states about packages, as the state remembers it. */
import type { PackageEcosystem, PackageEntry } from '../../format/advisory/package-advisories.ts';
import type { Matrix } from '../../format/index/compatibility.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { Table } from './schema.ts';

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

/** The compatibility matrices of builds, as the state remembers them. */
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

/** The shards of the catalog, and the summaries of the builds in them. */
interface Shard {
  /** Leading bits of the SHA-256 of the ids in it. */
  readonly prefix: string;
  readonly sha256: string;
  readonly count: number;
}

export class ShardTable extends Table {
  all(): Shard[] {
    const sql = 'SELECT prefix, sha256, count FROM shard ORDER BY prefix';
    return this.prepare(sql).all() as Shard[];
  }

  has(prefix: string): boolean {
    return this.prepare('SELECT 1 FROM shard WHERE prefix = ?').get(prefix) !== undefined;
  }

  drop(prefix: string): void {
    this.prepare('DELETE FROM shard WHERE prefix = ?').run(prefix);
  }

  set({ prefix, sha256, count }: Shard): void {
    this.prepare('INSERT OR REPLACE INTO shard VALUES (?, ?, ?)').run(prefix, sha256, count);
  }

  /** Summaries of builds whose hash begins with `prefix`, sorted by id. */
  summariesUnder(prefix: string): BuildSummary[] {
    const sql = 'SELECT summary FROM build WHERE bits >= ? AND bits < ? ORDER BY id';
    const rows = this.prepare(sql).all(prefix, `${prefix}2`) as { summary: string }[];
    return rows.map((row) => JSON.parse(row.summary) as BuildSummary);
  }

  countUnder(prefix: string): number {
    const sql = 'SELECT count(*) AS n FROM build WHERE bits >= ? AND bits < ?';
    return (this.prepare(sql).get(prefix, `${prefix}2`) as { n: number }).n;
  }
}
