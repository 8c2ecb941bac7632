/**
 * What the published log has of the stretch of history that a run reads: the decisions of earlier runs, which no rule
 * changes. Only this run has the table.
 */
import type Database from 'better-sqlite3';
import { parseLogEntry } from '../../format/log/entry.ts';
import type { LogEntry } from '../../format/log/entry.ts';

type PublishEntry = LogEntry & { readonly type: 'publish' };
type RefuseEntry = LogEntry & { readonly type: 'refuse' };

const TABLE = `
  DROP TABLE IF EXISTS temp.decision;
  CREATE TEMP TABLE decision (
    commit_oid TEXT, key TEXT, type TEXT, id TEXT, version TEXT, entry BLOB, PRIMARY KEY (commit_oid, key)) WITHOUT ROWID;
`;

export class DecisionTable {
  readonly #prepare: (sql: string) => Database.Statement;

  constructor(db: Database.Database, prepare: (sql: string) => Database.Statement) {
    db.exec(TABLE);
    this.#prepare = prepare;
  }

  /** Takes an entry of the published log that is no map. */
  add(entry: LogEntry, bytes: Uint8Array): void {
    const id = 'id' in entry ? entry.id : null;
    const version = 'version' in entry ? (entry.version ?? null) : null;
    const row = [entry.commit, keyOf(entry), entry.type, id, version, bytes];
    this.#prepare('INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?, ?, ?)').run(...row);
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
    return this.#prepare(sql).get(commit, owner, `${owner}/`, `${owner}0`) !== undefined;
  }

  /** A publication of the log that this run did not find in history. */
  missing(): PublishEntry | undefined {
    const sql = `SELECT entry FROM decision WHERE type = 'publish' AND NOT EXISTS (SELECT 1 FROM version
      WHERE version.id = decision.id AND version.version = decision.version) LIMIT 1`;
    return parsed(this.#prepare(sql).get()) as PublishEntry | undefined;
  }

  #find(commit: string, key: string): LogEntry | undefined {
    const sql = 'SELECT entry FROM decision WHERE commit_oid = ? AND key = ?';
    return parsed(this.#prepare(sql).get(commit, key));
  }
}

function parsed(row: unknown): LogEntry | undefined {
  return row === undefined ? undefined : parseLogEntry((row as { entry: Buffer }).entry);
}

function keyOf(entry: LogEntry): string {
  switch (entry.type) {
    case 'publish':
      return `publish ${entry.id} ${entry.tree}`;
    case 'refuse':
      return `refuse ${entry.path} ${entry.object}`;
    case 'yank':
    case 'unyank':
      return `${entry.type} ${entry.id}@${entry.version}`;
    case 'map':
      return 'map';
    default:
      return `${entry.type} ${entry.id}`;
  }
}
