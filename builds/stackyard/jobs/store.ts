// The jobs in the database of the application. A row is written with the change that causes it, claimed by one process
// with a lease that it renews, and kept for a while after it has ended.
//
//   queued -> running -> done
//                     -> queued      failed, with the time of the next attempt; or given back at a stop
//                     -> dead        failed for good; `retry` makes it queued again

import { createHash, randomUUID } from 'node:crypto';
import {
  type Connection, isUniqueViolation, portableMigrations, type Sql, type SqlValue, statement,
} from '../sql/index.js';

export const jobsMigrations = portableMigrations([
  {
    id: '0001_jobs_create',
    up: `CREATE TABLE background_jobs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  data TEXT,
  singleton_key TEXT,
  attempts BIGINT NOT NULL,
  run_at BIGINT NOT NULL,
  lease TEXT,
  lease_until BIGINT NOT NULL,
  scheduled_for BIGINT,
  missed_runs BIGINT NOT NULL,
  error TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX background_jobs_due ON background_jobs (status, name, run_at);
CREATE UNIQUE INDEX background_jobs_singleton ON background_jobs (name, singleton_key) \
WHERE status IN ('queued', 'running');
CREATE INDEX background_jobs_scheduled ON background_jobs (singleton_key, scheduled_for) \
WHERE scheduled_for IS NOT NULL;
CREATE TABLE background_schedules (
  schedule_key TEXT PRIMARY KEY,
  cron TEXT NOT NULL,
  zone TEXT NOT NULL,
  next_at BIGINT NOT NULL,
  missed_runs BIGINT NOT NULL
);`,
  },
]);

export type JobStatus = 'queued' | 'running' | 'done' | 'dead';

/** A job as it is stored. Times are UTC, such as `2026-11-21T09:30:00.000Z`. */
export interface StoredJob {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly runAt: string;
  readonly singletonKey: string | null;
  /** Of the last attempt that failed. */
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** Deleted when it is done. */
  readonly data: unknown;
}

export interface EnqueueOptions {
  /**
   * The connection on which a transaction is open: the job is committed with it, or not at all. A client of pg; or the
   * database of better-sqlite3, inside of `transaction(...)`: what is wrong is thrown there at once.
   */
  readonly on?: Connection;
  /** Not before this time. */
  readonly runAt?: Date;
  /** At most one job of this name and key is queued or running. */
  readonly singletonKey?: string;
  /**
   * A UUID. While the table has a job of this id, done ones included, it is not queued again. Default: a random one.
   */
  readonly id?: string;
}

export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  /** This one included. */
  readonly attempts: number;
  readonly scheduledFor: number | null;
}

export interface JobCount {
  readonly name: string;
  readonly status: JobStatus;
  readonly count: number;
}

export interface ListOptions {
  readonly status?: JobStatus | undefined;
  readonly name?: string | undefined;
  /** Default: 100. */
  readonly limit?: number;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly data: string | null;
  readonly singleton_key: string | null;
  readonly attempts: number;
  readonly run_at: number;
  readonly scheduled_for: number | null;
  readonly error: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
}

const INSERT = `INSERT INTO background_jobs
  (id, name, status, data, singleton_key, attempts, run_at, lease_until, scheduled_for, missed_runs, created_at)
  VALUES ($1, $2, 'queued', $3, $4, 0, $5, 0, $6, 0, $7) ON CONFLICT DO NOTHING RETURNING id`;
const MAX_KEY = 200;
const MAX_ERROR = 2000;
const MAX_LISTED = 1000;

/** The statements on the tables. Times are milliseconds since 1970. */
export class JobStore {
  readonly #sql: Sql;
  /** Of this process: what another one has claimed is left to it. */
  readonly #lease = randomUUID();
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /**
   * Stores a job. Resolves with its id, or `undefined` where the key is in use. On SQLite it has happened when this
   * returns.
   */
  add(name: string, data: string, options: EnqueueOptions): Promise<string | undefined> {
    const { on, runAt, singletonKey, id = randomUUID() } = options;
    if (singletonKey !== undefined && (singletonKey === '' || singletonKey.length > MAX_KEY)) {
      throw new RangeError(`Option "singletonKey" is not a text of 1 to ${MAX_KEY} characters`);
    }
    const now = this.#now();
    const values = [id, name, data, singletonKey ?? null, runAt?.getTime() ?? now, null, now];
    const sql = on === undefined ? this.#sql : this.#sql.on(on);
    return sql.query(INSERT, values).then((rows) => (rows.length > 0 ? id : undefined));
  }

  /** Queues the jobs again whose process has not renewed its lease. Those of this one it knows of itself. */
  async requeueExpired(): Promise<void> {
    const others = "status = 'running' AND lease_until <= $1 AND lease <> $2";
    const text = `UPDATE background_jobs SET status = 'queued', lease = NULL WHERE ${others}`;
    await this.#sql.query(text, [this.#now(), this.#lease]);
  }

  /** Which of the names have a job that is due, that of the oldest first. One look at the index for each. */
  async findDueNames(names: readonly string[]): Promise<string[]> {
    const first = "SELECT MIN(run_at) FROM background_jobs WHERE status = 'queued' AND name =";
    const each = names.map((_, index) => {
      return `SELECT CAST($${index + 2} AS TEXT) AS name, (${first} $${index + 2} AND run_at <= $1) AS first`;
    });
    const text = `SELECT name FROM (${each.join(' UNION ALL ')}) AS due WHERE first IS NOT NULL ORDER BY first`;
    const rows = names.length === 0 ? [] : await this.#sql.query<{ name: string }>(text, [this.#now(), ...names]);
    return rows.map(({ name }) => name);
  }

  /** Claims due jobs of one name, at most `slots`, and so that at most `concurrency` run in all processes. */
  async claim(
    name: string,
    slots: number,
    concurrency: number | undefined,
    leaseMs: number,
  ): Promise<ClaimedJob[]> {
    const now = this.#now();
    const [lease, isPostgres] = [this.#lease, this.#sql.dialect === 'postgres'];
    const rows = await this.#sql.transaction(function* () {
      let limit = slots;
      if (concurrency !== undefined) {
        // Counting and claiming are one step for all processes. A transaction of SQLite is alone anyhow.
        const lock = 'SELECT 1 AS locked FROM pg_advisory_xact_lock(CAST($1 AS BIGINT))';
        if (isPostgres) yield* statement(lock, [lockOf(name)]);
        const running = "name = $1 AND status = 'running' AND lease_until > $2";
        const count = `SELECT COUNT(*) AS n FROM background_jobs WHERE ${running}`;
        const [row] = yield* statement<{ n: number }>(count, [name, now]);
        limit = Math.min(slots, concurrency - (row?.n ?? 0));
      }
      if (limit <= 0) return [];
      return yield* statement<Row>(
        `UPDATE background_jobs SET status = 'running', lease = $2, lease_until = $3, attempts = attempts + 1
  WHERE id IN (SELECT id FROM background_jobs WHERE status = 'queued' AND name = $4 AND run_at <= $1
  ORDER BY run_at LIMIT $5${isPostgres ? ' FOR UPDATE SKIP LOCKED' : ''}) RETURNING *`,
        [now, lease, now + leaseMs, name, limit],
      );
    });
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      data: JSON.parse(row.data ?? 'null') as unknown,
      attempts: row.attempts,
      scheduledFor: row.scheduled_for,
    }));
  }

  /** Renews the leases, and gives the ids of those that this process still holds. */
  async renew(ids: readonly string[], leaseMs: number): Promise<Set<string>> {
    const list = ids.map((_, index) => `$${index + 3}`).join(', ');
    const own = `lease = $2 AND status = 'running' AND id IN (${list})`;
    const text = `UPDATE background_jobs SET lease_until = $1 WHERE ${own} RETURNING id`;
    const rows = await this.#sql.query<{ id: string }>(text, [this.#now() + leaseMs, this.#lease, ...ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** The job is done. Its data is deleted, unless `keepsData`. */
  markDone(id: string, keepsData: boolean): Promise<unknown> {
    const data = keepsData ? '' : 'data = NULL, ';
    return this.#end(id, `status = 'done', ${data}error = NULL, finished_at = $3`, [this.#now()]);
  }

  /** Ends an attempt that failed: the next one is after `delayMs`, and there is none without it. */
  markFailed(id: string, error: string, delayMs: number | undefined): Promise<unknown> {
    const now = this.#now();
    const isDead = delayMs === undefined;
    const values = [isDead ? 'dead' : 'queued', now + (delayMs ?? 0), isDead ? now : null, storable(error)];
    return this.#end(id, 'status = $3, run_at = $4, finished_at = $5, error = $6', values);
  }

  /** Gives a job back, as if there had been no attempt. */
  release(id: string): Promise<unknown> {
    return this.#end(id, "status = 'queued', attempts = attempts - 1", []);
  }

  #end(id: string, changes: string, values: readonly SqlValue[]): Promise<unknown> {
    const own = "id = $1 AND lease = $2 AND status = 'running'";
    const text = `UPDATE background_jobs SET ${changes}, lease = NULL, lease_until = 0 WHERE ${own}`;
    return this.#sql.query(text, [id, this.#lease, ...values]);
  }

  /** Queues a dead job once more, with all its attempts. Whether there is one, and none of its key is queued. */
  async retry(id: string): Promise<boolean> {
    const text = `UPDATE background_jobs SET status = 'queued', attempts = 0, run_at = $1, finished_at = NULL
  WHERE id = $2 AND status = 'dead' RETURNING id`;
    try {
      return (await this.#sql.query(text, [this.#now(), id])).length > 0;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Deletes a job that is not running. Whether there is one. */
  async remove(id: string): Promise<boolean> {
    const text = "DELETE FROM background_jobs WHERE id = $1 AND status <> 'running' RETURNING id";
    return (await this.#sql.query(text, [id])).length > 0;
  }

  count(): Promise<JobCount[]> {
    const text = 'SELECT name, status, COUNT(*) AS count FROM background_jobs GROUP BY name, status';
    return this.#sql.query<JobCount>(`${text} ORDER BY name, status`);
  }

  /** The newest first. */
  async list({ status, name, limit = 100 }: ListOptions = {}): Promise<StoredJob[]> {
    const rows = await this.#sql.query<Row>(
      `SELECT * FROM background_jobs WHERE ($2 = '' OR status = $2) AND ($3 = '' OR name = $3)
  ORDER BY created_at DESC, id LIMIT $1`,
      [Math.min(Math.max(Math.trunc(limit), 1), MAX_LISTED), status ?? '', name ?? ''],
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      status: row.status,
      attempts: row.attempts,
      runAt: toText(row.run_at),
      singletonKey: row.singleton_key,
      error: row.error,
      createdAt: toText(row.created_at),
      finishedAt: row.finished_at === null ? null : toText(row.finished_at),
      data: JSON.parse(row.data ?? 'null') as unknown,
    }));
  }

  /** Deletes jobs that have ended before. */
  async prune(doneBefore: number, deadBefore: number): Promise<void> {
    await this.#sql.transaction(function* () {
      yield* statement("DELETE FROM background_jobs WHERE status = 'done' AND finished_at < $1", [doneBefore]);
      yield* statement("DELETE FROM background_jobs WHERE status = 'dead' AND finished_at < $1", [deadBefore]);
    });
  }

  /** The next times of all schedules by key. */
  async readSchedules(): Promise<Map<string, StoredSchedule>> {
    const text = 'SELECT schedule_key AS key, cron, zone, next_at AS "nextAt" FROM background_schedules';
    return new Map((await this.#sql.query<StoredSchedule>(text)).map((row) => [row.key, row]));
  }

  /** Sets the next time of a schedule that is new or was changed. */
  async setSchedule(key: string, cron: string, zone: string, nextAt: number): Promise<void> {
    await this.#sql.query(
      `INSERT INTO background_schedules (schedule_key, cron, zone, next_at, missed_runs) VALUES ($1, $2, $3, $4, 0)
  ON CONFLICT (schedule_key) DO UPDATE SET cron = excluded.cron, zone = excluded.zone, next_at = excluded.next_at`,
      [key, cron, zone, nextAt],
    );
  }

  /**
   * Moves a schedule from the time `dueAt` on, and queues its job, unless another process has done both, or the time
   * was run before a clock went back. A run that is not over is not joined by another.
   */
  async runSchedule(run: ScheduledRun): Promise<void> {
    const now = this.#now();
    await this.#sql.transaction(function* () {
      const due = 'schedule_key = $2 AND next_at = $3';
      const move = `UPDATE background_schedules SET next_at = $1 WHERE ${due} RETURNING cron`;
      if ((yield* statement(move, [run.nextAt, run.key, run.dueAt])).length === 0) return;
      const singletonKey = `schedule:${run.key}`;
      const sameTime = 'SELECT id FROM background_jobs WHERE singleton_key = $1 AND scheduled_for = $2';
      if ((yield* statement(sameTime, [singletonKey, run.scheduledFor])).length > 0) return;
      yield* statement(INSERT, [randomUUID(), run.name, run.data, singletonKey, now, run.scheduledFor, now]);
    });
  }
}

export interface StoredSchedule {
  readonly key: string;
  readonly cron: string;
  readonly zone: string;
  readonly nextAt: number;
}

export interface ScheduledRun {
  readonly key: string;
  readonly name: string;
  readonly data: string;
  readonly dueAt: number;
  readonly nextAt: number;
  readonly scheduledFor: number;
}

// 48 bits of a hash: the number of the lock for the jobs of this name.
function lockOf(name: string): number {
  return createHash('sha256').update(`background_jobs ${name}`).digest().readUIntBE(0, 6);
}

function storable(text: string): string {
  return text.replace(/\0|\p{Cs}/gu, '?').slice(0, MAX_ERROR);
}

export function toText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
