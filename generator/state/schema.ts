/** The tables of the state file. */
import type Database from 'better-sqlite3';
import { GeneratorError } from '../errors.ts';

/** Raised with every change of a table: a state file with a lower number is emptied, one with a higher number is refused. */
const SCHEMA_VERSION = 14;

const SCHEMA: string = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS version (
    id TEXT, version TEXT, precedence TEXT, commit_oid TEXT, tree TEXT, published_at TEXT, risk TEXT, seq INTEGER,
    facts TEXT, plain TEXT, log_index INTEGER, document TEXT, PRIMARY KEY (id, version));
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
  CREATE TABLE IF NOT EXISTS head_document (id TEXT, sha256 TEXT, PRIMARY KEY (id, sha256)) WITHOUT ROWID;
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
  'head_document',
  'map_leaf',
  'shadcn_item',
  'shadcn_requirement',
  'problem',
];

/** Whether a newer version of this software wrote the file: what it keeps there is unknown. */
export function isOfNewerVersion(db: Database.Database): boolean {
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
