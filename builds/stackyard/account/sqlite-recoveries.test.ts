// The recovery tokens over SQLite. What is tested here, a store over another database must do as well.

import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import {
  accountMigrations,
  createSqliteRecoveryStore,
  createSqliteUserStore,
  type RecoveryPurpose,
  type RecoveryStore,
} from './index.js';

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
