/** The tables of the state file. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { GeneratorError } from '../errors.ts';

/** Raised with every change of a table: a state file with a lower number is emptied, one with a higher number is refused. */
const SCHEMA_VERSION = 13;

const SCHEMA: string = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS version (
    id TEXT, version TEXT, precedence TEXT, commit_oid TEXT, tree TEXT, published_at TEXT, risk TEXT, seq INTEGER,
    facts TEXT, plain TEXT, log_index INTEGER, PRIMARY KEY (id, version));
  CREATE UNIQUE INDEX IF NOT EXISTS version_precedence ON version (id, precedence);
  CREATE INDEX IF NOT EXISTS version_published ON version (published_at);
  CREATE TABLE IF NOT EXISTS build (
    id TEXT PRIMARY KEY, owner TEXT, owner_hash TEXT, bits TEXT, updated_at TEXT, summary TEXT);
  CREATE INDEX IF NOT EXISTS build_bits ON build (bits);
  CREATE INDEX IF NOT EXISTS build_owner ON build (owner);
  CREATE INDEX IF NOT EXISTS build_owner_hash ON build (owner_hash, id);
  CREATE TABLE IF NOT EXISTS owner (owner TEXT PRIMARY KEY, file TEXT, reputation INTEGER);
  CREATE TABLE IF NOT EXISTS owner_change (id TEXT PRIMARY KEY, changed_at TEXT);
  CREATE TABLE IF NOT EXISTS signals (id TEXT PRIMARY KEY, signals TEXT);
  CREATE TABLE IF NOT EXISTS matrix (id TEXT PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS advisory (id TEXT PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS waiver (id TEXT PRIMARY KEY, waivers TEXT NOT NULL, held TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS advisory_build (build TEXT, id TEXT, PRIMARY KEY (build, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS osv (
    ecosystem TEXT, name TEXT, id TEXT, affected TEXT NOT NULL, PRIMARY KEY (ecosystem, name, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS shard (prefix TEXT PRIMARY KEY, sha256 TEXT, count INTEGER);
  CREATE TABLE IF NOT EXISTS listing (
    kind TEXT, name TEXT, id TEXT, deprecated INTEGER, danger INTEGER, balance REAL, quality REAL,
    downloads INTEGER, PRIMARY KEY (kind, name, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS listing_standing ON listing (
    kind, name, deprecated, danger, balance DESC, quality DESC, downloads DESC, id);
  CREATE INDEX IF NOT EXISTS listing_id ON listing (id);
  CREATE TABLE IF NOT EXISTS provider (
    tag TEXT, id TEXT, named TEXT NOT NULL, PRIMARY KEY (tag, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_entry (at INTEGER PRIMARY KEY, entry BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS log_map (size INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS log_hash (
    level INTEGER, at INTEGER, hash BLOB NOT NULL, PRIMARY KEY (level, at)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS map_document (
    key INTEGER, path TEXT, sha256 TEXT NOT NULL, PRIMARY KEY (key, path)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS map_leaf (at INTEGER PRIMARY KEY, sha256 TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS shadcn_item (
    id TEXT, version TEXT, entry TEXT, PRIMARY KEY (id, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS shadcn_requirement (
    build TEXT, id TEXT, range TEXT, address TEXT, PRIMARY KEY (build, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS shadcn_requirement_id ON shadcn_requirement (id);
  CREATE TABLE IF NOT EXISTS problem (
    seq INTEGER, source TEXT, commit_oid TEXT, path TEXT, tree TEXT, finding TEXT);
  CREATE INDEX IF NOT EXISTS problem_path ON problem (path, tree);
  -- Of earlier versions of this software.
  DROP TABLE IF EXISTS search_file;
  DROP TABLE IF EXISTS search_build;
`;
/** The versions of the state before a reset, for a run that may take what was found in their trees. */
export const KEEP_VERSIONS = `
  DROP TABLE IF EXISTS version_before;
  DROP INDEX IF EXISTS version_precedence;
  DROP INDEX IF EXISTS version_published;
  ALTER TABLE version RENAME TO version_before;
`;
export const FORGET_VERSIONS = 'DROP TABLE IF EXISTS version_before';

/** What to do about a state that cannot be opened. */
export const CACHE_HINT = 'delete the file: it is only a cache';

/** What forgetting everything empties. */
export const TABLES: readonly string[] = [
  'meta',
  'version',
  'build',
  'owner',
  'owner_change',
  'signals',
  'matrix',
  'advisory',
  'advisory_build',
  'waiver',
  'osv',
  'shard',
  'listing',
  'provider',
  'log_entry',
  'log_map',
  'log_hash',
  'map_document',
  'map_leaf',
  'shadcn_item',
  'shadcn_requirement',
  'problem',
];

/** Whether a newer version of this software wrote the file: what it keeps there is unknown. */
function isOfNewerVersion(db: Database.Database): boolean {
  return Number(db.pragma('user_version', { simple: true })) > SCHEMA_VERSION;
}

/**
 * Makes the tables, over those of an older layout.
 * @throws {GeneratorError} `ERR_STATE_NEWER`
 */
export function prepareTables(db: Database.Database): void {
  if (isOfNewerVersion(db)) {
    throw new GeneratorError(
      'ERR_STATE_NEWER',
      `Cannot read the state file "${db.name}": a newer version of this software wrote it`,
      { hint: `use that version, or ${CACHE_HINT}` },
    );
  }
  if (db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) {
    for (const table of TABLES) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }
  makeTables(db);
}

/** Makes the tables that are not there. */
export function makeTables(db: Database.Database): void {
  db.exec(SCHEMA);
}

/** The marks of the last run in a state file that no run holds. */
interface StateMarks {
  /** The newest commit that its index shows. */
  readonly head: string;
  /** Digest of the `registry.json` of its index. */
  readonly registry: string;
  /** Whether a newer version of this software wrote it. */
  readonly isNewer: boolean;
}

/** `undefined` for a file that is missing, damaged, in use or of a run that did not end. */
export function marksOfState(file: string): StateMarks | undefined {
  return withMeta(file, { readonly: true }, (db) => {
    const rows = db.prepare('SELECT key, value FROM meta').all() as Record<
      'key' | 'value',
      string
    >[];
    const meta = new Map(rows.map(({ key, value }) => [key, value]));
    const [head, registry] = [meta.get('head'), meta.get('registry')];
    if (head === undefined || registry === undefined || meta.get('dirty') !== 'no')
      return undefined;
    return { head, registry, isNewer: isOfNewerVersion(db) };
  });
}

/** Lets the state go on over another index of the same registry, which has what it does not know. */
export function adoptIndex(file: string, registry: string): void {
  withMeta(file, {}, (db) => {
    db.prepare("UPDATE meta SET value = ? WHERE key = 'registry'").run(registry);
  });
}

function withMeta<Result>(
  file: string,
  options: Database.Options,
  act: (db: Database.Database) => Result,
): Result | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const db = new Database(file, { timeout: 1_000, ...options });
    try {
      return act(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isSqliteError(error, /./)) return undefined;
    throw error;
  }
}

/** Whether `error` is SQLite's and its code matches. */
export function isSqliteError(error: unknown, code: RegExp): boolean {
  return error instanceof Database.SqliteError && code.test(error.code);
}

/**
 * `error` as an error about the state file `file`; one that is not SQLite's stays as it is.
 * @param hint the way out when it is not another run that holds the file
 */
export function explainSqlite(error: unknown, file: string, hint: string): unknown {
  if (!isSqliteError(error, /./)) return error;
  const isBusy = isSqliteError(error, /BUSY|LOCKED/);
  const problem = isBusy ? 'another run is at work' : String(error);
  return new GeneratorError('ERR_STATE', `Cannot open the state file "${file}": ${problem}`, {
    cause: error,
    hint: isBusy ? 'wait for it to end' : hint,
  });
}

// One run at a time writes an index, whatever its state file is: an exclusive lock on an empty SQLite file beside the index. The system
// releases it when the process ends, also by a crash.

/** A run that ends is waited for. */
const WAIT_MS = 1_000;

/**
 * Locks the index at `out`, whose folder it makes where there is none.
 * @returns what releases the lock
 * @throws {GeneratorError} `ERR_INDEX_BUSY` while another run has the lock, `ERR_STATE` when the file cannot be made
 */
export function lockIndex(out: string): () => void {
  mkdirSync(out, { recursive: true });
  // The same for all names of the folder.
  const folder = realpathSync(out);
  const file = join(dirname(folder), `.${basename(folder)}.lock`);
  let db: Database.Database | undefined;
  try {
    const lock = (db = new Database(file, { timeout: WAIT_MS }));
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (cause) {
    db?.close();
    if (isSqliteError(cause, /BUSY|LOCKED/)) {
      const problem = `Cannot write the index at "${out}": another run writes it`;
      throw new GeneratorError('ERR_INDEX_BUSY', problem, { cause, hint: 'wait for it to end' });
    }
    if (!isSqliteError(cause, /./)) throw cause;
    throw new GeneratorError('ERR_STATE', `Cannot open the lock file "${file}": ${String(cause)}`, {
      cause,
      hint: 'the folder that holds the folder of the index must be writable, too',
    });
  }
}

/** Compiles a statement, once for each text. */
export type Prepare = (sql: string) => Database.Statement;

/** The tables of one subject. */
export class Table {
  protected readonly prepare: Prepare;

  constructor(prepare: Prepare) {
    this.prepare = prepare;
  }
}

/** Runs statements, each compiled once. */
export class Statements {
  readonly #db: Database.Database;
  readonly #compiled = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: (string | number | Buffer)[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.prepare(sql).all(...values) as Row[];
  }

  readonly prepare: Prepare = (sql) => {
    const known = this.#compiled.get(sql) ?? this.#db.prepare(sql);
    this.#compiled.set(sql, known);
    return known;
  };
}
