// The store in a real PostgreSQL.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDatabaseUrl, type PostgresConfig } from '../../auth-service/database-url.ts';
import { describeRateLimit } from './rate-limit.contract.ts';
import { describeStore } from './service-store.contract.ts';
import { type AuthStore, openPostgresStore } from '../../auth-service/store/store.ts';
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
  const open = (url: string, change: Partial<PostgresConfig> = {}): AuthStore =>
    openPostgresStore({ ...(parseDatabaseUrl(url) as PostgresConfig), ...change }, log);
  const user = (email = 'a@example.com') => ({
    email,
    passwordHash: 'x',
    createdAt: '2026-11-21T09:30:00.250Z',
  });

  describe.each([
    ['as it comes', {}, ''],
    ['with prepared statements', { prepared: true }, ''],
    // As CockroachDB is always: statements that meet fail with 40001 and are tried again.
    [
      'with serializable transactions',
      {},
      '?options=-cdefault_transaction_isolation%3Dserializable',
    ],
  ])('%s', (_, change, parameters) => {
    describeStore('PostgreSQL', async () => {
      const url = `${await createUrl()}${parameters}`;
      return { open: async () => open(url, change), remove: async () => {} };
    });
  });

  describe('as counters', () => {
    let store: AuthStore;
    beforeAll(async () => {
      store = open(await createUrl());
    });
    afterAll(() => store?.close());
    describeRateLimit('in PostgreSQL', () => {
      if (!store.createCounter) throw new Error('The store has no counters');
      return store.createCounter;
    });
  });

  test('openPostgresStore() creates the tables once when many start at the same time', async () => {
    const url = await createUrl();
    const stores = Array.from({ length: 8 }, () => open(url));
    await Promise.all(stores.map((store) => store.check()));
    const rows = await server.query(
      url,
      'SELECT id, length(checksum) AS length FROM _migrations ORDER BY id',
    );
    expect(rows).toEqual([
      { id: '0000_account_check_users', length: 64 },
      { id: '0001_account_create_users', length: 64 },
      { id: '0002_account_create_revoked_tokens', length: 64 },
      { id: '0003_account_create_rate_limits', length: 64 },
      { id: '0003_account_create_sessions', length: 64 },
      { id: '0004_account_create_recovery', length: 64 },
      { id: '0004_service_create_readiness', length: 64 },
    ]);
    for (const store of stores) await store.close();
  });

  test('openPostgresStore() refuses tables of something else', async () => {
    const url = await createUrl();
    await server.query(url, 'CREATE TABLE users (name TEXT)');
    const store = open(url);
    await expect(store.check()).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA', status: 500 });
    await store.close();
    // Nothing is left of the attempt, so that it can be made again.
    const text = "SELECT to_regclass('_migrations')::text AS name";
    expect(await server.query(url, text)).toEqual([{ name: null }]);
  });

  test('openPostgresStore() keeps to the schema that the URL names', async () => {
    const url = await createUrl();
    await server.query(url, 'CREATE TABLE users (name TEXT)');
    await server.query(url, 'CREATE SCHEMA auth');
    const store = open(`${url}?options=-csearch_path%3Dauth`);
    expect(await store.users.insert(user())).toMatchObject({ id: 1 });
    expect(await server.query(url, 'SELECT email FROM auth.users')).toEqual([
      { email: 'a@example.com' },
    ]);
    await store.close();
  });

  test('openPostgresStore() refuses a migration that was edited', async () => {
    const url = await createUrl();
    const first = open(url);
    await first.check();
    await first.close();
    await server.query(url, "UPDATE _migrations SET checksum = 'x' WHERE id LIKE '0002%'");
    const store = open(url);
    await expect(store.check()).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' });
    await store.close();
  });

  test('openPostgresStore() needs no right to create tables that are there', async () => {
    const url = await createUrl();
    await server.query(url, "CREATE ROLE limited LOGIN PASSWORD 'secret'");
    const limitedUrl = url.replace(/\/\/[^@]*@/, '//limited:secret@');
    const early = open(limitedUrl);
    await expect(early.check()).rejects.toMatchObject({ code: 'ERR_STORE_SCHEMA' });
    const owner = open(url);
    await owner.check();
    await server.query(
      url,
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO limited',
    );
    await early.check();
    expect(await early.users.insert(user())).toMatchObject({ id: 1 });
    await early.close();
    await owner.close();
  });

  test('ids that JSON cannot carry are refused', async () => {
    const url = await createUrl();
    const store = open(url);
    await store.check();
    await server.query(
      url,
      "INSERT INTO users (id, email, password_hash) VALUES (9007199254740993, 'big@example.com', 'x')",
    );
    await expect(store.users.findByEmail('big@example.com')).rejects.toMatchObject({
      message: expect.stringContaining('its id is not between 1 and 2^53'),
    });
    await store.close();
  });

  test('expired tokens and counts are deleted from time to time', async () => {
    const url = await createUrl();
    const store = open(url);
    await store.users.revokeToken('t1', 100, 50);
    await store.users.revokeToken('t2', 1000, 120);
    expect(await server.query(url, 'SELECT jti FROM revoked_tokens')).toEqual([{ jti: 't2' }]);
    await store.close();
  });

  test('connections that the server ends are replaced', async () => {
    const url = await createUrl();
    const store = open(url);
    await store.users.insert(user());
    await server.query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'stackyard-auth' AND datname = current_database()`,
    );
    await expect.poll(() => warnings.join('\n')).toContain('A database connection was lost');
    expect(await store.users.findByEmail('a@example.com')).toMatchObject({ id: 1 });
    await store.close();
  });

  test('a statement that does not end is aborted, and its connection is not used again', async () => {
    const url = await createUrl();
    const store = open(url, { poolSize: 1 });
    await store.check();
    // Holds the lock for longer than the store waits.
    const locked = server.query(url, 'BEGIN; LOCK TABLE users; SELECT pg_sleep(7); COMMIT');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(store.users.findByEmail('a@example.com')).rejects.toMatchObject({
      code: 'ERR_STORE_UNAVAILABLE',
    });
    const begin = Date.now();
    await store.users.revokeToken('t1', 100, 50);
    expect(Date.now() - begin).toBeLessThan(1000);
    await locked;
    await store.check();
    await store.close();
  });

  test('more requests than connections wait for their turn', async () => {
    const url = await createUrl();
    const store = open(url, { poolSize: 2 });
    const emails = Array.from({ length: 100 }, (_, index) => `${index}@example.com`);
    const users = await Promise.all(emails.map((email) => store.users.insert(user(email))));
    expect(users.every((each) => each !== undefined)).toBe(true);
    await store.close();
  });

  test('a wrong password, an absent database and a read-only one are "away", and end', async () => {
    const url = await createUrl();
    for (const wrong of [url.replace(/:[^:@]*@/, ':wrong@'), `${url}_absent`]) {
      const store = open(wrong);
      await expect(store.check()).rejects.toMatchObject({
        code: 'ERR_STORE_UNAVAILABLE',
        status: 503,
      });
      await store.close();
    }
    const store = open(url, { poolSize: 1 });
    await store.check();
    await server.query(
      url,
      'ALTER DATABASE ' + url.split('/').at(-1) + ' SET default_transaction_read_only = on',
    );
    await store.close();
    const readOnly = open(url);
    await expect(readOnly.check()).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    await expect(readOnly.users.insert(user())).rejects.toMatchObject({
      code: 'ERR_STORE_UNAVAILABLE',
    });
    await readOnly.close();
  });

  // Last, since it stops the server of all.
  test('a server that stops is away until it starts again', async () => {
    const url = await createUrl();
    const store = open(url);
    const late = open(url);
    await store.users.insert(user());
    server.stop('immediate');
    await expect(store.check()).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    await expect(store.users.insert(user())).rejects.toMatchObject({
      code: 'ERR_STORE_UNAVAILABLE',
    });
    await expect(late.check()).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    server.start();
    await store.check();
    await late.check();
    expect(await store.users.findByEmail('a@example.com')).toMatchObject({ id: 1 });
    await store.close();
    await late.close();
  });
});
