// The store over SQLite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  accountMigrations,
  createSqliteRecoveryStore,
  createSqliteSessionStore,
  createSqliteUserStore,
  type RecoveryPurpose,
  type RecoveryStore,
  type SessionStore,
  type StoredSession,
  type UserStore,
} from '../account/index.js';
import { closeDatabase, type Database, migrate, openDatabase } from '../sqlite/index.js';

describe('sqlite users', () => {
  // The store over SQLite. What is tested here, a store over another database must do as well.
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
});

describe('sqlite sessions', () => {
  // The sessions over SQLite. What is tested here, a store over another database must do as well.
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
});

describe('sqlite recoveries', () => {
  // The recovery tokens over SQLite. What is tested here, a store over another database must do as well.
  let db: Database;
  let recoveries: RecoveryStore;

  beforeEach(async () => {
    db = openDatabase(':memory:', { migrations: accountMigrations });
    recoveries = createSqliteRecoveryStore(db);
    await addUser('a@example.com');
    await addUser('b@example.com');
  });

  afterEach(() => closeDatabase(db));

  const addUser = (email: string) =>
    createSqliteUserStore(db).insert({ email, passwordHash: 'old', createdAt: '2026-11-21T09:30:00.250Z' });
  const open = (tokenHash: string, { userId = 1, purpose = 'password_reset' as RecoveryPurpose, at = 100, ttl = 50, maxOpen = 3 } = {}) =>
    recoveries.open(
      { tokenHash, purpose, userId, email: userId === 1 ? 'a@example.com' : 'b@example.com', createdAt: at, expiresAt: at + ttl },
      maxOpen,
      at,
    );
  const hashes = () => db.prepare('SELECT token_hash FROM account_recovery_tokens ORDER BY id').pluck().all();

  test('open() keeps the newest of each account and purpose, and drops expired ones', async () => {
    for (const hash of ['1', '2', '3']) await open(hash, { maxOpen: 2 });
    await open('4', { userId: 2 });
    await open('5', { purpose: 'email_verification', ttl: 100 });
    expect(hashes()).toEqual(['2', '3', '4', '5']);
    await open('6', { at: 150 });
    expect(hashes()).toEqual(['5', '6']);
  });

  test('find() gives the account, before the expiry, for the purpose and the address', async () => {
    await open('1');
    expect(await recoveries.find('password_reset', '1', 149)).toMatchObject({ id: 1, email: 'a@example.com', passwordHash: 'old' });
    expect(await recoveries.find('password_reset', '1', 150)).toBeUndefined();
    expect(await recoveries.find('email_verification', '1', 149)).toBeUndefined();
    expect(await recoveries.find('password_reset', '2', 149)).toBeUndefined();
    db.exec("UPDATE users SET email = 'c@example.com' WHERE id = 1");
    expect(await recoveries.find('password_reset', '1', 149)).toBeUndefined();
  });

  test('resetPassword() changes one account, once', async () => {
    await open('1');
    await open('2');
    await open('3', { purpose: 'email_verification' });
    await open('4', { userId: 2 });
    expect(await recoveries.resetPassword('1', 'new', 150)).toBeUndefined();
    expect(await recoveries.resetPassword('3', 'new', 120)).toBeUndefined();
    expect(await recoveries.resetPassword('1', 'new', 120)).toMatchObject({ id: 1, passwordHash: 'new', tokenVersion: 1 });
    expect(await recoveries.resetPassword('1', 'newer', 120)).toBeUndefined();
    expect(hashes()).toEqual(['4']);
    expect(db.prepare('SELECT password_hash FROM users ORDER BY id').pluck().all()).toEqual(['new', 'old']);
    expect([await recoveries.findVerifiedAt(1), await recoveries.findVerifiedAt(2)]).toEqual([120, undefined]);
  });

  test('verifyEmail() verifies one address; the first time counts', async () => {
    const purpose = 'email_verification';
    await open('1', { purpose });
    await open('2', { purpose });
    await open('3');
    expect(await recoveries.verifyEmail('3', 120)).toBeUndefined();
    expect(await recoveries.verifyEmail('1', 120)).toMatchObject({ id: 1, tokenVersion: 0 });
    expect(await recoveries.verifyEmail('1', 120)).toBeUndefined();
    expect(hashes()).toEqual(['3']);
    await recoveries.resetPassword('3', 'new', 130);
    expect(await recoveries.findVerifiedAt(1)).toBe(120);
    db.exec("UPDATE users SET email = 'c@example.com' WHERE id = 1");
    expect(await recoveries.findVerifiedAt(1)).toBeUndefined();
  });

  test('all goes with the account', async () => {
    await open('1');
    await open('2', { purpose: 'email_verification' });
    await recoveries.verifyEmail('2', 120);
    await createSqliteUserStore(db).delete(1);
    expect(hashes()).toEqual([]);
    expect(db.prepare('SELECT count(*) FROM account_verified_emails').pluck().get()).toBe(0);
  });

  test('two connections use a token once, in whatever order they try', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stackyard-account-'));
    const connections = [0, 1].map(() => openDatabase(join(folder, 'app.db'), { migrations: accountMigrations }));
    const stores = connections.map(createSqliteRecoveryStore);
    try {
      const [first, second] = connections;
      await createSqliteUserStore(first!).insert({ email: 'a@example.com', passwordHash: 'old', createdAt: '' });
      let tokens = 0;
      const attempt = fc.record({ store: fc.nat(1), isReset: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 8 }), fc.boolean(), async (attempts, isReset) => {
          const hash = `${++tokens}`;
          const purpose: RecoveryPurpose = isReset ? 'password_reset' : 'email_verification';
          await stores[0]!.open(
            { tokenHash: hash, purpose, userId: 1, email: 'a@example.com', createdAt: 1, expiresAt: 10 },
            3,
            1,
          );
          const results = await Promise.all(
            attempts.map(({ store, isReset: asReset }) =>
              asReset ? stores[store]!.resetPassword(hash, `hash ${hash}`, 5) : stores[store]!.verifyEmail(hash, 5),
            ),
          );
          const possible = attempts.filter((each) => each.isReset === isReset).length;
          expect(results.filter((user) => user !== undefined)).toHaveLength(Math.min(1, possible));
          second!.exec('DELETE FROM account_recovery_tokens');
        }),
        { numRuns: 50 },
      );
    } finally {
      connections.forEach(closeDatabase);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
