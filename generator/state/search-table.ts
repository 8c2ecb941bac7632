/** The search data as the state remembers it: the files of the last run, and what they show of each build. */
import type Database from 'better-sqlite3';
import type { BuildSummary } from '../../format/index/catalog.ts';
import { reportBalance } from '../../format/index/ranking.ts';
import type { SearchBuild } from '../site/search/search-build.ts';
import type { LeafSize, SearchStore } from '../site/search/search-store.ts';

type Kind = 'leaf' | 'node' | 'page';

export class SearchTable implements SearchStore {
  readonly #prepare: (sql: string) => Database.Statement;

  /** @param prepare compiles a statement, once for each text */
  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare;
  }

  leaves(): LeafSize[] {
    const sql = `SELECT name, size, terms FROM search_file WHERE kind = 'leaf'`;
    return this.#prepare(sql).all() as LeafSize[];
  }

  leaf(name: string): Uint8Array | undefined {
    return this.#content('leaf', name);
  }

  setLeaf({ name, size, terms }: LeafSize, content: Uint8Array): void {
    this.#set('leaf', name, content, size, terms);
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

  count(): number {
    return this.#prepare('SELECT count(*) FROM search_build').pluck().get() as number;
  }

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

  #set(kind: Kind, name: string, content: Uint8Array, size = 0, terms = 0): void {
    const sql = 'INSERT OR REPLACE INTO search_file VALUES (?, ?, ?, ?, ?)';
    this.#prepare(sql).run(kind, name, size, terms, content);
  }

  #drop(kind: Kind, name: string): void {
    this.#prepare('DELETE FROM search_file WHERE kind = ? AND name = ?').run(kind, name);
  }
}
