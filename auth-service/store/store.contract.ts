// What every store must do. Each test gets a database of its own.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredUser } from '../../builds/stackyard/account/store.ts';
import type { ServiceStore } from './store.ts';

/** An empty database; `open` may be called several times, as by several processes. */
export interface StoreHome {
  open(): ServiceStore;
  remove(): Promise<void>;
}

const CREATED_AT = '2026-11-21T09:30:00.250Z';

/** Runs the suite; `createHome` makes the database of one test. */
export function describeStore(name: string, createHome: () => Promise<StoreHome>): void {
  let home: StoreHome;
  let opened: ServiceStore[];
  let store: ServiceStore;

  const open = (): ServiceStore => {
    const another = home.open();
    opened.push(another);
    return another;
  };
  const insert = (email = 'a@example.com', to = store) =>
    to.insert({ email, passwordHash: 'old', createdAt: CREATED_AT });
  const insertId = async (email?: string): Promise<number> => {
    const user = await insert(email);
    if (!user) throw new Error('The e-mail is taken');
    return user.id;
  };

  describe(`a store in ${name}`, () => {
    beforeEach(async () => {
      home = await createHome();
      opened = [];
      store = open();
    });

    afterEach(async () => {
      for (const each of opened) await each.close();
      await home.remove();
    });

    test('check() resolves', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });

    test('insert() gives the account as it was given, and so do the others', async () => {
      const user = await insert();
      expect(user).toEqual({
        id: 1,
        email: 'a@example.com',
        passwordHash: 'old',
        tokenVersion: 0,
        createdAt: CREATED_AT,
      });
      expect(await store.findByEmail('a@example.com')).toEqual(user);
      expect(await store.findById(1)).toEqual(user);
      for (const id of [2, Number.MAX_SAFE_INTEGER, 999_999_999_999_999]) {
        expect(await store.findById(id)).toBeUndefined();
      }
    });

    test('insert() lets one of fifty at once through', async () => {
      const users = await Promise.all(Array.from({ length: 50 }, () => insert()));
      expect(users.filter((user) => user !== undefined)).toHaveLength(1);
    });

    test('insert() keeps an address of 254 characters and a long hash', async () => {
      const email = `${'a'.repeat(254 - '@example.com'.length)}@example.com`;
      const passwordHash = '$scrypt$'.padEnd(2000, 'x');
      const user = await store.insert({ email, passwordHash, createdAt: CREATED_AT });
      expect(user).toMatchObject({ email, passwordHash });
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
        'a@example.com\0',
        '\ud800',
        '🙂'.repeat(3000),
        '',
      ]) {
        expect(await store.findByEmail(email)).toBeUndefined();
      }
    });

    test('replaceHash() replaces only the expected hash, and one of many at once wins', async () => {
      const id = await insertId();
      expect(await store.replaceHash(id, 'other', 'new')).toBe(false);
      expect(await store.replaceHash(id + 1, 'old', 'new')).toBe(false);
      const replaced = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.replaceHash(id, 'old', `new${index}`)),
      );
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const passwordHash = `new${replaced.indexOf(true)}`;
      expect(await store.findById(id)).toMatchObject({ passwordHash, tokenVersion: 0 });
    });

    test('endTokens() raises the version of one account, by one each time', async () => {
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      const ended = await Promise.all(Array.from({ length: 10 }, () => store.endTokens(id)));
      expect(ended.every(Boolean)).toBe(true);
      expect(await store.endTokens(other + 1)).toBe(false);
      expect(await store.findById(id)).toMatchObject({ tokenVersion: 10 });
      expect(await store.findById(other)).toMatchObject({ tokenVersion: 0 });
    });

    test('any sequence of calls does what it does to a map', async () => {
      const operation = fc.constantFrom('insert', 'replaceHash', 'endTokens');
      let run = 0;
      const property = async (calls: readonly [string, number][]): Promise<void> => {
        const model = new Map<string, Pick<StoredUser, 'passwordHash' | 'tokenVersion'>>();
        const tag = `${run++}@example.com`;
        for (const [what, which] of calls) {
          const email = `${which}.${tag}`;
          const known = model.get(email);
          const id = (await store.findByEmail(email))?.id ?? Number.MAX_SAFE_INTEGER;
          const { passwordHash: hash = '', tokenVersion = 0 } = known ?? {};
          if (what === 'insert') {
            expect((await insert(email)) === undefined).toBe(known !== undefined);
            if (!known) model.set(email, { passwordHash: 'old', tokenVersion: 0 });
          } else if (what === 'endTokens') {
            expect(await store.endTokens(id)).toBe(known !== undefined);
            if (known) model.set(email, { ...known, tokenVersion: tokenVersion + 1 });
          } else {
            expect(await store.replaceHash(id, hash, `${hash}+`)).toBe(known !== undefined);
            if (known) model.set(email, { ...known, passwordHash: `${hash}+` });
          }
        }
        for (const [email, user] of model) {
          expect(await store.findByEmail(email)).toMatchObject({ ...user, email });
        }
      };
      const calls = fc.array(fc.tuple(operation, fc.nat(2)), { maxLength: 25 });
      await fc.assert(fc.asyncProperty(calls, property), { numRuns: 20 });
    });

    test('two stores share one database', async () => {
      const another = open();
      const user = await insert('a@example.com', another);
      expect(await store.findByEmail('a@example.com')).toEqual(user);
      const both = await Promise.all([insert('b@example.com'), insert('b@example.com', another)]);
      expect(both.filter((each) => each !== undefined)).toHaveLength(1);
    });

    test('accounts outlive the store', async () => {
      const user = await insert();
      await store.close();
      opened = [];
      store = open();
      expect(await store.findByEmail('a@example.com')).toEqual(user);
      expect(await insertId('b@example.com')).toBeGreaterThan(user?.id ?? 0);
    });
  });
}
