/** The items for shadcn, and what the latest ones require, as the state remembers them. */
import { Table } from './statements.ts';

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
