// The store over SQLite. What is tested here, a store over another database must do as well.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, migrate, openDatabase } from '../sqlite/index.js';
import { accountMigrations, createSqliteUserStore, type UserStore } from './index.js';

let db: Database;
let users: UserStore;

beforeEach(() => {
  db = openDatabase(':memory:', { migrations: accountMigrations });
  users = createSqliteUserStore(db);
});

afterEach(() => closeDatabase(db));

const CREATED_AT = '2026-11-21T09:30:00.250Z';
const insert = (email = 'a@example.com') =>
  users.insert({ email, passwordHash: 'old', createdAt: CREATED_AT });

test('insert() gives the account, and nothing when the e-mail is taken', async () => {
  const user = { id: 1, email: 'a@example.com', passwordHash: 'old', tokenVersion: 0, createdAt: CREATED_AT };
  expect(await insert()).toEqual(user);
  expect(await insert()).toBeUndefined();
  expect(await users.findByEmail('a@example.com')).toEqual(user);
  expect(await users.findByEmail('A@example.com')).toBeUndefined();
  expect(await users.findByToken(1, 'x')).toEqual({ user, revoked: false });
  expect(await users.findByToken(2, 'x')).toBeUndefined();
});

test('insert() passes other errors on', async () => {
  db.exec('DROP TABLE users');
  await expect(insert()).rejects.toThrow('no such table');
});

test('insert() never gives an id again', async () => {
  await insert();
  expect(await users.delete(1)).toBe(true);
  expect(await users.delete(1)).toBe(false);
  expect((await insert())?.id).toBe(2);
});

describe('the hash', () => {
  test('is replaced only where it is the expected one', async () => {
    await insert();
    expect(await users.replaceHash(1, 'other', 'new')).toBe(false);
    expect(await users.replaceHash(1, 'old', 'new')).toBe(true);
    expect(await users.findByEmail('a@example.com')).toMatchObject({ passwordHash: 'new', tokenVersion: 0 });
    expect(await users.changePassword(1, 'old', 'newer')).toBeUndefined();
    expect(await users.changePassword(1, 'new', 'newer')).toMatchObject({
      passwordHash: 'newer',
      tokenVersion: 1,
    });
    expect(await users.changePassword(2, 'new', 'newer')).toBeUndefined();
  });
});

test('bumpTokenVersion() raises the version of one account', async () => {
  await insert();
  await insert('b@example.com');
  expect(await users.bumpTokenVersion(1)).toBe(true);
  expect(await users.bumpTokenVersion(3)).toBe(false);
  expect(db.prepare('SELECT token_version FROM users ORDER BY id').pluck().all()).toEqual([1, 0]);
});

test('revokeToken() revokes one token until it expires, however often', async () => {
  await insert();
  const revoked = async (tokenId: string) => (await users.findByToken(1, tokenId))?.revoked;
  await users.revokeToken('t1', 100, 50);
  await users.revokeToken('t1', 100, 50);
  expect([await revoked('t1'), await revoked('t2')]).toEqual([true, false]);
  await users.revokeToken('t2', 200, 99);
  expect([await revoked('t1'), await revoked('t2')]).toEqual([true, true]);
  await users.revokeToken('t3', 300, 100);
  expect(db.prepare('SELECT jti FROM revoked_tokens ORDER BY jti').pluck().all()).toEqual(['t2', 't3']);
});

test('accountMigrations can be applied again and beside others', async () => {
  expect(migrate(db, accountMigrations)).toEqual([]);
  const notes = 'CREATE TABLE notes (user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE)';
  expect(migrate(db, [{ id: '0001_app_create_notes', sql: notes }])).toEqual(['0001_app_create_notes']);
  await insert();
  db.exec('INSERT INTO notes VALUES (1)');
  await users.delete(1);
  expect(db.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(0);
});
