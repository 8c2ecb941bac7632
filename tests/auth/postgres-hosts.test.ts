// The account API over HTTP on Express and Hono with stackyard/account-postgres, and what happens to accounts when the app
// or the database stops under load.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAccountApi } from './account-api.contract.ts';
import type { AccountHost } from './account-host-fixture.ts';
import { findLost, streamRegistrations } from './acknowledged-accounts.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { buildPostgresApps, type PostgresApps } from './postgres-host-fixture.ts';
import { send } from './service-fixture.ts';

let apps: PostgresApps | undefined;
let server: PostgresServer | undefined;
const postgres = (): PostgresServer => server!;

beforeAll(async () => {
  apps = buildPostgresApps();
  server = await startPostgres();
});

afterAll(() => {
  apps?.remove();
  server?.remove();
});

describe.each(['express', 'hono'] as const)('%s', (app) => {
  const startApp = (env: Readonly<Record<string, string>>) => apps!.start(app, postgres)(env);
  describeAccountApi(`an app on ${app} with PostgreSQL`, startApp, {
    startApp,
    hasBodyParser: true,
    hasSessions: true,
    hasCookies: true,
    hasRecovery: true,
    isService: false,
  });
});

describe('accounts under load', () => {
  const env = {
    NODE_ENV: 'development',
    JWT_SECRET: 'a secret for tests that is long enough',
    // Hashes that cost little: what is killed and cut off is then mostly at work in the database.
    NODE_OPTIONS: `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`,
  };
  const start = (DATABASE_URL: string): Promise<AccountHost> =>
    apps!.start('express', postgres)({ ...env, DATABASE_URL });
  const ready = async ({ origin }: AccountHost) => (await send('GET', `${origin}/ready`)).status;

  test('kill -9 of one of two processes loses no acknowledged account', async () => {
    const url = await postgres().createDatabase('killed');
    // Two starts at once on an empty database.
    const [other, first] = await Promise.all([start(url), start(url)]);
    let killed = first;
    const streams = [
      streamRegistrations(other.origin, 2, 'o'),
      streamRegistrations(killed.origin, 4, 'k'),
    ];
    const [, stream] = streams;
    for (let crashes = 1; crashes <= 3; crashes++) {
      await expect.poll(() => stream!.acknowledged.length).toBeGreaterThan(crashes * 4);
      // Not after an answer, but at any point of the next ones.
      await sleep(crashes * 37);
      await killed.stop('SIGKILL');
      killed = await start(url);
      stream!.moveTo(killed.origin);
    }
    const count = stream!.acknowledged.length;
    await expect.poll(() => stream!.acknowledged.length).toBeGreaterThan(count);
    for (const each of streams) {
      await each.stop();
      expect(await findLost(other.origin, each.acknowledged)).toEqual([]);
    }
    expect(Object.keys(stream!.counts).sort()).toEqual(['201', 'broken']);
    expect(Object.keys(streams[0]!.counts)).toEqual(['201']);
    for (const each of [other, killed]) expect(await each.stop('SIGTERM')).toBe(0);
  });

  test.each(['fast', 'immediate'] as const)(
    'a database that is stopped (%s) and started again loses no acknowledged account',
    async (mode) => {
      const host = await start(await postgres().createDatabase(`away_${mode}`));
      const stream = streamRegistrations(host.origin, 4, 'd');
      for (let outages = 1; outages <= 2; outages++) {
        const before = stream.acknowledged.length;
        await expect.poll(() => stream.acknowledged.length).toBeGreaterThan(before + 3);
        postgres().stop(mode);
        await expect.poll(() => ready(host)).toBe(503);
        expect((await send('GET', `${host.origin}/health`)).status).toBe(200);
        postgres().start();
        await expect.poll(() => ready(host)).toBe(200);
      }
      const count = stream.acknowledged.length;
      await expect.poll(() => stream.acknowledged.length).toBeGreaterThan(count);
      await stream.stop();
      expect(Object.keys(stream.counts).sort()).toEqual(['201', '503']);
      expect(await findLost(host.origin, stream.acknowledged)).toEqual([]);
      expect(await host.stop('SIGTERM')).toBe(0);
    },
  );
});
