// The worker on SQLite. The routes of operators are in tests/modules/jobs.test.ts; PostgreSQL, several processes and
// kills in tests/modules/jobs.long.test.ts.

import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  createJobsModule,
  defineJob,
  enqueue,
  jobsMigrations,
  type JobsModuleOptions,
  listJobs,
  retryJob,
  schedule,
} from './index.js';

const TOKEN = 'a-token-of-operators-with-32-characters';
const FAST = { firstPauseMs: 1, maxPauseMs: 5 };

// Jobs are defined once in a process.
let count = 0;
const unique = (name: string): string => `${name}-${++count}`;

function openJobs(options: Partial<JobsModuleOptions> = {}) {
  const db = new Sqlite(':memory:');
  for (const { sql } of jobsMigrations) db.exec(sql);
  return { db, module: createJobsModule({ database: () => db, pollMs: 5, ...options }) };
}

/** Starts the module until the end of the test, and gives its log. */
function start(module: ReturnType<typeof createJobsModule>): object[] {
  const log: object[] = [];
  const note = (level: string) => (fields: object, text: string) => void log.push({ ...fields, level, text });
  module.start({ env: {}, log: { info() {}, warn: note('warn'), error: note('error') } });
  onTestFinished(() => module.stop());
  return log;
}

function startJobs(options: Partial<JobsModuleOptions> = {}) {
  const parts = openJobs(options);
  return { ...parts, log: start(parts.module) };
}

test('a job is committed with the change that causes it, or not at all', async () => {
  const got: unknown[] = [];
  const job = defineJob(unique('order'), z.object({ id: z.number() }), (data) => void got.push(data));
  const { db } = startJobs();
  const order = (data: unknown, fails: boolean) =>
    db.transaction(() => {
      void enqueue(job.name, data, { on: db });
      if (fails) throw new Error('no');
    });
  expect(order({ id: 1 }, true)).toThrow('no');
  expect(order({ id: 'x' }, false)).toThrow(
    expect.objectContaining({ code: 'ERR_JOB_DATA', message: expect.stringMatching(/: id: /) }),
  );
  order({ id: 2 }, false)();
  await expect.poll(() => got).toEqual([{ id: 2 }]);
  await expect.poll(() => listJobs()).toMatchObject([{ status: 'done', attempts: 1 }]);
  expect(db.prepare('SELECT data FROM background_jobs').all()).toEqual([{ data: null }]);
});

test('data is stored as it was given, and reaches the handler as the schema makes it', async () => {
  const got: unknown[] = [];
  const job = defineJob(
    unique('date'),
    z.object({ at: z.coerce.date(), text: z.string().transform((text) => text.length) }),
    (data) => void got.push(data),
  );
  startJobs();
  await job.enqueue({ at: new Date(0), text: 'four' });
  await expect.poll(() => got).toEqual([{ at: new Date(0), text: 4 }]);
});

test('a job is tried again with pauses, then it is dead', async () => {
  const attempts: number[] = [];
  const job = defineJob(
    unique('poison'),
    (_data: void, { attempt }) => {
      attempts.push(attempt);
      throw new Error('no');
    },
    { attempts: 3, ...FAST },
  );
  const last = defineJob(unique('last'), () => Promise.reject(Object.assign(new Error('never'), { permanent: true })));
  const { log } = startJobs();
  const id = await job.enqueue();
  await expect.poll(() => listJobs({ name: job.name })).toMatchObject([{ status: 'dead', attempts: 3, error: 'no' }]);
  expect(attempts).toEqual([1, 2, 3]);
  await last.enqueue();
  await expect.poll(() => listJobs({ name: last.name })).toMatchObject([{ status: 'dead', attempts: 1 }]);
  expect([await retryJob(id!), await retryJob('x')]).toEqual([true, false]);
  await expect.poll(() => attempts).toEqual([1, 2, 3, 1, 2, 3]);
  expect(log).toContainEqual(expect.objectContaining({ job: job.name, id, level: 'error' }));
});

test('data that the schema does not take any more is not tried again', async () => {
  const job = defineJob(unique('changed'), z.object({ to: z.string() }), () => {});
  const { db } = startJobs();
  db.prepare(
    "INSERT INTO background_jobs VALUES ('1', ?, 'queued', '{\"to\":1}', NULL, 0, 0, NULL, 0, NULL, 0, NULL, 0, NULL)",
  ).run(job.name);
  await expect
    .poll(() => listJobs())
    .toMatchObject([{ status: 'dead', attempts: 1, error: expect.stringContaining('to: ') }]);
});

test('a job that takes too long is notified, and tried again', async () => {
  let aborted = 0;
  const job = defineJob(
    unique('slow'),
    (_data: void, { signal, attempt }) => {
      if (attempt === 2) return;
      return new Promise(() => signal.addEventListener('abort', () => aborted++));
    },
    { timeoutMs: 20, ...FAST },
  );
  startJobs();
  await job.enqueue();
  await expect.poll(() => listJobs()).toMatchObject([{ status: 'done', attempts: 2 }]);
  expect(aborted).toBe(1);
});

test('as many run at once as the job allows, and one of each key', async () => {
  let [running, most] = [0, 0];
  const job = defineJob(
    unique('few'),
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
    { concurrency: 2 },
  );
  const { db, module } = openJobs({ concurrency: 10 });
  const other = createJobsModule({
    database: () => db,
    pollMs: 5,
    concurrency: 10,
    runsJobs: false,
  });
  start(other);
  for (let index = 0; index < 20; index++) await job.enqueue();
  const keys = await Promise.all([1, 2, 3].map(() => job.enqueue(undefined, { singletonKey: 'one' })));
  expect(keys.filter((id) => id !== undefined)).toHaveLength(1);
  start(module);
  await expect.poll(async () => (await listJobs({ status: 'done' })).length).toBe(21);
  expect(most).toBe(2);
  expect(await job.enqueue(undefined, { singletonKey: 'one' })).toBeTypeOf('string');
});

test('the event loop goes on while many jobs run', async () => {
  const turns: number[] = [];
  let turn = 0;
  const job = defineJob(unique('quick'), () => void turns.push(turn));
  const { db, module } = openJobs();
  db.prepare(
    `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100)
    INSERT INTO background_jobs
    SELECT 'id' || n, ?, 'queued', 'null', NULL, 0, n, NULL, 0, NULL, 0, NULL, 0, NULL FROM s`,
  ).run(job.name);
  const count = (): void => {
    turn++;
    if (turns.length < 100) setImmediate(count);
  };
  count();
  start(module);
  await expect.poll(() => turns.length).toBe(100);
  // Ten at once: requests come in between.
  expect(new Set(turns).size).toBeGreaterThanOrEqual(10);
});

test('a job runs at its time', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const job = defineJob(unique('later'), () => {});
  startJobs({ now: () => clock.now });
  await job.enqueue(undefined, { runAt: new Date(clock.now + 60_000) });
  const soon = await job.enqueue(undefined, { runAt: new Date(clock.now + 30_000) });
  clock.now += 30_000;
  await expect.poll(() => listJobs({ status: 'done' })).toMatchObject([{ id: soon }]);
  expect(await listJobs({ status: 'queued' })).toMatchObject([{ runAt: '2026-01-01T00:01:00.000Z' }]);
});

test('a stop lets jobs end, and queues those again that do not', async () => {
  let end = (): void => {};
  const started: string[] = [];
  const good = defineJob(unique('good'), () => {
    started.push('good');
    return new Promise<void>((resolve) => (end = resolve));
  });
  const deaf = defineJob(unique('deaf'), () => {
    started.push('deaf');
    return new Promise(() => {});
  });
  const { db, module } = startJobs({ stopTimeoutMs: 200 });
  await good.enqueue();
  await deaf.enqueue();
  await expect.poll(() => started.length).toBe(2);
  const stopped = module.stop();
  end();
  await stopped;
  const rows = db.prepare('SELECT name, status, attempts, lease FROM background_jobs ORDER BY status').all();
  expect(rows).toEqual([
    { name: good.name, status: 'done', attempts: 1, lease: null },
    { name: deaf.name, status: 'queued', attempts: 0, lease: null },
  ]);
  expect(() => good.enqueue()).toThrow(expect.objectContaining({ code: 'ERR_JOBS_NOT_STARTED' }));
  expect(() => module.checks.jobs()).toThrow('not started');
});

test('a job that was done while the database takes no writes is not done again', async () => {
  const disk = { isFull: false };
  let runs = 0;
  const job = defineJob(unique('full'), () => {
    runs++;
    disk.isFull = true;
  });
  const { db, module } = openJobs({ leaseMs: 30 });
  db.function('is_full', () => (disk.isFull ? 1 : 0));
  db.exec(
    `CREATE TEMP TRIGGER disk BEFORE UPDATE ON background_jobs WHEN is_full()
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  );
  start(module);
  const isReady = (): boolean => {
    try {
      module.checks.jobs();
      return true;
    } catch {
      return false;
    }
  };
  await job.enqueue();
  await expect.poll(isReady).toBe(false);
  disk.isFull = false;
  await expect.poll(() => listJobs()).toMatchObject([{ status: 'done' }]);
  await expect.poll(isReady).toBe(true);
  expect(runs).toBe(1);
});

test('of the times of a schedule that have passed one run is made', async () => {
  const clock = { now: Date.UTC(2026, 2, 28, 12) };
  const runs: (Date | undefined)[] = [];
  const job = defineJob(unique('nightly'), (_data, { scheduledFor }) => void runs.push(scheduledFor));
  const { db } = startJobs({ now: () => clock.now });
  // In the night to 29 March 2026 the clocks of Berlin go from 2:00 to 3:00, in that to 25 October from 3:00 to 2:00.
  schedule('30 2 * * *', job, { zone: 'Europe/Berlin' });
  const readNext = db.prepare('SELECT next_at FROM background_schedules WHERE schedule_key = ?');
  const nextAt = () => (readNext.get(job.name) as { next_at: number } | undefined)?.next_at;
  await expect.poll(nextAt).toBe(Date.UTC(2026, 2, 29, 1));
  clock.now = Date.UTC(2026, 2, 29, 1);
  await expect.poll(() => runs).toEqual([new Date('2026-03-29T01:00:00Z')]);
  await expect.poll(nextAt).toBe(Date.UTC(2026, 2, 30, 0, 30));
  // Nothing was running for three days, and begins in the last second of a minute.
  clock.now = Date.UTC(2026, 3, 2, 0, 29, 59, 900);
  await expect.poll(() => runs.slice(1)).toEqual([new Date('2026-04-01T00:30:00Z')]);
  await expect.poll(nextAt).toBe(Date.UTC(2026, 3, 2, 0, 30));
  // The clock goes back a day: nothing runs twice, and the next time is that of before.
  clock.now = Date.UTC(2026, 3, 1, 12);
  await job.enqueue();
  await expect.poll(() => runs.length).toBe(3);
  expect(runs[2]).toBeUndefined();
  // The clock was a year ahead for a moment.
  db.prepare('UPDATE background_schedules SET next_at = ? WHERE schedule_key = ?').run(Date.UTC(2027, 0, 1), job.name);
  await expect.poll(nextAt).toBe(Date.UTC(2026, 3, 2, 0, 30));
  clock.now = Date.UTC(2028, 9, 25);
  await expect.poll(() => runs.at(-1)).toEqual(new Date('2028-10-24T00:30:00Z'));
});

test('a scheduled run that is not over is not joined by another', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const ends: (() => void)[] = [];
  const job = defineJob(unique('long'), () => new Promise<void>((resolve) => ends.push(resolve)));
  schedule('* * * * *', job);
  const { db } = startJobs({ now: () => clock.now });
  const readNext = db.prepare('SELECT next_at AS at FROM background_schedules WHERE schedule_key = ?');
  const nextIs = async (at: number): Promise<void> => await expect.poll(() => readNext.get(job.name)).toEqual({ at });
  for (const runs of [0, 1, 1]) {
    await nextIs(clock.now + 60_000);
    await expect.poll(() => ends.length).toBe(runs);
    clock.now += 60_000;
  }
  await nextIs(clock.now + 60_000);
  ends[0]!();
  await expect.poll(() => listJobs({ status: 'done' })).toHaveLength(1);
  clock.now += 60_000;
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
});

test('a job of an id is queued once, also after it is done; data stay where the handler says so', async () => {
  const job = defineJob<string>(unique('kept'), (_data, { keepData }) => keepData());
  startJobs();
  const id = '00000000-0000-4000-8000-000000000001';
  expect(await job.enqueue('a', { id })).toBe(id);
  await expect.poll(() => listJobs()).toMatchObject([{ status: 'done', data: 'a' }]);
  expect(await job.enqueue('b', { id })).toBeUndefined();
});

test('checkSettings() refuses a short token, without its text', () => {
  const { module } = openJobs();
  expect(module.checkSettings({})).toEqual([]);
  for (const token of ['short', `${TOKEN} with spaces`]) {
    const problems = module.checkSettings({ JOBS_TOKEN: token });
    expect(problems).toMatchObject([{ name: 'JOBS_TOKEN' }]);
    expect(JSON.stringify(problems)).not.toContain(token);
  }
});
