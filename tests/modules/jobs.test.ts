/** stackyard/jobs in both foundations on SQLite. On PostgreSQL, with several processes, and killed, see jobs.long.test.ts. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createJobsModule,
  defineJob,
  enqueue,
  type JobContext,
  jobsMigrations,
  type JobsModuleOptions,
  type Operators,
  schedule,
} from '../../builds/stackyard/jobs/index.js';
import { FRAMEWORKS, openSqlite, startHost } from './module-host.ts';

const TOKEN = 'a-token-of-operators-with-32-characters';
const BEARER = { Authorization: `Bearer ${TOKEN}` };
const FAST = { firstPauseMs: 1, maxPauseMs: 5 };

// Jobs are defined once in a process.
let count = 0;
const unique = (name: string): string => `${name}-${++count}`;

function openJobs(options: Partial<JobsModuleOptions> = {}) {
  const db = openSqlite(jobsMigrations);
  const module = createJobsModule({ database: () => db, pollMs: 5, ...options });
  return { db, module };
}

async function startJobs(options: Partial<JobsModuleOptions> = {}) {
  const parts = openJobs(options);
  return { ...parts, host: await startHost('express', [parts.module]) };
}

describe.each(FRAMEWORKS)('on %s', (framework) => {
  test('operators see jobs, and run or delete dead ones', async () => {
    const job = defineJob(unique('broken'), () => Promise.reject(new Error('no')), { attempts: 1 });
    const { module } = openJobs();
    schedule('0 3 * * 1', job, { zone: 'Europe/Berlin', key: unique('weekly') });
    const host = await startHost(framework, [module], {
      NODE_ENV: 'test',
      JOBS_TOKEN: TOKEN,
      DOCS: 'on',
    });
    const [first, second] = [await job.enqueue(), await job.enqueue()];
    const dead = () =>
      host.ask(`GET /ops/jobs/items?status=dead&name=${job.name}`, { headers: BEARER });
    await expect.poll(async () => (await dead()).body.items.length).toBe(2);
    const { body } = await dead();
    expect(body.items).toContainEqual(
      expect.objectContaining({ id: first, attempts: 1, error: 'no' }),
    );

    const overview = await host.ask('GET /ops/jobs', { headers: BEARER });
    expect(overview.body.jobs).toEqual([{ name: job.name, status: 'dead', count: 2 }]);
    expect(overview.body.schedules).toContainEqual(
      expect.objectContaining({
        job: job.name,
        cron: '0 3 * * 1',
        zone: 'Europe/Berlin',
        nextAt: expect.stringMatching(/T0[12]:00:00.000Z$/),
      }),
    );
    expect(
      (await host.ask(`POST /ops/jobs/items/${first}/retry`, { headers: BEARER })).status,
    ).toBe(202);
    await expect.poll(async () => (await dead()).body.items.length).toBe(2);
    expect((await host.ask(`DELETE /ops/jobs/items/${second}`, { headers: BEARER })).status).toBe(
      204,
    );
    expect(
      (await host.ask(`DELETE /ops/jobs/items/${second}`, { headers: BEARER })).body.error.code,
    ).toBe('job_not_found');
    expect(
      (await host.ask(`POST /ops/jobs/items/${second}/retry`, { headers: BEARER })).body.error.code,
    ).toBe('not_dead');
    expect(
      (await host.ask('GET /ops/jobs/items?status=x', { headers: BEARER })).body.error.code,
    ).toBe('invalid_request');
    expect((await host.ask('PUT /ops/jobs/items', { headers: BEARER })).headers.get('allow')).toBe(
      'GET, HEAD',
    );
    expect((await host.ask('GET /ops/jobs/x', { headers: BEARER })).body.error.code).toBe(
      'not_found',
    );
    const { body: openapi } = await host.ask('GET /openapi.json');
    expect(openapi.paths).toHaveProperty('/ops/jobs/items/{id}/retry');
    expect(await new Validator().validate(openapi)).toMatchObject({ valid: true });
    expect((await host.ask('GET /ready')).status).toBe(200);
  });

  test('nobody gets in without the token, and nobody at all where there is none', async () => {
    const { module } = openJobs();
    const host = await startHost(framework, [module], {
      NODE_ENV: 'development',
      JOBS_TOKEN: TOKEN,
    });
    for (const headers of [
      {},
      { Authorization: `Bearer ${TOKEN}x` },
      { Authorization: 'Bearer ' },
      { Authorization: TOKEN },
    ]) {
      const answer = await host.ask('GET /ops/jobs', {
        headers: headers as Record<string, string>,
      });
      expect([
        answer.status,
        answer.body.error.code,
        answer.headers.get('www-authenticate'),
      ]).toEqual([401, 'missing_token', 'Bearer realm="jobs"']);
    }
    await host.stop();
    const closed = await startHost(framework, [openJobs().module], { NODE_ENV: 'development' });
    for (const headers of [{}, BEARER, { Authorization: 'Bearer ' }]) {
      expect(
        (await closed.ask('GET /ops/jobs', { headers: headers as Record<string, string> })).status,
      ).toBe(401);
    }
  });

  test('users get in whom the application names', async () => {
    const { accountHost, operators } = await openAccounts();
    const { module } = openJobs({ operators });
    const host = await startHost(framework, [accountHost, module] as never, { NODE_ENV: 'test' });
    const register = async (email: string): Promise<Record<string, string>> => {
      const body = JSON.stringify({ email, password: '12345678' });
      const answer = await fetch(`${host.url}/auth/register`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      return { Authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
    };
    const [admin, guest] = [
      await register('admin@example.com'),
      await register('guest@example.com'),
    ];
    expect((await host.ask('GET /ops/jobs', { headers: admin })).body).toHaveProperty('schedules');
    expect((await host.ask('GET /ops/jobs', { headers: guest })).body.error.code).toBe('forbidden');
    expect((await host.ask('GET /ops/jobs')).body.error.code).toBe('missing_token');
  });
});

async function openAccounts() {
  const { createAccountModule } = await import('../../builds/stackyard/account-core/index.js');
  const { accountMigrations, createSqliteStore } =
    await import('../../builds/stackyard/account-sqlite/store.js');
  const db = openSqlite(accountMigrations as never);
  const accountHost = createAccountModule({ openStore: () => createSqliteStore(db) });
  const operators: Operators = {
    requireAuth: accountHost.requireAuth,
    isOperator: ({ email }) => email === 'admin@example.com',
  };
  return { accountHost, operators };
}

test('a job is committed with the change that causes it, or not at all', async () => {
  const got: unknown[] = [];
  const job = defineJob(
    unique('order'),
    z.object({ id: z.number() }),
    (data) => void got.push(data),
  );
  const { db, module } = await startJobs();
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
  await expect.poll(() => module.list()).toMatchObject([{ status: 'done', attempts: 1 }]);
  expect(db.prepare('SELECT data FROM background_jobs').all()).toEqual([{ data: null }]);
});

test('data is stored as it was given, and reaches the handler as the schema makes it', async () => {
  const got: unknown[] = [];
  const job = defineJob(
    unique('date'),
    z.object({ at: z.coerce.date(), text: z.string().transform((text) => text.length) }),
    (data) => void got.push(data),
  );
  await startJobs();
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
  const last = defineJob(unique('last'), () =>
    Promise.reject(Object.assign(new Error('never'), { permanent: true })),
  );
  const { module, host } = await startJobs();
  const id = await job.enqueue();
  await expect
    .poll(() => module.list({ name: job.name }))
    .toMatchObject([{ status: 'dead', attempts: 3, error: 'no' }]);
  expect(attempts).toEqual([1, 2, 3]);
  await last.enqueue();
  await expect
    .poll(() => module.list({ name: last.name }))
    .toMatchObject([{ status: 'dead', attempts: 1 }]);
  expect([await module.retry(id!), await module.retry('x')]).toEqual([true, false]);
  await expect.poll(() => attempts).toEqual([1, 2, 3, 1, 2, 3]);
  expect(host.log).toContainEqual(expect.objectContaining({ job: job.name, id, level: 50 }));
});

test('data that the schema does not take any more is not tried again', async () => {
  const job = defineJob(unique('changed'), z.object({ to: z.string() }), () => {});
  const { db, module } = await startJobs();
  db.prepare(
    "INSERT INTO background_jobs VALUES ('1', ?, 'queued', '{\"to\":1}', NULL, 0, 0, NULL, 0, NULL, 0, NULL, 0, NULL)",
  ).run(job.name);
  await expect
    .poll(() => module.list())
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
  const { module } = await startJobs();
  await job.enqueue();
  await expect.poll(() => module.list()).toMatchObject([{ status: 'done', attempts: 2 }]);
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
  await startHost('express', [other]);
  for (let index = 0; index < 20; index++) await job.enqueue();
  const keys = await Promise.all(
    [1, 2, 3].map(() => job.enqueue(undefined, { singletonKey: 'one' })),
  );
  expect(keys.filter((id) => id !== undefined)).toHaveLength(1);
  await startHost('express', [module]);
  await expect.poll(async () => (await module.list({ status: 'done' })).length).toBe(21);
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
    INSERT INTO background_jobs SELECT 'id' || n, ?, 'queued', 'null', NULL, 0, n, NULL, 0, NULL, 0, NULL, 0, NULL FROM s`,
  ).run(job.name);
  const count = (): void => {
    turn++;
    if (turns.length < 100) setImmediate(count);
  };
  count();
  await startHost('express', [module]);
  await expect.poll(() => turns.length).toBe(100);
  // Five at once: requests come in between.
  expect(new Set(turns).size).toBeGreaterThan(10);
});

test('a job runs at its time', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const job = defineJob(unique('later'), () => {});
  const { module } = await startJobs({ now: () => clock.now });
  await job.enqueue(undefined, { runAt: new Date(clock.now + 60_000) });
  const soon = await job.enqueue(undefined, { runAt: new Date(clock.now + 30_000) });
  clock.now += 30_000;
  await expect.poll(() => module.list({ status: 'done' })).toMatchObject([{ id: soon }]);
  expect(await module.list({ status: 'queued' })).toMatchObject([
    { runAt: '2026-01-01T00:01:00.000Z' },
  ]);
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
  const { db, module, host } = await startJobs({ stopTimeoutMs: 200 });
  await good.enqueue();
  await deaf.enqueue();
  await expect.poll(() => started.length).toBe(2);
  const stopped = host.stop();
  end();
  await stopped;
  const rows = db
    .prepare('SELECT name, status, attempts, lease FROM background_jobs ORDER BY status')
    .all();
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
    "CREATE TEMP TRIGGER disk BEFORE UPDATE ON background_jobs WHEN is_full() BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  const host = await startHost('express', [module]);
  await job.enqueue();
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(503);
  disk.isFull = false;
  await expect.poll(() => module.list()).toMatchObject([{ status: 'done' }]);
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(200);
  expect(runs).toBe(1);
});

test('of the times of a schedule that have passed one run is made, which knows of the others', async () => {
  const clock = { now: Date.UTC(2026, 2, 28, 12) };
  const runs: Pick<JobContext, 'scheduledFor' | 'missedRuns'>[] = [];
  const job = defineJob(
    unique('nightly'),
    (_data, { scheduledFor, missedRuns }) =>
      void runs.push({ scheduledFor: scheduledFor!, missedRuns }),
  );
  const { db } = await startJobs({ now: () => clock.now });
  // In the night to 29 March 2026 the clocks of Berlin go from 2:00 to 3:00, in that to 25 October from 3:00 to 2:00.
  schedule('30 2 * * *', job, { zone: 'Europe/Berlin' });
  const nextAt = () =>
    (
      db
        .prepare('SELECT next_at FROM background_schedules WHERE schedule_key = ?')
        .get(job.name) as { next_at: number } | undefined
    )?.next_at;
  await expect.poll(nextAt).toBe(Date.UTC(2026, 2, 29, 1));
  clock.now = Date.UTC(2026, 2, 29, 1);
  await expect
    .poll(() => runs)
    .toEqual([{ scheduledFor: new Date('2026-03-29T01:00:00Z'), missedRuns: 0 }]);
  await expect.poll(nextAt).toBe(Date.UTC(2026, 2, 30, 0, 30));
  // Nothing was running for three days.
  clock.now = Date.UTC(2026, 3, 2);
  await expect
    .poll(() => runs.slice(1))
    .toEqual([{ scheduledFor: new Date('2026-04-01T00:30:00Z'), missedRuns: 2 }]);
  await expect.poll(nextAt).toBe(Date.UTC(2026, 3, 2, 0, 30));
  // The clock goes back a day: nothing runs twice, and the next time is that of before.
  clock.now = Date.UTC(2026, 3, 1, 12);
  await expect
    .poll(
      async () =>
        (await job.enqueue()) !== undefined &&
        runs.filter(({ scheduledFor }) => scheduledFor === undefined).length,
    )
    .not.toBe(0);
  expect(runs.filter(({ scheduledFor }) => scheduledFor !== undefined)).toHaveLength(2);
  // The clock was a year ahead for a moment.
  db.prepare('UPDATE background_schedules SET next_at = ? WHERE schedule_key = ?').run(
    Date.UTC(2027, 0, 1),
    job.name,
  );
  await expect.poll(nextAt).toBe(Date.UTC(2026, 3, 2, 0, 30));
  clock.now = Date.UTC(2028, 9, 25);
  await expect
    .poll(() => runs.at(-1))
    .toEqual({ scheduledFor: new Date('2028-10-24T00:30:00Z'), missedRuns: 936 });
});

test('a scheduled run that is not over is not joined by another', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const runs: { readonly missed: number; end(): void }[] = [];
  const job = defineJob(
    unique('long'),
    (_data, { missedRuns: missed }) =>
      new Promise<void>((resolve) => runs.push({ missed, end: resolve })),
  );
  schedule('* * * * *', job);
  const { db } = await startJobs({ now: () => clock.now });
  const read = () =>
    db
      .prepare('SELECT next_at, missed_runs FROM background_schedules WHERE schedule_key = ?')
      .get(job.name) as { next_at: number; missed_runs: number } | undefined;
  await expect.poll(() => read()?.next_at).toBe(clock.now + 60_000);
  clock.now += 60_000;
  await expect.poll(() => runs.length).toBe(1);
  for (const missed of [1, 2]) {
    clock.now += 60_000;
    await expect.poll(() => read()?.missed_runs).toBe(missed);
  }
  expect(runs.map(({ missed }) => missed)).toEqual([0]);
  runs[0]!.end();
  await expect
    .poll(() => db.prepare("SELECT count(*) AS n FROM background_jobs WHERE status = 'done'").get())
    .toEqual({ n: 1 });
  clock.now += 60_000;
  await expect.poll(() => runs.map(({ missed }) => missed)).toEqual([0, 2]);
  runs[1]!.end();
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
