// The store in SQLite.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../auth-service/store/store.ts';
import { describeStore } from './service-store.contract.ts';

describeStore('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'auth-sqlite-'));
  return {
    open: async () => openSqliteStore(join(home, 'data', 'auth.sqlite')),
    remove: async () => rmSync(home, { recursive: true }),
  };
});

const ACCOUNTS = 2000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-sqlite-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('openSqliteStore() refuses what is no database', () => {
  expect(() => openSqliteStore(folder)).toThrow(
    expect.objectContaining({ code: 'ERR_DATABASE_OPEN' }),
  );
});

test('openSqliteStore() rejects while the file is locked, and works again afterwards', async () => {
  const file = join(folder, 'auth.sqlite');
  const store = openSqliteStore(file, { busyTimeoutMs: 20 });
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const user = { email: 'a@example.com', passwordHash: 'x', createdAt: '2026-11-21T09:30:00.250Z' };
  await expect(store.users.insert(user)).rejects.toMatchObject({
    code: 'ERR_STORE_UNAVAILABLE',
    status: 503,
  });
  other.exec('ROLLBACK');
  other.close();
  expect(await store.users.insert(user)).toMatchObject({ id: 1 });
  await store.close();
});

test('check() writes more than any registration, so that a disk with space for it has space for an account', async () => {
  const file = join(folder, 'auth.sqlite');
  const store = openSqliteStore(file);
  const other = new Sqlite(file);
  const written = async (write: () => Promise<unknown>): Promise<number> => {
    other.pragma('wal_checkpoint(TRUNCATE)');
    await write();
    return statSync(`${file}-wal`).size;
  };
  const registrations: number[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    // In no order, so that pages in the middle of the index are split.
    const name = createHash('sha512').update(`${index}`).digest('hex');
    const user = {
      email: `${name}${'x'.repeat(110)}@example.com`,
      passwordHash: '$scrypt$'.padEnd(200, 'x'),
      createdAt: '2026-11-21T09:30:00.250Z',
    };
    registrations.push(await written(() => store.users.insert(user)));
  }
  expect(await written(() => store.check())).toBeGreaterThan(Math.max(...registrations));
  other.close();
  await store.close();
});

test('check() keeps one row, however often it is called', async () => {
  const file = join(folder, 'auth.sqlite');
  const store = openSqliteStore(file);
  const sizes: number[] = [];
  for (let checks = 1; checks <= 300; checks++) {
    await store.check();
    sizes.push(statSync(file).size + statSync(`${file}-wal`).size);
  }
  // The log is 4 MB before it is used from its begin again; all the checks have written 20 MB.
  expect(Math.max(...sizes)).toBeLessThan(6_000_000);
  await store.close();
  expect(statSync(file).size).toBeLessThan(300_000);
});

test('openSqliteStore() hands other errors on', async () => {
  const file = join(folder, 'auth.sqlite');
  const store = openSqliteStore(file);
  const other = new Sqlite(file);
  other.exec('DROP TABLE users');
  other.close();
  await expect(store.users.findByEmail('a')).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
  await expect(store.check()).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
  await store.close();
});
