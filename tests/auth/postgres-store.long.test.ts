// The store and the throttle in a real PostgreSQL.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseDatabaseUrl, type PostgresConfig } from '../../auth-service/database-url.ts';
import { isUnavailable } from '../../auth-service/errors.ts';
import { openPostgresStore } from '../../auth-service/store/postgres-store.ts';
import { describeStore } from '../../auth-service/store/store.contract.ts';
import type { ServiceStore } from '../../auth-service/store/store.ts';
import { createPostgresThrottle } from '../../auth-service/throttle.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';

describe('PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server?.remove());

  const createUrl = () => server.createDatabase(`d${++databases}`);
  const open = (url: string, change: Partial<PostgresConfig> = {}): ServiceStore =>
    openPostgresStore({ ...(parseDatabaseUrl(url) as PostgresConfig), ...change }, log);
  const user = (email = 'a@example.com') => ({
    email,
    passwordHash: 'x',
    createdAt: '2026-11-21T09:30:00.250Z',
  });

  describeStore('PostgreSQL', async () => {
    const url = await createUrl();
    return { open: () => open(url), remove: async () => {} };
  });

  test('openPostgresStore() creates the tables once when many start at the same time', async () => {
    const url = await createUrl();
    const stores = Array.from({ length: 8 }, () => open(url));
    await Promise.all(stores.map((store) => store.check()));
    // Those of earlier versions of the service and of stackyard/account-postgres, so that their databases stay good.
    const text = 'SELECT id, left(checksum, 16) AS checksum FROM _migrations ORDER BY id';
    expect(await server.query(url, text)).toEqual([
      { id: '0000_account_check_users', checksum: '34fbf97ee72111c0' },
      { id: '0001_account_create_users', checksum: 'cd00199127b44599' },
      { id: '0003_account_create_rate_limits', checksum: '04e5748ccf68d499' },
      { id: '0006_account_end_logged_out', checksum: 'bab8dd0cc7e0c012' },
    ]);
    for (const store of stores) await store.close();
  });

  test('openPostgresStore() leaves alone what only earlier versions have, and ends what a logout ended', async () => {
    const url = await createUrl();
    const first = open(url);
    await first.insert(user());
    await first.close();
    await server.query(
      url,
      `CREATE TABLE revoked_tokens (jti TEXT PRIMARY KEY, expires_at BIGINT NOT NULL);
       CREATE TABLE account_sessions (
         jti TEXT PRIMARY KEY, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE
       );
       INSERT INTO _migrations VALUES ('0002_account_create_revoked_tokens', 'x', now());
       DELETE FROM _migrations WHERE id = '0006_account_end_logged_out';
       INSERT INTO revoked_tokens VALUES ('one', 4102444800);
       INSERT INTO account_sessions VALUES ('one', 1)`,
    );
    const store = open(url);
    await store.check();
    const found = await store.findByEmail('a@example.com');
    expect(found).toMatchObject({ id: 1, tokenVersion: 1 });
    expect(await server.query(url, 'SELECT * FROM account_sessions')).toHaveLength(1);
    await store.close();
  });

  test('openPostgresStore() refuses tables of something else', async () => {
    const url = await createUrl();
    await server.query(url, 'CREATE TABLE users (name TEXT)');
    const store = open(url);
    const error: unknown = await store.check().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_MIGRATION_FAILED' });
    expect(isUnavailable(error)).toBe(false);
    await store.close();
    // Nothing is left of the attempt, so that it can be made again.
    const text = "SELECT to_regclass('_migrations')::text AS name";
    expect(await server.query(url, text)).toEqual([{ name: null }]);
  });

  test('ids that JSON cannot carry are refused', async () => {
    const url = await createUrl();
    const store = open(url);
    await store.check();
    await server.query(
      url,
      "INSERT INTO users (id, email, password_hash) VALUES (9007199254740993, 'big@example.com', 'x')",
    );
    await expect(store.findByEmail('big@example.com')).rejects.toMatchObject({
      message: expect.stringContaining('its id is not between 1 and 2^53'),
    });
    await store.close();
  });

  describe('the throttle', () => {
    let stores: ServiceStore[];
    // Two processes, which share the counts.
    let throttles: ReturnType<typeof createPostgresThrottle>[];
    let run = 0;

    beforeAll(async () => {
      const url = await createUrl();
      stores = [open(url), open(url)];
      throttles = stores.map((store) => createPostgresThrottle(store.run!));
    });

    afterAll(async () => {
      for (const store of stores) await store.close();
    });

    const at = (address: string, email?: string): [string, string?] =>
      email === undefined ? [`${run}.${address}`] : [`${run}.${address}`, email];
    const admitMany = (count: number, attempt: ReturnType<typeof at>) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => throttles[index % 2]!.admit(...attempt)),
      );
    const countAdmitted = async (count: number, attempt: ReturnType<typeof at>) =>
      (await admitMany(count, attempt)).filter((seconds) => seconds === 0).length;

    test('bounds the attempts of an address in a minute', async () => {
      run++;
      expect(await countAdmitted(120, at('1.2.3.4'))).toBe(100);
      const wait = await throttles[0]!.admit(...at('1.2.3.4'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(await throttles[0]!.admit(...at('1.2.3.5'))).toBe(0);
    });

    test('lets no more than the free failures of many at once through, for one account and address', async () => {
      run++;
      expect(await countAdmitted(30, at('1.2.3.4', 'a'))).toBe(10);
      expect(await countAdmitted(5, at('1.2.3.4', 'b'))).toBe(5);
      expect(await countAdmitted(5, at('1.2.3.5', 'a'))).toBe(5);
    });

    test('doubles the wait with each further failure, up to 900 seconds', async () => {
      run++;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      try {
        const attempt = at('1.2.3.4', 'a');
        await admitMany(10, attempt);
        const waits: number[] = [];
        for (let failures = 0; failures < 12; failures++) {
          const wait = await throttles[0]!.admit(...attempt);
          // A refusal counts nothing: asking again does not make it longer.
          expect(await throttles[1]!.admit(...attempt)).toBe(wait);
          waits.push(wait);
          vi.setSystemTime(Date.now() + wait * 1000 + 10);
          expect(await throttles[0]!.admit(...attempt)).toBe(0);
        }
        expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        vi.setSystemTime(Date.now() + 86_401_000);
        expect(await countAdmitted(20, attempt)).toBe(10);
      } finally {
        vi.useRealTimers();
      }
    });

    test('succeed() forgets the failures', async () => {
      run++;
      const attempt = at('1.2.3.4', 'a');
      expect(await countAdmitted(12, attempt)).toBe(10);
      await throttles[0]!.succeed(attempt[0], 'a');
      expect(await countAdmitted(12, attempt)).toBe(10);
    });

    test('takes texts of any length', async () => {
      expect(await throttles[0]!.admit(...at('x'.repeat(10_000), '\0\ud800'.repeat(5000)))).toBe(0);
    });
  });
});
