/**
 * What a run remembers for the next: a SQLite file beside the index, a cache that may be deleted at
 * any time. All changes of a run are one transaction; an exclusive lock keeps a second run out.
 */
import Database from 'better-sqlite3';
import type { Waiver } from '../../format/registry/moderation.ts';
import { rmSync } from 'node:fs';
import type { BuildSummary, Risk } from '../../format/index/record.ts';
import type { Finding } from '../../format/finding/finding.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerHash } from '../../format/registry/repository-layout.ts';
import { precedenceOf } from '../../format/version/semver-range.ts';
import type { Signals } from '../../format/registry/signals.ts';
import { takenDownFacts, type VersionFacts } from '../../scan/version-facts.ts';
import { AdvisoryTable } from './advisory-table.ts';
import { DecisionTable } from './decision-table.ts';
import { DocumentTable } from './document-table.ts';
import { LogTable } from './log-table.ts';
import { MapTable } from './map-table.ts';
import { MatrixTable } from './matrix-table.ts';
import { OsvTable } from './osv-table.ts';
import { ShadcnTable } from './shadcn-table.ts';
import { ShardTable } from './shard-table.ts';
import { WithdrawalTable } from './withdrawal-table.ts';
import { SiteTable } from './site-table.ts';
import {
  CACHE_HINT,
  FORGET_VERSIONS,
  KEEP_VERSIONS,
  TABLES,
  makeTables,
  prepareTables,
} from './schema.ts';
import { explainSqlite, isSqliteError, Statements } from './statements.ts';

/** A fault with the commit that introduced it. */
export interface Problem {
  readonly commit: string;
  /** Path in the repository of the build folder or file. */
  readonly path: string;
  readonly finding: Finding;
}

/** The result of an earlier run. */
interface FoundBefore {
  readonly version: string;
  readonly risk: Risk;
  /** `VersionFacts` as JSON, without the findings of history. */
  readonly facts: string;
}

export class State {
  readonly #db: Database.Database;
  #hasBefore = false;
  readonly #sql: Statements;
  readonly log: LogTable;
  readonly map: MapTable;
  readonly decisions: DecisionTable;
  readonly documents: DocumentTable;
  readonly shadcn: ShadcnTable;
  readonly advisories: AdvisoryTable;
  readonly matrix: MatrixTable;
  readonly shards: ShardTable;
  readonly site: SiteTable;
  readonly osv: OsvTable;
  readonly withdrawals: WithdrawalTable;

  /**
   * Opens the state at `file` and takes its lock until `close`.
   * @throws {GeneratorError} `ERR_STATE` when another run holds it
   */
  static open(file: string): State {
    try {
      return new State(file);
    } catch (error) {
      if (!isSqliteError(error, /NOTADB|CORRUPT/)) throw explainSqlite(error, file, CACHE_HINT);
    }
    rmSync(file, { force: true });
    try {
      return new State(file);
    } catch (error) {
      throw explainSqlite(error, file, CACHE_HINT);
    }
  }

  private constructor(file: string) {
    this.#db = new Database(file, { timeout: 1_000 });
    this.#sql = new Statements(this.#db);
    try {
      this.#db.pragma('locking_mode = EXCLUSIVE');
      this.#db.pragma('synchronous = NORMAL');
      this.#db.exec('BEGIN IMMEDIATE');
      prepareTables(this.#db);
      const { prepare } = this.#sql;
      this.log = new LogTable(prepare);
      this.map = new MapTable(prepare);
      this.decisions = new DecisionTable(this.#db, prepare);
      this.documents = new DocumentTable(prepare);
      this.shadcn = new ShadcnTable(prepare);
      this.advisories = new AdvisoryTable(prepare);
      this.matrix = new MatrixTable(prepare);
      this.shards = new ShardTable(prepare);
      this.site = new SiteTable(prepare);
      this.osv = new OsvTable(prepare);
      this.withdrawals = new WithdrawalTable(prepare);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Forgets everything; what was found in the trees of its versions, `foundBefore` has until the state is committed. */
  reset(): void {
    this.#db.exec(KEEP_VERSIONS);
    makeTables(this.#db);
    for (const table of TABLES) this.#db.exec(`DELETE FROM ${table}`);
    this.#hasBefore = true;
  }

  /** What was found in `tree` when an earlier run examined it as a version of `id` that `commit` published. */
  foundBefore(id: string, tree: string, commit: string): FoundBefore | undefined {
    if (!this.#hasBefore) return undefined;
    const sql = `SELECT version, risk, coalesce(plain, facts) AS facts FROM version_before
      WHERE id = ? AND tree = ? AND commit_oid = ?`;
    return this.#sql.get<FoundBefore>(sql, id, tree, commit);
  }

  /** Makes the run's changes last. Called before the index changes, with `dirty` set. */
  commit(): void {
    this.#db.exec(FORGET_VERSIONS);
    this.#hasBefore = false;
    this.#db.exec('COMMIT');
  }

  /** Drops what was not committed, and the lock. */
  close(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.close();
  }

  meta(key: string): string | undefined {
    return this.#sql.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
  }

  setMeta(key: string, value: string): void {
    this.#sql.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
  }

  findVersion(id: string, version: string): { commit: string; tree: string } | undefined {
    const found = this.findPublication(id, version);
    return found?.version === version ? found : undefined;
  }

  /** What was published of `id` with the precedence of `version`: one version at most. */
  findPublication(
    id: string,
    version: string,
  ): { version: string; commit: string; tree: string } | undefined {
    const columns = 'version, commit_oid AS "commit", tree';
    const sql = `SELECT ${columns} FROM version WHERE id = ? AND precedence = ?`;
    return this.#sql.get(sql, id, precedenceOf(version));
  }

  addVersion({ id, version, commit, tree, publishedAt, risk, seq, facts }: Publication): void {
    const row = [id, version, precedenceOf(version), commit, tree, publishedAt, risk, seq, facts];
    this.#sql.run(
      'INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)',
      ...row,
    );
  }

  versionsOf(id: string): string[] {
    const rows = this.#sql.all<{ facts: string }>('SELECT facts FROM version WHERE id = ?', id);
    return rows.map((row) => row.facts);
  }

  /** The versions of `id` that were published before the place `seq` in history, or by `commit`. */
  versionsUpTo(id: string, seq: number, commit: string): string[] {
    const sql = 'SELECT version FROM version WHERE id = ? AND (seq < ? OR commit_oid = ?)';
    return this.#sql.all<{ version: string }>(sql, id, seq, commit).map((row) => row.version);
  }

  facts(id: string, version: string): VersionFacts | undefined {
    const sql = 'SELECT facts FROM version WHERE id = ? AND version = ?';
    const row = this.#sql.get<{ facts: string }>(sql, id, version);
    return row === undefined ? undefined : (JSON.parse(row.facts) as VersionFacts);
  }

  /** The newest publication of `id` so far, or that of `version`. */
  newestPublication(id: string, version?: string): { tree: string } {
    const sql = `SELECT tree FROM version WHERE id = ? AND version = coalesce(?, version) ORDER BY seq DESC LIMIT 1`;
    return this.#sql.prepare(sql).get(id, version ?? null) as { tree: string };
  }

  /**
   * Forgets the content of a version that is taken down, or of all versions so far.
   * @returns the versions
   */
  forget(id: string, only?: string): string[] {
    const known = this.versionsOf(id).map((facts) => JSON.parse(facts) as VersionFacts);
    const gone = known.filter(({ version }) => only === undefined || only === version);
    for (const facts of gone) {
      const sql = `UPDATE version SET plain = NULL, risk = 'ok', facts = ? WHERE id = ? AND version = ?`;
      this.#sql.run(sql, JSON.stringify(takenDownFacts(id, facts)), id, facts.version);
    }
    return gone.map(({ version }) => version);
  }

  /** Writes the whole file again: what was deleted is in none of its bytes. After `commit`. */
  erase(): void {
    this.#db.exec('VACUUM');
  }

  /** Replaces the facts by those with the findings of history. */
  setFacts(id: string, version: string, facts: VersionFacts): void {
    const sql =
      'UPDATE version SET plain = coalesce(plain, facts), facts = ? WHERE id = ? AND version = ?';
    this.#sql.run(sql, JSON.stringify(facts), id, version);
  }

  hasBuild(id: string): boolean {
    return this.#sql.get('SELECT 1 FROM version WHERE id = ? LIMIT 1', id) !== undefined;
  }

  /** @param source `history`, or what the problem is dropped and found again with */
  addProblem(seq: number, source: string, problem: Problem, tree = ''): void {
    const { commit, path, finding } = problem;
    const row = [seq, source, commit, path, tree, JSON.stringify(finding)];
    this.#sql.run('INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?)', ...row);
  }

  /** Of a file that is read at the head: each run reports its problem again. */
  addHeadProblem(path: string, found: Finding): void {
    this.addProblem(Number.MAX_SAFE_INTEGER, path, { commit: '', path, finding: found });
  }

  dropProblems(source: string): void {
    this.#sql.run('DELETE FROM problem WHERE source = ?', source);
  }

  hasProblem(path: string, tree: string): boolean {
    const sql = 'SELECT 1 FROM problem WHERE path = ? AND tree = ? LIMIT 1';
    return this.#sql.get(sql, path, tree) !== undefined;
  }

  problems(): Problem[] {
    type Row = { commit_oid: string; path: string; finding: string };
    const rows = this.#sql.all<Row>('SELECT * FROM problem ORDER BY seq, source, path, rowid');
    return rows.map(({ commit_oid: commit, path, finding }) => {
      return { commit, path, finding: JSON.parse(finding) as Finding };
    });
  }

  ownerFile(owner: string): OwnerFile {
    const row = this.#sql.get<{ file: string }>('SELECT file FROM owner WHERE owner = ?', owner);
    return row === undefined ? {} : (JSON.parse(row.file) as OwnerFile);
  }

  setOwnerFile(owner: string, file: OwnerFile): void {
    this.#sql.run(
      'INSERT INTO owner VALUES (?, ?, NULL) ON CONFLICT DO UPDATE SET file = excluded.file',
      owner,
      JSON.stringify(file),
    );
  }

  /** `undefined` before an owner's first build. */
  reputation(owner: string): number | undefined {
    type Row = { reputation: number | null };
    const row = this.#sql.get<Row>('SELECT reputation FROM owner WHERE owner = ?', owner);
    return row?.reputation ?? undefined;
  }

  setReputation(owner: string, reputation: number): void {
    const upsert = 'ON CONFLICT DO UPDATE SET reputation = excluded.reputation';
    this.#sql.run(`INSERT INTO owner VALUES (?, '{}', ?) ${upsert}`, owner, reputation);
  }

  ownerChangedAt(id: string): string | undefined {
    const sql = 'SELECT changed_at FROM owner_change WHERE id = ?';
    return this.#sql.get<{ changed_at: string }>(sql, id)?.changed_at;
  }

  setOwnerChangedAt(id: string, time: string): void {
    this.#sql.run('INSERT OR REPLACE INTO owner_change VALUES (?, ?)', id, time);
  }

  signals(id: string): Signals | undefined {
    const sql = 'SELECT signals FROM signals WHERE id = ?';
    const row = this.#sql.get<{ signals: string }>(sql, id);
    return row === undefined ? undefined : (JSON.parse(row.signals) as Signals);
  }

  setSignals(id: string, signals: Signals | undefined): void {
    if (signals === undefined) this.#sql.run('DELETE FROM signals WHERE id = ?', id);
    else this.#sql.run('INSERT OR REPLACE INTO signals VALUES (?, ?)', id, JSON.stringify(signals));
  }

  /** What `moderation/` has about a build. */
  waivers(id: string): Waiver[] {
    const row = this.#sql.get<{ waivers: string }>('SELECT waivers FROM waiver WHERE id = ?', id);
    return row === undefined ? [] : (JSON.parse(row.waivers) as Waiver[]);
  }

  setWaivers(id: string, waivers: readonly Waiver[]): void {
    const upsert = 'ON CONFLICT DO UPDATE SET waivers = excluded.waivers';
    this.#sql.run(`INSERT INTO waiver VALUES (?, ?, '{}') ${upsert}`, id, JSON.stringify(waivers));
  }

  /** Version to the waivers that hold for it. */
  heldWaivers(id: string): Record<string, readonly Waiver[]> {
    const row = this.#sql.get<{ held: string }>('SELECT held FROM waiver WHERE id = ?', id);
    return row === undefined ? {} : (JSON.parse(row.held) as Record<string, Waiver[]>);
  }

  setHeldWaivers(id: string, held: Readonly<Record<string, readonly Waiver[]>>): void {
    this.#sql.run('UPDATE waiver SET held = ? WHERE id = ?', JSON.stringify(held), id);
  }

  setRisk(id: string, version: string, risk: Risk): void {
    this.#sql.run('UPDATE version SET risk = ? WHERE id = ? AND version = ?', risk, id, version);
  }

  setBuild(owner: string, bits: string, summary: BuildSummary): void {
    const row = [summary.id, owner, ownerHash(owner), bits, summary.updated_at];
    const sql = 'INSERT OR REPLACE INTO build VALUES (?, ?, ?, ?, ?, ?)';
    this.#sql.run(sql, ...row, JSON.stringify(summary));
  }

  /** Ids of an owner's builds that have versions, sorted. */
  buildsOf(owner: string): string[] {
    const sql = 'SELECT DISTINCT id FROM version WHERE id >= ? AND id < ? ORDER BY id';
    return this.#sql.all<{ id: string }>(sql, `${owner}/`, `${owner}0`).map((row) => row.id);
  }

  /** Version, risk and time of publication of every version of `id`. */
  risksOf(id: string): { version: string; risk: Risk; published_at: string }[] {
    return this.#sql.all('SELECT version, risk, published_at FROM version WHERE id = ?', id);
  }

  /** Ids of builds with a version that was published after `from` and not after `to`. */
  publishedBetween(from: string, to: string): string[] {
    const sql = 'SELECT DISTINCT id FROM version WHERE published_at > ? AND published_at <= ?';
    return this.#sql.all<{ id: string }>(sql, from, to).map((row) => row.id);
  }

  /** Versions that are dated after `time`. */
  publishedAfter(time: string): { id: string; commit: string; published_at: string }[] {
    const sql = `SELECT id, commit_oid AS "commit", published_at FROM version WHERE published_at > ? ORDER BY seq`;
    return this.#sql.all(sql, time);
  }

  /** Of a version that is dated before one that its build had: its time, and the newest such one with its time. */
  backdated(
    id: string,
    version: string,
  ): { at: string; earlier: string; time: string } | undefined {
    const sql = `SELECT own.published_at AS at, old.version AS earlier, max(old.published_at) AS time
      FROM version own JOIN version old
      ON old.id = own.id AND old.seq < own.seq AND old.published_at > own.published_at
      WHERE own.id = ? AND own.version = ? GROUP BY own.version`;
    return this.#sql.get(sql, id, version);
  }

  /** Of `ids`, `builds` are those that the catalog has. */
  counts(): { builds: number; ids: number; versions: number; owners: number; shards: number } {
    const owners = `count(DISTINCT substr(id, 1, instr(id, '/')))`;
    return this.#sql.get(`SELECT (SELECT count(*) FROM build) AS builds,
      (SELECT count(DISTINCT id) FROM version) AS ids,
      (SELECT count(*) FROM version) AS versions,
      (SELECT ${owners} FROM version) AS owners,
      (SELECT count(DISTINCT sha256) FROM shard) AS shards`)!;
  }
}

/** A published version as the state takes it. */
export interface Publication {
  readonly id: string;
  readonly commit: string;
  readonly tree: string;
  readonly version: string;
  readonly publishedAt: string;
  readonly risk: string;
  /** Its place in history. */
  readonly seq: number;
  /** `VersionFacts` as JSON. */
  readonly facts: string;
}
