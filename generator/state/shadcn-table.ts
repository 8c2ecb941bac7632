/** The items for shadcn, and what the latest ones require, as the state remembers them. */
import { Table } from './schema.ts';

/** A version of a build with what it requires. */
export interface RequiringVersion {
  readonly version: string;
  readonly commit: string;
  /** Its place in history. */
  readonly seq: number;
  /** Build to range. */
  readonly builds: Readonly<Record<string, string>>;
}

interface ItemRequirement {
  readonly build: string;
  /** That requires it. */
  readonly id: string;
  readonly range: string;
  /** In the item of `id`; `""` without one. */
  readonly address: string;
}

/** The list of all items is written again with each publication: registries with more items have none. */
const MAX_LISTED_ITEMS = 250;

export class ShadcnTable extends Table {
  /** The versions of `id`, in any order. */
  versionsOf(id: string): RequiringVersion[] {
    type Row = { version: string; commit: string; seq: number; builds: string | null };
    const columns = `version, commit_oid AS "commit", seq, json_extract(facts, '$.manifest.builds') AS builds`;
    const rows = this.prepare(`SELECT ${columns} FROM version WHERE id = ?`).all(id) as Row[];
    return rows.map(({ builds, ...row }) => {
      const parsed = builds === null ? {} : (JSON.parse(builds) as Record<string, string>);
      return { ...row, builds: parsed };
    });
  }

  has(id: string, version: string): boolean {
    const sql = 'SELECT 1 FROM shadcn_item WHERE id = ? AND version = ?';
    return this.prepare(sql).get(id, version) !== undefined;
  }

  addVersion(id: string, version: string): void {
    this.prepare('INSERT OR REPLACE INTO shadcn_item VALUES (?, ?, NULL)').run(id, version);
  }

  dropVersion(id: string, version: string): void {
    this.prepare('DELETE FROM shadcn_item WHERE id = ? AND version = ?').run(id, version);
  }

  /** Forgets the items of all versions of `id`, so that they are made again. */
  dropVersions(id: string): void {
    this.prepare("DELETE FROM shadcn_item WHERE id = ? AND version <> ''").run(id);
  }

  /** @param entry the line of the latest version in the list of all, as JSON; `undefined` without an item */
  setLatest(id: string, entry: string | undefined): void {
    if (entry === undefined) {
      this.prepare("DELETE FROM shadcn_item WHERE id = ? AND version = ''").run(id);
    } else {
      this.prepare("INSERT OR REPLACE INTO shadcn_item VALUES (?, '', ?)").run(id, entry);
    }
  }

  hasLatest(id: string): boolean {
    return this.has(id, '');
  }

  /** How many items there are. */
  count(): number {
    const row = this.prepare('SELECT count(*) AS n FROM shadcn_item').get() as { n: number };
    return row.n;
  }

  /** Whether there is a list of all items. */
  isListed(): boolean {
    const latest = "SELECT 1 FROM shadcn_item WHERE version = '' LIMIT ?";
    const row = this.prepare(`SELECT count(*) AS n FROM (${latest})`).get(MAX_LISTED_ITEMS + 1);
    return (row as { n: number }).n <= MAX_LISTED_ITEMS;
  }

  /** The lines of all latest items, sorted by id. */
  entries(): string[] {
    const sql = "SELECT entry FROM shadcn_item WHERE version = '' ORDER BY id";
    return (this.prepare(sql).all() as { entry: string }[]).map((row) => row.entry);
  }

  /** Records what the latest item of `id` requires, with the address of each. */
  setRequired(id: string, required: readonly Omit<ItemRequirement, 'id'>[]): void {
    this.prepare('DELETE FROM shadcn_requirement WHERE id = ?').run(id);
    const insert = this.prepare('INSERT INTO shadcn_requirement VALUES (?, ?, ?, ?)');
    for (const { build, range, address } of required) insert.run(build, id, range, address);
  }

  /** Where the latest item of a build requires `build`. */
  requiring(build: string): ItemRequirement[] {
    const sql = 'SELECT * FROM shadcn_requirement WHERE build = ? ORDER BY id';
    return this.prepare(sql).all(build) as ItemRequirement[];
  }
}

/** Where a version was published: in the log and in git. */
export interface VersionPlace {
  readonly version: string;
  readonly index: number;
  readonly commit: string;
  readonly tree: string;
}

export class LogTable extends Table {
  /** How many entries there are. */
  size(): number {
    const row = this.prepare('SELECT coalesce(max(at) + 1, 0) AS n FROM log_entry').get() as {
      n: number;
    };
    return row.n;
  }

  /** Adds the entry after the last one. */
  addEntry(index: number, text: Uint8Array): void {
    this.prepare('INSERT INTO log_entry VALUES (?, ?)').run(index, text);
  }

  /** Adds the entry of a map: with it a signed run ends, so that the log has a checkpoint of this size. */
  addMap(index: number, text: Uint8Array): void {
    this.addEntry(index, text);
    this.prepare('INSERT INTO log_map VALUES (?)').run(index + 1);
  }

  /** Whether the log had a size in `[from, to)` whose last entry is that of a map. */
  hasMap(from: number, to: number): boolean {
    const sql = 'SELECT 1 FROM log_map WHERE size >= ? AND size < ? LIMIT 1';
    return this.prepare(sql).get(from, to) !== undefined;
  }

  /** The bytes of the entries `[from, to)`. */
  entries(from: number, to: number): Uint8Array[] {
    const sql = 'SELECT entry FROM log_entry WHERE at >= ? AND at < ? ORDER BY at';
    return (this.prepare(sql).all(from, to) as { entry: Buffer }[]).map((row) => row.entry);
  }

  /** Records which entry publishes a version. */
  setIndex(id: string, version: string, index: number): void {
    const sql = 'UPDATE version SET log_index = ? WHERE id = ? AND version = ?';
    this.prepare(sql).run(index, id, version);
  }

  /** Whether an entry publishes this version; without a version, any of `id`. */
  has(id: string, version?: string): boolean {
    return this.placesOf(id).some((place) => version === undefined || place.version === version);
  }

  placesOf(id: string): VersionPlace[] {
    const columns = 'version, log_index AS "index", commit_oid AS "commit", tree';
    const sql = `SELECT ${columns} FROM version WHERE id = ? AND log_index IS NOT NULL`;
    return this.prepare(sql).all(id) as VersionPlace[];
  }

  /** Adds a hash above the leaves. @param level of the tile that has it, from 1 */
  addHash(level: number, at: number, hash: Uint8Array): void {
    this.prepare('INSERT OR REPLACE INTO log_hash VALUES (?, ?, ?)').run(level, at, hash);
  }

  hashes(level: number, from: number, to: number): Uint8Array[] {
    const sql = 'SELECT hash FROM log_hash WHERE level = ? AND at >= ? AND at < ? ORDER BY at';
    type Row = { hash: Buffer };
    return (this.prepare(sql).all(level, from, to) as Row[]).map((row) => row.hash);
  }
}
