// What every store must do. Each test gets a database of its own.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CALLS, createModelStore, observeCall } from './model-store.contract.ts';
import type { AuthStore } from '../../auth-service/store/store.ts';

/** An empty database; `open` may be called several times, as by several processes. */
export interface StoreHome {
  open(): Promise<AuthStore>;
  remove(): Promise<void>;
}

const CREATED_AT = '2026-11-21T09:30:00.250Z';
const NOW = 1_795_253_400;

/** Runs the suite; `createHome` makes the database of one test. */
export function describeStore(name: string, createHome: () => Promise<StoreHome>): void {
  let home: StoreHome;
  let opened: AuthStore[];
  let store: AuthStore;

  const open = async (): Promise<AuthStore> => {
    const another = await home.open();
    opened.push(another);
    return another;
  };
  const insert = (email = 'a@example.com', to = store) =>
    to.users.insert({ email, passwordHash: 'old', createdAt: CREATED_AT });
  const insertId = async (email?: string): Promise<number> => {
    const user = await insert(email);
    if (!user) throw new Error('The e-mail is taken');
    return user.id;
  };

  describe(`a store in ${name}`, () => {
    beforeEach(async () => {
      home = await createHome();
      opened = [];
      store = await open();
    });

    afterEach(async () => {
      for (const each of opened) await each.close();
      await home.remove();
    });

    test('check() resolves', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });

    test('insert() gives the account as it was given', async () => {
      const user = await insert();
      expect(user).toEqual({
        id: expect.any(Number),
        email: 'a@example.com',
        passwordHash: 'old',
        tokenVersion: 0,
        createdAt: CREATED_AT,
      });
      expect(Number.isSafeInteger(user?.id) && (user?.id ?? 0) > 0).toBe(true);
      expect(await store.users.findByEmail('a@example.com')).toEqual(user);
    });

    test('insert() gives nothing for an e-mail that is taken', async () => {
      const first = await insert();
      expect(await insert()).toBeUndefined();
      expect(await store.users.findByEmail('a@example.com')).toEqual(first);
    });

    test('insert() lets one of fifty at once through', async () => {
      const users = await Promise.all(Array.from({ length: 50 }, () => insert()));
      expect(users.filter((user) => user !== undefined)).toHaveLength(1);
    });

    test('insert() keeps an address of 254 characters and a long hash', async () => {
      const email = `${'a'.repeat(254 - '@example.com'.length)}@example.com`;
      const passwordHash = '$scrypt$'.padEnd(2000, 'x');
      const user = await store.users.insert({ email, passwordHash, createdAt: CREATED_AT });
      expect(user).toMatchObject({ email, passwordHash });
    });

    test('insert() never gives an id again', async () => {
      const ids = [await insertId()];
      expect(await store.users.delete(ids[0] ?? 0)).toBe(true);
      ids.push(await insertId());
      expect(new Set(ids).size).toBe(2);
      expect(await store.users.findByToken(ids[0] ?? 0, 'x')).toBeUndefined();
    });

    test('findByEmail() compares byte for byte', async () => {
      await insert();
      for (const email of [
        'A@example.com',
        ' a@example.com',
        'a@example.com ',
        'a@example.co%',
        "' OR 1=1 --",
        'ä@example.com',
        '🙂'.repeat(3000),
        '',
      ]) {
        expect(await store.users.findByEmail(email)).toBeUndefined();
      }
    });

    test('findByToken() returns whether the token was revoked', async () => {
      const id = await insertId();
      const { users } = store;
      expect(await users.findByToken(id, 't1')).toMatchObject({ user: { id }, revoked: false });
      await users.revokeToken('t1', NOW + 100, NOW);
      await users.revokeToken('t1', NOW + 100, NOW);
      expect(await users.findByToken(id, 't1')).toMatchObject({ revoked: true });
      expect(await users.findByToken(id, 't2')).toMatchObject({ revoked: false });
      expect(await users.findByToken(id + 1, 't1')).toBeUndefined();
      expect(await users.findByToken(Number.MAX_SAFE_INTEGER, 't1')).toBeUndefined();
    });

    test('revokeToken() keeps what has not expired', async () => {
      const id = await insertId();
      await store.users.revokeToken('t1', NOW + 1000, NOW);
      await store.users.revokeToken('t2', NOW + 2000, NOW + 999);
      await store.users.revokeToken('t3', NOW + 3000, NOW + 1500);
      expect(await store.users.findByToken(id, 't2')).toMatchObject({ revoked: true });
      expect(await store.users.findByToken(id, 't3')).toMatchObject({ revoked: true });
    });

    test('replaceHash() replaces only the expected hash', async () => {
      const id = await insertId();
      expect(await store.users.replaceHash(id, 'other', 'new')).toBe(false);
      expect(await store.users.replaceHash(id + 1, 'old', 'new')).toBe(false);
      expect(await store.users.replaceHash(id, 'old', 'new')).toBe(true);
      const user = await store.users.findByEmail('a@example.com');
      expect(user).toMatchObject({ passwordHash: 'new', tokenVersion: 0 });
    });

    test('changePassword() raises the version, and one of many at once wins', async () => {
      const id = await insertId();
      expect(await store.users.changePassword(id, 'other', 'new')).toBeUndefined();
      const hashes = Array.from({ length: 10 }, (_, index) => `new${index}`);
      const changed = await Promise.all(
        hashes.map((hash) => store.users.changePassword(id, 'old', hash)),
      );
      const [winner, ...others] = changed.filter((user) => user !== undefined);
      expect(others).toEqual([]);
      expect(winner).toMatchObject({ id, tokenVersion: 1 });
      expect(await store.users.findByEmail('a@example.com')).toEqual(winner);
    });

    test('bumpTokenVersion() raises the version of one account, by one each time', async () => {
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      const bumps = await Promise.all(
        Array.from({ length: 10 }, () => store.users.bumpTokenVersion(id)),
      );
      expect(bumps.every(Boolean)).toBe(true);
      expect(await store.users.bumpTokenVersion(other + 1)).toBe(false);
      expect(await store.users.findByEmail('a@example.com')).toMatchObject({ tokenVersion: 10 });
      expect(await store.users.findByEmail('b@example.com')).toMatchObject({ tokenVersion: 0 });
    });

    test('delete() deletes one account once', async () => {
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      const deleted = await Promise.all([store.users.delete(id), store.users.delete(id)]);
      expect(deleted.sort()).toEqual([false, true]);
      expect(await store.users.findByEmail('a@example.com')).toBeUndefined();
      expect(await store.users.findByToken(other, 'x')).toBeDefined();
    });

    test('any sequence of calls does what it does to a map', async () => {
      let run = 0;
      const property = fc.asyncProperty(CALLS, async (calls) => {
        const model = createModelStore();
        const tag = `${run++}`;
        for (const call of calls) {
          const expected = await observeCall(model, call, tag);
          expect(await observeCall(store.users, call, tag), String(call)).toEqual(expected);
        }
      });
      await fc.assert(property, { numRuns: 20 });
    });

    test('two stores share one database', async () => {
      const another = await open();
      const user = await insert('a@example.com', another);
      expect(await store.users.findByEmail('a@example.com')).toEqual(user);
      const both = await Promise.all([insert('b@example.com'), insert('b@example.com', another)]);
      expect(both.filter((each) => each !== undefined)).toHaveLength(1);
    });

    test('accounts outlive the store', async () => {
      const user = await insert();
      await store.close();
      opened = [];
      store = await open();
      expect(await store.users.findByEmail('a@example.com')).toEqual(user);
      expect(await insertId('b@example.com')).toBeGreaterThan(user?.id ?? 0);
    });
  });
}
