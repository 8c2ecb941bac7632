/**
 * What the published log has of the stretch of history that a run reads: the decisions of earlier runs, which no rule
 * changes. Only this run has the table.
 */
import type Database from 'better-sqlite3';
import {
  parseLogEntry,
  tombstoneOf,
  type LogEntry,
  type Tombstone,
} from '../../format/log/entry.ts';
import { buildsOf, type Advisory } from '../../format/advisory/advisory.ts';
import { mapKey, type MapDocuments } from '../../format/log/map.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { allGone } from '../../format/registry/withdrawals.ts';
import type { Candidate, ConfigChange, OwnerChange } from '../pipeline/discover.ts';
import { type Prepare, Table } from './schema.ts';

type PublishEntry = LogEntry & { readonly type: 'publish' };
type RefuseEntry = LogEntry & { readonly type: 'refuse' };

const TABLE = `
  DROP TABLE IF EXISTS temp.decision;
  CREATE TEMP TABLE decision (
    commit_oid TEXT, key TEXT, type TEXT, id TEXT, version TEXT, place INTEGER, time TEXT, entry BLOB,
    PRIMARY KEY (commit_oid, key)) WITHOUT ROWID;
`;

export class DecisionTable extends Table {
  /** What was taken down, in the order of the log, as far as the run has not added it. */
  #takenDown: (PublishEntry | RefuseEntry)[] = [];
  #tombstones: readonly Tombstone[] = [];
  /** Places of entries that a change of the history was found to be. */
  readonly #located = new Set<number>();

  constructor(db: Database.Database, prepare: Prepare) {
    super(prepare);
    db.exec(TABLE);
  }

  /** Takes an entry of the published log that is no map. */
  add(entry: LogEntry, place: number, bytes: Uint8Array): void {
    const id = 'id' in entry ? entry.id : null;
    const version = 'version' in entry ? (entry.version ?? null) : null;
    const type = tombstoneOf(entry) === undefined ? entry.type : 'take-down';
    const row = [entry.commit, keyOf(entry), type, id, version, place, entry.published_at, bytes];
    this.prepare('INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(...row);
  }

  /** The tombstones of the log. */
  tombstones(): Tombstone[] {
    const sql = `SELECT entry FROM decision WHERE type = 'take-down' ORDER BY place`;
    return this.prepare(sql)
      .all()
      .flatMap((row) => tombstoneOf(parsed(row)!) ?? []);
  }

  /** Whether an entry of the log has this time. */
  hasTime(time: string): boolean {
    return this.prepare('SELECT 1 FROM decision WHERE time = ? LIMIT 1').get(time) !== undefined;
  }

  /** Lets the run take what `tombstones` name from the log. */
  mend(tombstones: readonly Tombstone[]): void {
    if (tombstones.length === 0) return;
    this.#tombstones = tombstones;
    const sql = `SELECT entry FROM decision WHERE type = 'refuse' OR
      (type = 'publish' AND id IN (SELECT value FROM json_each(?))) ORDER BY place`;
    const rows = this.prepare(sql).all(JSON.stringify(tombstones.map(({ id }) => id)));
    this.#takenDown = rows.flatMap((row) => {
      const entry = parsed(row) as PublishEntry | RefuseEntry;
      return this.#isNamed(entry) ? [entry] : [];
    });
    this.prepare('CREATE INDEX temp.decision_time ON decision (time)').run();
  }

  get isMending(): boolean {
    return this.#tombstones.length > 0;
  }

  /** Whether the log has a folder of `commit` as a version that was taken down, or refused one of a build that was. */
  isTakenDown(commit: string, id: string, path: string, tree: string): boolean {
    if (!this.isMending) return false;
    const entry = this.publication(commit, id, tree) ?? this.refusal(commit, path, tree);
    return entry !== undefined && this.#isNamed(entry);
  }

  /** The next ones that were taken down, up to the place `end` of the log; each once. */
  takeTakenDown(end: number): (PublishEntry | RefuseEntry)[] {
    const isBefore = (entry: LogEntry): boolean => this.#placeOf(entry) <= end;
    const count = this.#takenDown.findIndex((entry) => !isBefore(entry));
    return this.#takenDown.splice(0, count === -1 ? this.#takenDown.length : count);
  }

  /**
   * Commit and place of the first entry that the log has for a change. In a history that was rewritten its commit has another id, and
   * the same time.
   */
  placeOf(
    found: Candidate | OwnerChange | ConfigChange,
  ): { commit: string; place: number } | undefined {
    const [where, ...values] =
      found.kind === 'candidate'
        ? [
            'key IN (?, ?)',
            `publish ${found.owner}/${found.name} ${found.tree}`,
            `refuse ${found.path} ${found.tree}`,
          ]
        : found.kind === 'config'
          ? [`type = 'key'`]
          : [
              `(key = ? OR (type IN ('owner', 'deprecate', 'yank', 'unyank') AND (id = ? OR id >= ? AND id < ?)))`,
              `refuse ${found.path} ${found.blob}`,
              found.owner,
              `${found.owner}/`,
              `${found.owner}0`,
            ];
    const sql = `SELECT commit_oid AS "commit", place FROM decision WHERE (commit_oid = ? OR time = ?) AND ${where}
      ORDER BY commit_oid <> ?, place LIMIT 1`;
    const row = this.prepare(sql).get(found.commit, found.time, ...values, found.commit);
    const at = row as { commit: string; place: number } | undefined;
    if (at === undefined || (at.commit !== found.commit && this.#located.has(at.place)))
      return undefined;
    this.#located.add(at.place);
    return at;
  }

  #isNamed(entry: PublishEntry | RefuseEntry): boolean {
    return this.#tombstones.some(({ id, version }) => {
      if (entry.type === 'refuse')
        return entry.path.startsWith('builds/') && entry.path.endsWith(`/${id}`);
      return entry.id === id && (version === undefined || version === entry.version);
    });
  }

  #placeOf(entry: LogEntry): number {
    const sql = 'SELECT place FROM decision WHERE commit_oid = ? AND key = ?';
    return (this.prepare(sql).get(entry.commit, keyOf(entry)) as { place: number }).place;
  }

  /** The entry that publishes the folder `tree` of `commit` as a version of `id`. */
  publication(commit: string, id: string, tree: string): PublishEntry | undefined {
    return this.#find(commit, `publish ${id} ${tree}`) as PublishEntry | undefined;
  }

  /** The entry that refuses what `commit` has at `path`. */
  refusal(commit: string, path: string, object: string): RefuseEntry | undefined {
    return this.#find(commit, `refuse ${path} ${object}`) as RefuseEntry | undefined;
  }

  /** Whether `commit` yanked or withdrew a version. */
  isYank(commit: string, id: string, version: string): boolean {
    return this.#find(commit, `yank ${id}@${version}`) !== undefined;
  }

  /** Whether the owner file in `commit` changed what the log has of its owner. */
  hasOwnerChange(commit: string, owner: string): boolean {
    const sql = `SELECT 1 FROM decision WHERE commit_oid = ? AND (id = ? OR id >= ? AND id < ?)
      AND type IN ('owner', 'deprecate', 'yank', 'unyank') LIMIT 1`;
    return this.prepare(sql).get(commit, owner, `${owner}/`, `${owner}0`) !== undefined;
  }

  /** A publication of the log that this run did not find in history. */
  missing(): PublishEntry | undefined {
    const sql = `SELECT entry FROM decision WHERE type = 'publish' AND NOT EXISTS (SELECT 1 FROM version
      WHERE version.id = decision.id AND version.version = decision.version) LIMIT 1`;
    return parsed(this.prepare(sql).get()) as PublishEntry | undefined;
  }

  #find(commit: string, key: string): LogEntry | undefined {
    const sql = 'SELECT entry FROM decision WHERE commit_oid = ? AND key = ?';
    return parsed(this.prepare(sql).get(commit, key));
  }
}

function parsed(row: unknown): LogEntry | undefined {
  return row === undefined ? undefined : parseLogEntry((row as { entry: Buffer }).entry);
}

function keyOf(entry: LogEntry): string {
  switch (entry.type) {
    case 'publish':
      return `publish ${entry.id} ${entry.tree}`;
    case 'refuse': {
      const tombstone = tombstoneOf(entry);
      return tombstone === undefined
        ? `refuse ${entry.path} ${entry.object}`
        : `take-down ${tombstone.id}@${tombstone.version ?? ''}`;
    }
    case 'yank':
    case 'unyank':
      return `${entry.type} ${entry.id}@${entry.version}`;
    case 'map':
      return 'map';
    default:
      return `${entry.type} ${entry.id}`;
  }
}

/** The advisories of the registry, as the state remembers them. */
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

/** The map of the log as the state remembers it: the digest of each document that decides, and that of each leaf. */
export class MapTable extends Table {
  readonly #changed = new Set<number>();

  /** Records the digest of a document. @param sha256 lower-case hexadecimal */
  set(path: string, sha256: string): void {
    const sql = `INSERT INTO map_document VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET sha256 = excluded.sha256 WHERE sha256 <> excluded.sha256`;
    const key = mapKey(path);
    if (this.prepare(sql).run(key, path, sha256).changes > 0) this.#changed.add(key);
  }

  /** Forgets a document that is not part of the index any more. */
  delete(path: string): void {
    const key = mapKey(path);
    const { changes } = this.prepare('DELETE FROM map_document WHERE key = ? AND path = ?').run(
      key,
      path,
    );
    if (changes > 0) this.#changed.add(key);
  }

  count(): number {
    const row = this.prepare('SELECT count(*) AS n FROM map_document').get() as { n: number };
    return row.n;
  }

  /** Keys (`mapKey`) of the documents that this run changed. */
  changed(): ReadonlySet<number> {
    return this.#changed;
  }

  /** The documents with a key of at least `from` and below `to`. */
  documents(from: number, to: number): MapDocuments {
    const sql = 'SELECT path, sha256 FROM map_document WHERE key >= ? AND key < ?';
    const rows = this.prepare(sql).all(from, to) as { path: string; sha256: string }[];
    return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
  }

  /** The digest of each leaf, in order. */
  leaves(): string[] {
    const rows = this.prepare('SELECT sha256 FROM map_leaf ORDER BY at').all();
    return (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
  }

  setLeaves(leaves: readonly string[]): void {
    this.prepare('DELETE FROM map_leaf').run();
    for (const [at, sha256] of leaves.entries()) {
      this.prepare('INSERT INTO map_leaf VALUES (?, ?)').run(at, sha256);
    }
  }
}

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
    return new Set(
      rows.flatMap(({ owner, file }) =>
        allGone(JSON.parse(file) as OwnerFile).map(
          ([name, version]) => `${owner}/${name}@${version}`,
        ),
      ),
    );
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
