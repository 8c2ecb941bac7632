// No acknowledged account is lost when the database or the service itself stops under load.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from './account-suite.ts';
import { findLost, streamRegistrations } from './acknowledged-accounts.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import {
  bearer,
  type BuiltService,
  buildService,
  readLog,
  type RunningService,
  send,
} from './service-fixture.ts';

const SECRET = 'a secret for tests that is long enough';
/** Hashes that cost little: what is killed and cut off is then mostly at work in the database. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;

let built: BuiltService;
let postgres: PostgresServer | undefined;

beforeAll(async () => {
  built = await buildService();
  postgres = await startPostgres();
});

afterAll(() => {
  built?.remove();
  postgres?.remove();
});

const METRICS_TOKEN = 'a-token-of-the-tests';
const readMetrics = async ({ url }: RunningService) =>
  (await send('GET', `${url}/metrics`, undefined, bearer(METRICS_TOKEN))).text;
const readyStatus = async ({ url }: RunningService) => (await send('GET', `${url}/ready`)).status;

describe.each(['sqlite', 'postgres'])('kill -9 with %s', (kind) => {
  test('loses no acknowledged account', async () => {
    const DATABASE_URL =
      (kind === 'postgres' && (await postgres?.createDatabase('killed'))) ||
      'file:data/killed.sqlite';
    const env = { DATABASE_URL, JWT_SECRET: SECRET, NODE_OPTIONS };
    let service = await built.start(env);
    const stream = streamRegistrations(service.url, 4, 'k');
    for (let crashes = 1; crashes <= 3; crashes++) {
      await expect
        .poll(() => stream.acknowledged.length, { timeout: 30_000 })
        .toBeGreaterThan(crashes * 4);
      // Not after an answer, but at any point of the next ones.
      await sleep(crashes * 37);
      expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
      service = await built.start(env);
      stream.moveTo(service.url);
    }
    const count = stream.acknowledged.length;
    await expect.poll(() => stream.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(count);
    await stream.stop();
    expect(await findLost(service.url, stream.acknowledged)).toEqual([]);
    expect(Object.keys(stream.counts).sort()).toEqual(['201', 'broken']);
    await service.kill('SIGTERM');
  });
});

describe('PostgreSQL', () => {
  test('is answered from as specified', async () => {
    const DATABASE_URL = (await postgres?.createDatabase('suite')) ?? '';
    const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, DATABASE_URL, NODE_OPTIONS };
    const service = await built.start(env);
    const host = { base: `${service.url}/auth`, secret: SECRET };
    const { requests, differences } = await findDifferences(host);
    expect(differences).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(100);
    await service.kill('SIGTERM');
  });

  test('stopped and started under load loses no acknowledged account', async () => {
    const DATABASE_URL = (await postgres?.createDatabase('away')) ?? '';
    const env = {
      DATABASE_URL,
      JWT_SECRET: SECRET,
      NODE_OPTIONS,
      METRICS_TOKEN,
    };
    const service = await built.start(env);
    const { url } = service;
    const { token } = (
      await send('POST', `${url}/auth/register`, {
        email: 'a@example.com',
        password: 'correct horse',
      })
    ).body;
    const me = () => send('GET', `${url}/auth/me`, undefined, bearer(token));
    const stream = streamRegistrations(url, 4, 'd');
    for (let outages = 1; outages <= 2; outages++) {
      const before = stream.acknowledged.length;
      await expect
        .poll(() => stream.acknowledged.length, { timeout: 30_000 })
        .toBeGreaterThan(before + 3);

      postgres?.stop('immediate');
      await expect.poll(() => readyStatus(service), { timeout: 10_000 }).toBe(503);
      const away = await me();
      expect(away.status).toBe(503);
      expect(away.body.error).toMatchObject({ status: 503, code: 'database_unavailable' });
      expect(away.headers.get('retry-after')).toBe('5');
      expect((await send('GET', `${url}/health`)).status).toBe(200);
      expect(await readMetrics(service)).toContain('auth_database_up 0');

      postgres?.start();
      await expect.poll(() => readyStatus(service), { timeout: 10_000 }).toBe(200);
      expect((await me()).status).toBe(200);
    }
    const count = stream.acknowledged.length;
    await expect.poll(() => stream.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(count);
    await stream.stop();
    expect(Object.keys(stream.counts).sort()).toEqual(['201', '503']);
    expect(await findLost(url, stream.acknowledged)).toEqual([]);
    const messages = readLog(service).map(({ msg }) => msg);
    expect(messages).toContain('Database unavailable');
    expect(messages).toContain('The database is back');
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.output.stderr).toBe('');
  });

  test('that is not available at the start is awaited, without a restart', async () => {
    const DATABASE_URL = (await postgres?.createDatabase('late')) ?? '';
    postgres?.stop('fast');
    const service = await built.start({ DATABASE_URL, JWT_SECRET: SECRET });
    expect(await readyStatus(service)).toBe(503);
    const early = await built.start({ DATABASE_URL, JWT_SECRET: SECRET, METRICS_TOKEN });
    expect(await readMetrics(early)).toContain('auth_database_up 0');
    expect(await early.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const account = { email: 'a@example.com', password: 'correct horse' };
    expect((await send('POST', `${service.url}/auth/register`, account)).status).toBe(503);
    postgres?.start();
    // Without a request to /ready: the next request creates the tables.
    expect((await send('POST', `${service.url}/auth/register`, account)).status).toBe(201);
    await expect.poll(() => readyStatus(service)).toBe(200);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.output.stdout).not.toContain(encodeURIComponent('p@ss/word'));
    expect(service.output.stdout).not.toContain('p@ss/word');
  });
});
