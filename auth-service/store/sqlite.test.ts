// The store in SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from './sqlite.ts';
import { describeStore } from './store.contract.ts';

describeStore('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'auth-sqlite-'));
  return {
    open: async () => openSqliteStore(join(home, 'data', 'auth.sqlite')),
    remove: async () => rmSync(home, { recursive: true }),
  };
});

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
