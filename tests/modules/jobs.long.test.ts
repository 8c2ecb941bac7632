/** stackyard/jobs killed at any moment, with several processes, clocks that differ, and jobs that kill, on both databases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createJobsModule,
  defineJob,
  jobsMigrations,
  listJobs,
} from '../../builds/stackyard/jobs/index.js';
import { createSql, type Sql } from '../../builds/stackyard/sql/index.js';
import { openDatabase } from '../../builds/stackyard/sqlite/database.js';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { openPostgres, startHost } from './module-host.ts';
import { type ProcessTask, startModuleProcess } from './process-fixture.ts';

const KILLS = 15;

let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

async function openShared(
  kind: 'sqlite' | 'postgres',
): Promise<{ task: Pick<ProcessTask, 'sqlite' | 'postgres'>; sql: Sql }> {
  if (kind === 'postgres') {
    const postgres = await server.createDatabase(`jobs${++databases}`);
    const pool = new pg.Pool({ connectionString: postgres });
    onTestFinished(() => pool.end());
    return { task: { postgres }, sql: createSql(() => pool) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-jobs-'));
  const sqlite = join(folder, 'app.db');
  const db = openDatabase(sqlite);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  return { task: { sqlite }, sql: createSql(() => db) };
}

/** Waits until nothing is left to do, and gives how often each order was run. Those that were committed are run, and no others. */
async function readRuns(sql: Sql): Promise<Map<string, number>> {
  const open = async () =>
    (await sql.query("SELECT id FROM background_jobs WHERE status IN ('queued', 'running')"))
      .length;
  await expect.poll(open, { timeout: 120_000 }).toBe(0);
  expect(await sql.query("SELECT id FROM background_jobs WHERE status = 'dead'")).toEqual([]);
  const orders = await sql.query<{ id: string }>('SELECT id FROM orders');
  const runs = await sql.query<{ order_id: string; n: number }>(
    "SELECT order_id, count(*) AS n FROM runs WHERE order_id <> 'scheduled' GROUP BY order_id",
  );
  expect(orders.length).toBeGreaterThan(0);
  expect(runs.map((row) => row.order_id).sort()).toEqual(orders.map(({ id }) => id).sort());
  return new Map(runs.map((row) => [row.order_id, row.n]));
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('nothing is lost, killed at any moment, and one at a time means one', async () => {
    const { task, sql } = await openShared(kind);
    const all = { ...task, what: 'jobs', orders: 10_000, leaseMs: 200 } as const;
    for (let kill = 0; kill < KILLS; kill++) {
      const running = await startModuleProcess(all);
      await sleep(20 + kill * 13);
      await running.end('SIGKILL');
    }
    const last = await startModuleProcess({ ...all, orders: 0 });
    const runs = await readRuns(sql);
    // A job runs twice where its process was killed between its end and the note of it: one at a time here.
    expect([...runs.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(KILLS);
    expect(await last.end('SIGTERM')).toBe(0);
  });

  test('two processes run each job once, and of those with a limit one at a time', async () => {
    const { task, sql } = await openShared(kind);
    const all = { ...task, what: 'jobs', orders: 100, leaseMs: 60_000 } as const;
    const pair = await Promise.all([startModuleProcess(all), startModuleProcess(all)]);
    const count = async () =>
      (await sql.query<{ n: number }>('SELECT count(*) AS n FROM orders'))[0]!.n;
    await expect.poll(count).toBe(200);
    expect(await pair[0].end('SIGTERM')).toBe(0);
    const runs = await readRuns(sql);
    // The unique key of the table "single" would have refused a second one beside, whose next attempt would be here.
    expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
    expect(await sql.query('SELECT attempt FROM runs WHERE attempt > 1')).toEqual([]);
    expect(await pair[1].end('SIGTERM')).toBe(0);
  });

  test('a job that kills its process is dead after its attempts, and the others are run', async () => {
    const { task, sql } = await openShared(kind);
    const all = { ...task, what: 'jobs', orders: 5, leaseMs: 100 } as const;
    const first = await startModuleProcess({ ...all, poison: true });
    expect(await first.exit).toBeNull();
    for (let start = 0; start < 2; start++)
      expect(await (await startModuleProcess(all)).exit).toBeNull();
    const last = await startModuleProcess(all);
    const poison = () =>
      sql.query("SELECT status, attempts FROM background_jobs WHERE name = 'poison'");
    await expect.poll(poison).toEqual([{ status: 'dead', attempts: 4 }]);
    const left = async () =>
      (await sql.query("SELECT id FROM background_jobs WHERE status IN ('queued', 'running')"))
        .length;
    await expect.poll(left).toBe(0);
    expect(await last.end('SIGTERM')).toBe(0);
  });

  test('of several processes whose clocks differ one runs each time of a schedule', async () => {
    const { task, sql } = await openShared(kind);
    const all = { ...task, what: 'jobs', orders: 0, leaseMs: 60_000 } as const;
    const first = await startModuleProcess({ ...all, nowOffsetMs: 0 });
    await expect
      .poll(async () => (await sql.query('SELECT next_at FROM background_schedules')).length)
      .toBe(1);
    await sql.query('UPDATE background_schedules SET next_at = next_at - 120000');
    const others = await Promise.all(
      [400, 800].map((nowOffsetMs) => startModuleProcess({ ...all, nowOffsetMs })),
    );
    const scheduled = () =>
      sql.query<{ scheduled_for: number }>(
        'SELECT scheduled_for FROM background_jobs ORDER BY scheduled_for',
      );
    await expect.poll(async () => (await scheduled()).length).toBeGreaterThan(0);
    // An hour ahead of the others, which is more than allowed: still no time is run twice.
    const ahead = await startModuleProcess({ ...all, nowOffsetMs: 3_600_000 });
    await sleep(1000);
    const times = (await scheduled()).map((row) => row.scheduled_for);
    expect(new Set(times).size).toBe(times.length);
    for (const process of [first, ...others, ahead]) expect(await process.end('SIGTERM')).toBe(0);
  });
});

test('a database that goes away and comes back loses nothing, and is not ready meanwhile', async () => {
  const pool = await openPostgres(jobsMigrations, await server.createDatabase('away'));
  const done = new Set<string>();
  const job = defineJob(
    'away',
    async (_data: void, { id }) => {
      await sleep(10);
      done.add(id);
    },
    { firstPauseMs: 1, attempts: 100 },
  );
  const module = createJobsModule({ database: () => pool, pollMs: 5, concurrency: 5 });
  const host = await startHost('hono', [module]);
  for (let count = 0; count < 30; count++) await job.enqueue();
  await expect.poll(() => done.size).toBeGreaterThan(2);
  server.stop('immediate');
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(503);
  server.start();
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(200);
  await expect.poll(async () => (await listJobs({ status: 'done' })).length).toBe(30);
  expect(done.size).toBe(30);
});

test('on postgres a job belongs to the transaction of its connection, and a key is used once at a time', async () => {
  const pool = await openPostgres(jobsMigrations, await server.createDatabase('transaction'));
  const got: string[] = [];
  const job = defineJob('order', (data: string) => void got.push(data));
  const module = createJobsModule({ database: () => pool, pollMs: 5 });
  await startHost('hono', [module]);
  const client = await pool.connect();
  for (const end of ['ROLLBACK', 'COMMIT']) {
    await client.query('BEGIN');
    await job.enqueue(end, { on: client, singletonKey: 'once' });
    await client.query(end);
  }
  client.release();
  await expect.poll(() => got).toEqual(['COMMIT']);
  const ids = await Promise.all(
    [1, 2, 3].map(() =>
      job.enqueue('again', { singletonKey: 'twice', runAt: new Date(Date.now() + 60_000) }),
    ),
  );
  expect(ids.filter((id) => id !== undefined)).toHaveLength(1);
});
