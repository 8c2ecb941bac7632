/** The shards of the catalog, and the summaries of the builds in them. */
import type { BuildSummary } from '../../format/index/record.ts';
import { Table } from './statements.ts';

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
