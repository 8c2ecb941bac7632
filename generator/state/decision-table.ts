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
import { type Prepare, Table } from './statements.ts';

type PublishEntry = LogEntry & { readonly type: 'publish' };
type RefuseEntry = LogEntry & { readonly type: 'refuse' };

/** A change of the history, as far as it has a place in the log. */
type LoggedChange = { readonly commit: string; readonly time: string } & (
  | {
      readonly kind: 'candidate';
      readonly owner: string;
      readonly name: string;
      readonly path: string;
      readonly tree: string;
    }
  | {
      readonly kind: 'owner';
      readonly owner: string;
      readonly path: string;
      readonly blob: string | undefined;
    }
  | { readonly kind: 'config' }
);

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

  /** The time that the log has for a commit. */
  timeOf(commit: string): string | undefined {
    const row = this.prepare('SELECT time FROM decision WHERE commit_oid = ? LIMIT 1').get(commit);
    return (row as { time: string } | undefined)?.time;
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
  placeOf(found: LoggedChange): { commit: string; place: number } | undefined {
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
