/** The search data as the state remembers it: the files of the last run, and what they show of each build. */
import type Database from 'better-sqlite3';
import type { BuildSummary } from '../../../format/index/record.ts';
import { reportBalance } from '../../../format/index/ranking.ts';
import type { SearchBuild } from './search-terms.ts';

/** A leaf without its terms. */
interface LeafSize {
  readonly name: string;
  /** The sum of `sizeOf` its terms. */
  readonly size: number;
  /** How many terms it has. */
  readonly terms: number;
}

type Kind = 'leaf' | 'node' | 'page';

export class SearchTable {
  readonly #prepare: (sql: string) => Database.Statement;

  /** @param prepare compiles a statement, once for each text */
  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare;
  }

  /** All leaves, in any order. */
  leaves(): LeafSize[] {
    const sql = `SELECT name, size, terms FROM search_file WHERE kind = 'leaf'`;
    return this.#prepare(sql).all() as LeafSize[];
  }

  leaf(name: string): Uint8Array | undefined {
    return this.#content('leaf', name);
  }

  /** @param words those of its terms that are candidates for corrections, with the number of their builds */
  setLeaf(
    { name, size, terms }: LeafSize,
    content: Uint8Array,
    words: readonly (readonly [string, number])[],
  ): void {
    this.#set('leaf', name, content, size, terms, JSON.stringify(words));
  }

  /** The candidates for corrections of all leaves. */
  words(): Map<string, number> {
    const sql = `SELECT words FROM search_file WHERE kind = 'leaf'`;
    const lists = this.#prepare(sql).pluck().all() as string[];
    return new Map(lists.flatMap((list) => JSON.parse(list) as [string, number][]));
  }

  dropLeaf(name: string): void {
    this.#drop('leaf', name);
  }

  /** Names of the nodes. */
  nodes(): string[] {
    return this.#names('node');
  }

  node(name: string): Uint8Array | undefined {
    return this.#content('node', name);
  }

  setNode(name: string, content: Uint8Array): void {
    this.#set('node', name, content);
  }

  dropNode(name: string): void {
    this.#drop('node', name);
  }

  /** Names of the pages of the order. */
  pages(): string[] {
    return this.#names('page');
  }

  page(name: string): Uint8Array | undefined {
    return this.#content('page', name);
  }

  setPage(name: string, content: Uint8Array): void {
    this.#set('page', name, content);
  }

  dropPage(name: string): void {
    this.#drop('page', name);
  }

  /** The number of a build and what search shows of it so far. */
  build(id: string): { number: number; build: SearchBuild } | undefined {
    const sql = 'SELECT number, build FROM search_build WHERE id = ?';
    const row = this.#prepare(sql).get(id) as { number: number; build: string } | undefined;
    return row && { number: row.number, build: JSON.parse(row.build) as SearchBuild };
  }

  setBuild(number: number, build: SearchBuild): void {
    const flags = [Number(build.yanked), Number(build.deprecated), Number(build.risk === 'danger')];
    const standing = [reportBalance(build), build.quality, build.downloads];
    const sql = 'INSERT OR REPLACE INTO search_build VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
    this.#prepare(sql).run(number, build.id, ...flags, ...standing, JSON.stringify(build));
  }

  /** How many builds have a number; the numbers are 0 to this. */
  count(): number {
    return this.#prepare('SELECT count(*) FROM search_build').pluck().get() as number;
  }

  /** The numbers of the builds that searches show, in the order of `compareStanding`. */
  inOrder(): number[] {
    // The order of `compareStanding`; the index of the table has it.
    const sql = `SELECT number FROM search_build WHERE yanked = 0
      ORDER BY deprecated, danger, balance DESC, quality DESC, downloads DESC, id`;
    return this.#prepare(sql).pluck().all() as number[];
  }

  /** The summary of a build that the catalog has. */
  summary(id: string): BuildSummary {
    const sql = 'SELECT summary FROM build WHERE id = ?';
    return JSON.parse(this.#prepare(sql).pluck().get(id) as string) as BuildSummary;
  }

  #names(kind: Kind): string[] {
    const sql = 'SELECT name FROM search_file WHERE kind = ?';
    return this.#prepare(sql).pluck().all(kind) as string[];
  }

  #content(kind: Kind, name: string): Uint8Array | undefined {
    const sql = 'SELECT content FROM search_file WHERE kind = ? AND name = ?';
    return this.#prepare(sql).pluck().get(kind, name) as Buffer | undefined;
  }

  #set(kind: Kind, name: string, content: Uint8Array, size = 0, terms = 0, words = ''): void {
    const sql = 'INSERT OR REPLACE INTO search_file VALUES (?, ?, ?, ?, ?, ?)';
    this.#prepare(sql).run(kind, name, size, terms, content, words);
  }

  #drop(kind: Kind, name: string): void {
    this.#prepare('DELETE FROM search_file WHERE kind = ? AND name = ?').run(kind, name);
  }
}
