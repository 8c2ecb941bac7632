/** The routes of stackyard/jobs in both foundations. Its worker is tested beside it. */
import { describe, expect, test } from 'vitest';
import {
  createJobsModule,
  defineJob,
  jobsMigrations,
  type JobsModuleOptions,
  schedule,
} from '../../builds/stackyard/jobs/index.js';
import { createAccounts, FRAMEWORKS, openSqlite, startHost } from './module-host.ts';

const TOKEN = 'a-token-of-operators-with-32-characters';
const BEARER = { Authorization: `Bearer ${TOKEN}` };

// Jobs are defined once in a process.
let count = 0;
const unique = (name: string): string => `${name}-${++count}`;

function openJobs(options: Partial<JobsModuleOptions> = {}) {
  const db = openSqlite(jobsMigrations);
  const module = createJobsModule({ database: () => db, pollMs: 5, ...options });
  return { db, module };
}

describe.each(FRAMEWORKS)('on %s', (framework) => {
  test('operators see jobs, and run or delete dead ones', async () => {
    const job = defineJob(unique('broken'), () => Promise.reject(new Error('no')), { attempts: 1 });
    const { module } = openJobs();
    schedule('0 3 * * 1', job, { zone: 'Europe/Berlin', key: unique('weekly') });
    const host = await startHost(framework, [module], {
      NODE_ENV: 'test',
      JOBS_TOKEN: TOKEN,
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
      'GET, HEAD, OPTIONS',
    );
    expect((await host.ask('GET /ops/jobs/x', { headers: BEARER })).body.error.code).toBe(
      'not_found',
    );
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
    const { authenticate, register } = createAccounts(framework === 'express');
    const isOperator = ({ email }: { email: string }) => email === 'admin@example.com';
    const { module } = openJobs({ operators: { authenticate, isOperator } });
    const host = await startHost(framework, [module], { NODE_ENV: 'test' });
    const ask = (token?: string) => host.ask('GET /ops/jobs', token === undefined ? {} : { token });
    expect((await ask(register('admin@example.com'))).body).toHaveProperty('schedules');
    expect((await ask(register('guest@example.com'))).code).toBe('forbidden');
    expect((await ask()).code).toBe('missing_token');
  });
});
