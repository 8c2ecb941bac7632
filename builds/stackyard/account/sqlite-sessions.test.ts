// The sessions over SQLite. What is tested here, a store over another database must do as well.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import {
  accountMigrations,
  createSqliteSessionStore,
  createSqliteUserStore,
  type SessionStore,
  type StoredSession,
} from './index.js';

let db: Database;
let sessions: SessionStore;

beforeEach(async () => {
  db = openDatabase(':memory:', { migrations: accountMigrations });
  sessions = createSqliteSessionStore(db);
  const users = createSqliteUserStore(db);
  for (const email of ['a@x.co', 'b@x.co']) await users.insert({ email, passwordHash: '', createdAt: '' });
});

afterEach(() => closeDatabase(db));

const session = (id: string, changes: Partial<StoredSession> = {}): StoredSession => ({
  id,
  userId: 1,
  tokenVersion: 0,
  device: undefined,
  createdAt: 100,
  expiresAt: 200,
  ...changes,
});
const ids = async (now = 150, version = 0, limit = 10) =>
  (await sessions.list(1, version, now, limit)).map(({ id }) => id);

test('list() gives the open sessions of one account, newest first', async () => {
  const first = session('1', { device: 'Browser' });
  await sessions.add(first, 100);
  await sessions.add(session('2', { createdAt: 120, expiresAt: 220 }), 120);
  await sessions.add(session('3', { userId: 2 }), 120);
  expect(await sessions.list(1, 0, 150, 10)).toEqual([session('2', { createdAt: 120, expiresAt: 220 }), first]);
  expect([await ids(199), await ids(200), await ids(150, 0, 1), await ids(150, 1)]).toEqual([['2', '1'], ['2'], ['2'], []]);
  await createSqliteUserStore(db).revokeToken('2', 220, 150);
  expect(await ids()).toEqual(['1']);
});

test('find() gives what list() would', async () => {
  await sessions.add(session('1'), 100);
  expect(await sessions.find(1, 0, 150, '1')).toEqual(session('1'));
  expect(await sessions.find(2, 0, 150, '1')).toBeUndefined();
  expect(await sessions.find(1, 1, 150, '1')).toBeUndefined();
  expect(await sessions.find(1, 0, 200, '1')).toBeUndefined();
  expect(await sessions.find(1, 0, 150, '2')).toBeUndefined();
});

test('add() drops what is over', async () => {
  await sessions.add(session('1'), 100);
  await sessions.add(session('2', { userId: 2 }), 100);
  await sessions.add(session('3', { tokenVersion: 1, expiresAt: 300 }), 150);
  const stored = () => db.prepare('SELECT jti FROM account_sessions ORDER BY jti').pluck().all();
  expect(stored()).toEqual(['2', '3']);
  await sessions.add(session('4', { tokenVersion: 1, expiresAt: 300 }), 200);
  expect(stored()).toEqual(['3', '4']);
});
