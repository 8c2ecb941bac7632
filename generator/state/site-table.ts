/**
 * What the lists of the site are made from: each build under its tags, keywords, owner and required builds, in the
 * order of their standing. Builds of which every version is yanked are in none.
 */
import type { BuildSummary } from '../../format/index/record.ts';
import { reportBalance } from '../../format/index/ranking.ts';
import { type Prepare, Table } from './statements.ts';

/** The kinds of lists. `tag` has what `provides` or `requires` has, `needs` the builds that require one. */
type ListKind =
  | 'all'
  | 'kind'
  | 'owner'
  | 'tag'
  | 'provides'
  | 'brings'
  | 'requires'
  | 'keyword'
  | 'needs';

/** One list, such as the builds with a keyword. */
export interface ListName {
  readonly kind: ListKind;
  readonly name: string;
}

interface PublishedVersion {
  readonly id: string;
  readonly version: string;
  readonly published_at: string;
}

/** As `compareStanding()` of the ranking orders builds. */
const STANDING = 'deprecated, danger, balance DESC, quality DESC, downloads DESC, id';

export class SiteTable extends Table {
  readonly providers: ProviderTable;

  constructor(prepare: Prepare) {
    super(prepare);
    this.providers = new ProviderTable(prepare);
  }

  /**
   * Puts a build into its lists and takes it out of those that it left.
   * @param needs ids of the builds that its latest version requires
   * @returns the lists that have it now or had it before
   */
  setBuild(summary: BuildSummary, needs: readonly string[]): readonly ListName[] {
    const { id, deprecated, risk, quality, downloads } = summary;
    const before = this.#listsOf(id);
    this.prepare('DELETE FROM listing WHERE id = ?').run(id);
    const after = summary.yanked ? [] : listsOf(summary, needs);
    const insert = this.prepare('INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    const standing = [Number(deprecated), Number(risk === 'danger'), reportBalance(summary)];
    for (const { kind, name } of after) {
      insert.run(kind, name, id, ...standing, quality, downloads);
    }
    return [...before, ...after];
  }

  best({ kind, name }: ListName, limit: number): BuildSummary[] {
    const sql = `SELECT summary FROM listing JOIN build USING (id)
      WHERE kind = ? AND name = ? ORDER BY ${STANDING} LIMIT ?`;
    return this.#summaries(sql, kind, name, limit);
  }

  /** The builds that reports speak for most, none of them deprecated or dangerous. */
  proven(limit: number): BuildSummary[] {
    const sql = `SELECT summary FROM listing JOIN build USING (id)
      WHERE kind = 'all' AND name = '' AND deprecated = 0 AND danger = 0 AND balance > 0
      ORDER BY ${STANDING} LIMIT ?`;
    return this.#summaries(sql, limit);
  }

  count({ kind, name }: ListName): number {
    const sql = 'SELECT count(*) AS n FROM listing WHERE kind = ? AND name = ?';
    return (this.prepare(sql).get(kind, name) as { n: number }).n;
  }

  /** The names of a kind with the most builds. */
  names(kind: ListKind, limit: number): { name: string; count: number }[] {
    const sql =
      'SELECT name, count(*) AS count FROM listing WHERE kind = ? GROUP BY name ORDER BY 2 DESC, 1 LIMIT ?';
    return this.prepare(sql).all(kind, limit) as { name: string; count: number }[];
  }

  has({ kind, name }: ListName): boolean {
    const sql = 'SELECT 1 FROM listing WHERE kind = ? AND name = ? LIMIT 1';
    return this.prepare(sql).get(kind, name) !== undefined;
  }

  /** The newest versions; of one owner when `owner` is given. */
  newestVersions(limit: number, owner?: string): PublishedVersion[] {
    const where = owner === undefined ? '' : 'WHERE id >= ? AND id < ?';
    const range = owner === undefined ? [] : [`${owner}/`, `${owner}0`];
    const sql = `SELECT id, version, published_at FROM version ${where}
      ORDER BY published_at DESC, id, version DESC LIMIT ?`;
    return this.prepare(sql).all(...range, limit) as PublishedVersion[];
  }

  summary(id: string): BuildSummary | undefined {
    return this.#summaries('SELECT build.summary FROM build WHERE id = ?', id)[0];
  }

  /** Builds of the owners with this `ownerHash()`, by id. */
  summariesUnder(hash: string): BuildSummary[] {
    return this.#summaries('SELECT summary FROM build WHERE owner_hash = ? ORDER BY id', hash);
  }

  /** Each `ownerHash()` that an owner has. */
  ownerHashes(): string[] {
    const sql = 'SELECT DISTINCT owner_hash AS hash FROM build ORDER BY 1';
    return (this.prepare(sql).all() as { hash: string }[]).map((row) => row.hash);
  }

  #listsOf(id: string): ListName[] {
    return this.prepare('SELECT kind, name FROM listing WHERE id = ?').all(id) as ListName[];
  }

  #summaries(sql: string, ...values: (string | number)[]): BuildSummary[] {
    const rows = this.prepare(sql).all(...values) as { summary: string }[];
    return rows.map((row) => JSON.parse(row.summary) as BuildSummary);
  }
}

function listsOf(summary: BuildSummary, needs: readonly string[]): ListName[] {
  const { id, kind, keywords, provides, requires, brings = {} } = summary;
  const required = Object.keys(requires);
  const named = (list: ListKind, names: readonly string[]): ListName[] =>
    [...new Set(names)].map((name) => ({ kind: list, name }));
  const words = keywords.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  return [
    { kind: 'all', name: '' },
    { kind: 'kind', name: kind },
    { kind: 'owner', name: id.slice(0, id.indexOf('/')) },
    ...named('tag', [...provides, ...required]),
    ...named('provides', provides),
    ...named('brings', Object.keys(brings)),
    ...named('requires', required),
    ...named('keyword', words),
    ...named('needs', needs),
  ];
}

/** Which builds the page of a build names as providers of a stack tag that it requires. */
class ProviderTable extends Table {
  /** The ids that the page of `id` names for `tag`; `undefined` where it names none because many would. */
  named(tag: string, id: string): readonly string[] | undefined {
    const sql = 'SELECT named FROM provider WHERE tag = ? AND id = ?';
    const row = this.prepare(sql).get(tag, id) as { named: string } | undefined;
    return row?.named.split(' ').filter((one) => one !== '');
  }

  /** Builds whose pages name others for `tag`, or that there are none. */
  naming(tag: string): string[] {
    const rows = this.prepare('SELECT id FROM provider WHERE tag = ?').all(tag);
    return (rows as { id: string }[]).map((row) => row.id);
  }

  /** Builds whose pages name `provider` for `tag`. */
  namingOne(tag: string, provider: string): string[] {
    const rows = this.prepare('SELECT id, named FROM provider WHERE tag = ?').all(tag);
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
      this.prepare('DELETE FROM provider WHERE tag = ? AND id = ?').run(tag, id);
    } else {
      this.prepare('INSERT OR REPLACE INTO provider VALUES (?, ?, ?)').run(tag, id, after);
    }
    return true;
  }
}
