// The store in SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isUnavailable } from '../errors.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { describeStore } from './store.contract.ts';

describeStore('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'auth-sqlite-'));
  return {
    open: () => openSqliteStore(join(home, 'data', 'auth.sqlite')),
    remove: async () => rmSync(home, { recursive: true }),
  };
});

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-sqlite-'));
  file = join(folder, 'auth.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true }));

const USER = { email: 'a@example.com', passwordHash: 'x', createdAt: '2026-11-21T09:30:00.250Z' };

test('openSqliteStore() refuses what is no database', () => {
  expect(() => openSqliteStore(folder)).toThrow(
    expect.objectContaining({ code: 'ERR_DATABASE_OPEN' }),
  );
});

test('openSqliteStore() opens a database of the service before it used account 4', async () => {
  const old = new Sqlite(file);
  old.exec(`CREATE TABLE readiness (id INTEGER PRIMARY KEY);
    CREATE TABLE revoked_tokens (jti TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT`);
  const first = openSqliteStore(file);
  old.exec(`INSERT INTO _migrations VALUES ('0002_account_create_revoked_tokens', 'x', 'x')`);
  await first.insert(USER);
  await first.close();
  old.close();
  const store = openSqliteStore(file);
  expect(await store.findByEmail(USER.email)).toMatchObject({ id: 1 });
  await store.close();
});

test('a store rejects with an error of isUnavailable() while the file is locked, and works again', async () => {
  const store = openSqliteStore(file, { busyTimeoutMs: 20 });
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const error: unknown = await store.insert(USER).catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  other.exec('ROLLBACK');
  other.close();
  expect(await store.insert(USER)).toMatchObject({ id: 1 });
  await store.close();
});

test('a store hands other errors on', async () => {
  const store = openSqliteStore(file);
  const other = new Sqlite(file);
  other.exec('DROP TABLE users');
  other.close();
  for (const call of [store.findByEmail('a'), store.check()]) {
    const error: unknown = await call.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SQLITE_ERROR' });
    expect(isUnavailable(error)).toBe(false);
  }
  await store.close();
});
