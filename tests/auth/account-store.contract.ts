// What every store of stackyard/account-core must do: accounts, sessions and recovery tokens. Each test gets a database of
// its own.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  AccountStore,
  OpenRecovery,
  RecoveryStore,
  SessionStore,
  StoredSession,
  StoredUser,
  UserStore,
} from '../../builds/stackyard/account-core/index.js';

/** An empty database; `open` may be called several times, as by several processes. */
export interface StoreHome {
  open(): Promise<AccountStore>;
  /** Closes all that was opened. */
  remove(): Promise<void>;
}

const CREATED_AT = '2026-11-21T09:30:00.250Z';
const NOW = 1_795_253_400;

/** Runs the suite; `createHome` makes the database of one test. */
export function describeAccountStore(name: string, createHome: () => Promise<StoreHome>): void {
  let home: StoreHome;
  let store: AccountStore;

  const insert = (email = 'a@example.com', to = store) =>
    to.users.insert({ email, passwordHash: 'old', createdAt: CREATED_AT });
  const insertId = async (email?: string): Promise<number> => {
    const user = await insert(email);
    if (!user) throw new Error('The e-mail is taken');
    return user.id;
  };
  const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  describe(`an account store in ${name}`, () => {
    beforeEach(async () => {
      home = await createHome();
      store = await home.open();
    });

    afterEach(() => home.remove());

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
      const users = await atOnce(50, () => insert());
      expect(users.filter((user) => user !== undefined)).toHaveLength(1);
    });

    test('insert() keeps an address of 254 characters and a long hash', async () => {
      const email = `${'a'.repeat(254 - '@example.com'.length)}@example.com`;
      const passwordHash = '$scrypt$'.padEnd(2000, 'x');
      const user = await store.users.insert({ email, passwordHash, createdAt: CREATED_AT });
      expect(user).toMatchObject({ email, passwordHash });
    });

    test('insert() never gives an id again', async () => {
      const first = await insertId();
      expect(await store.users.delete(first)).toBe(true);
      expect(await insertId()).not.toBe(first);
      expect(await store.users.findByToken(first, 'x')).toBeUndefined();
    });

    test('findByEmail() compares byte for byte', async () => {
      await insert();
      for (const email of [
        'A@example.com',
        ' a@example.com',
        'a@example.com ',
        'a@example.co%',
        'a@example.com\0',
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
      const changed = await atOnce(10, (index) =>
        store.users.changePassword(id, 'old', `new${index}`),
      );
      const [winner, ...others] = changed.filter((user) => user !== undefined);
      expect(others).toEqual([]);
      expect(winner).toMatchObject({ id, tokenVersion: 1 });
      expect(await store.users.findByEmail('a@example.com')).toEqual(winner);
    });

    test('bumpTokenVersion() raises the version of one account, by one each time', async () => {
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      expect((await atOnce(10, () => store.users.bumpTokenVersion(id))).every(Boolean)).toBe(true);
      expect(await store.users.bumpTokenVersion(other + 1)).toBe(false);
      expect(await store.users.findByEmail('a@example.com')).toMatchObject({ tokenVersion: 10 });
      expect(await store.users.findByEmail('b@example.com')).toMatchObject({ tokenVersion: 0 });
    });

    test('delete() deletes one account once', async () => {
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      const deleted = await atOnce(2, () => store.users.delete(id));
      expect(deleted.filter(Boolean)).toHaveLength(1);
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
      const another = await home.open();
      const user = await insert('a@example.com', another);
      expect(await store.users.findByEmail('a@example.com')).toEqual(user);
      const both = await Promise.all([insert('b@example.com'), insert('b@example.com', another)]);
      expect(both.filter((each) => each !== undefined)).toHaveLength(1);
    });

    describeSessions(() => [store.users, store.sessions as SessionStore]);
    describeRecoveries(() => [store.users, store.recoveries as RecoveryStore]);
  });

  function describeSessions(stores: () => readonly [UserStore, SessionStore]): void {
    const session = (userId: number, change: Partial<StoredSession> = {}): StoredSession => ({
      id: 's1',
      userId,
      tokenVersion: 0,
      device: 'Firefox 🦊',
      createdAt: NOW,
      expiresAt: NOW + 1000,
      ...change,
    });

    test('sessions are listed as they were added, newest first, up to the limit', async () => {
      const [, sessions] = stores();
      const [id, other] = [await insertId(), await insertId('b@example.com')];
      const added = [1, 2, 3].map((day) =>
        session(id, { id: `s${day}`, device: day === 1 ? undefined : 'x', createdAt: NOW + day }),
      );
      for (const each of added) await sessions.add(each, NOW);
      await sessions.add(session(other, { id: 'b1' }), NOW);
      expect(await sessions.list(id, 0, NOW, 10)).toEqual([...added].reverse());
      expect(await sessions.list(id, 0, NOW, 2)).toEqual([added[2], added[1]]);
      expect(await sessions.find(id, 0, NOW, 's1')).toEqual(added[0]);
      expect(await sessions.find(other, 0, NOW, 's1')).toBeUndefined();
    });

    test('sessions end by time, by version, by revoking and with the account', async () => {
      const [users, sessions] = stores();
      const id = await insertId();
      for (const each of ['s1', 's2']) await sessions.add(session(id, { id: each }), NOW);
      const ids = async (version = 0, now = NOW) =>
        (await sessions.list(id, version, now, 10)).map((each) => each.id);
      expect(await ids()).toEqual(['s1', 's2']);
      expect(await ids(0, NOW + 1000)).toEqual([]);
      expect(await ids(1)).toEqual([]);
      await users.revokeToken('s1', NOW + 1000, NOW);
      expect(await ids()).toEqual(['s2']);
      expect(await sessions.find(id, 0, NOW, 's1')).toBeUndefined();
      await sessions.add(session(id, { id: 's3', tokenVersion: 1 }), NOW);
      expect(await ids(1)).toEqual(['s3']);
      await users.delete(id);
      expect(await ids(1)).toEqual([]);
    });

    test('many sessions of one account can be added at once', async () => {
      const [, sessions] = stores();
      const id = await insertId();
      await atOnce(20, (index) => sessions.add(session(id, { id: `s${index}` }), NOW));
      expect(await sessions.list(id, 0, NOW, 100)).toHaveLength(20);
    });
  }

  function describeRecoveries(stores: () => readonly [UserStore, RecoveryStore]): void {
    const recovery = (userId: number, change: Partial<OpenRecovery> = {}): OpenRecovery => ({
      tokenHash: 'h1',
      purpose: 'password_reset',
      userId,
      email: 'a@example.com',
      createdAt: NOW,
      expiresAt: NOW + 100,
      ...change,
    });
    const verify = { purpose: 'email_verification' } as const;

    test('a token is found for its purpose, until it expires', async () => {
      const [, recoveries] = stores();
      const id = await insertId();
      await recoveries.open(recovery(id), 3, NOW);
      expect(await recoveries.find('password_reset', 'h1', NOW)).toMatchObject({ id });
      expect(await recoveries.find('password_reset', 'h1', NOW + 100)).toBeUndefined();
      expect(await recoveries.find('email_verification', 'h1', NOW)).toBeUndefined();
      expect(await recoveries.find('password_reset', 'h2', NOW)).toBeUndefined();
      expect(await recoveries.resetPassword('h1', 'new', NOW + 100)).toBeUndefined();
      expect(await recoveries.verifyEmail('h1', NOW)).toBeUndefined();
    });

    test('the oldest tokens of one purpose are deleted above the limit', async () => {
      const [, recoveries] = stores();
      const id = await insertId();
      await recoveries.open(recovery(id, { tokenHash: 'v', ...verify }), 2, NOW);
      for (const tokenHash of ['h1', 'h2', 'h3']) {
        await recoveries.open(recovery(id, { tokenHash }), 2, NOW);
      }
      const found = ['h1', 'h2', 'h3'].map((hash) => recoveries.find('password_reset', hash, NOW));
      expect((await Promise.all(found)).map(Boolean)).toEqual([false, true, true]);
      expect(await recoveries.find('email_verification', 'v', NOW)).toBeDefined();
      await atOnce(10, (index) =>
        recoveries.open(recovery(id, { tokenHash: `n${index}` }), 2, NOW),
      );
      const left = await atOnce(10, (index) => recoveries.find('password_reset', `n${index}`, NOW));
      expect(left.filter(Boolean)).toHaveLength(2);
    });

    test('resetPassword() works once, of many at once with several tokens as well', async () => {
      const [users, recoveries] = stores();
      const id = await insertId();
      await atOnce(4, (index) => recoveries.open(recovery(id, { tokenHash: `h${index}` }), 4, NOW));
      await recoveries.open(recovery(id, { tokenHash: 'v', ...verify }), 4, NOW);
      const results = await atOnce(8, (index) =>
        recoveries.resetPassword(`h${index % 4}`, `new${index}`, NOW + 1),
      );
      const [winner, ...others] = results.filter((user) => user !== undefined);
      expect(others).toEqual([]);
      expect(winner).toMatchObject({ id, tokenVersion: 1 });
      expect(await users.findByEmail('a@example.com')).toEqual(winner);
      expect(await recoveries.findVerifiedAt(id)).toBe(NOW + 1);
      expect(await recoveries.find('email_verification', 'v', NOW)).toBeUndefined();
    });

    test('verifyEmail() works once, keeps resets, and the first time counts', async () => {
      const [users, recoveries] = stores();
      const id = await insertId();
      expect(await recoveries.findVerifiedAt(id)).toBeUndefined();
      for (const tokenHash of ['v1', 'v2']) {
        await recoveries.open(recovery(id, { tokenHash, ...verify }), 3, NOW);
      }
      await recoveries.open(recovery(id), 3, NOW);
      const before = await users.findByEmail('a@example.com');
      expect(await recoveries.verifyEmail('v1', NOW + 1)).toEqual(before);
      expect(await recoveries.verifyEmail('v1', NOW + 1)).toBeUndefined();
      expect(await recoveries.verifyEmail('v2', NOW + 1)).toBeUndefined();
      expect(await recoveries.find('password_reset', 'h1', NOW)).toBeDefined();
      await recoveries.open(recovery(id, { tokenHash: 'v3', ...verify }), 3, NOW);
      await recoveries.verifyEmail('v3', NOW + 50);
      expect(await recoveries.findVerifiedAt(id)).toBe(NOW + 1);
    });

    test('a token for another address than the present one is void', async () => {
      const [, recoveries] = stores();
      const id = await insertId();
      await recoveries.open(recovery(id, { email: 'old@example.com' }), 3, NOW);
      expect(await recoveries.find('password_reset', 'h1', NOW)).toBeUndefined();
      expect(await recoveries.resetPassword('h1', 'new', NOW)).toBeUndefined();
    });

    test('changePassword() deletes the open resets, and delete() all that the account had', async () => {
      const [users, recoveries] = stores();
      const id = await insertId();
      await recoveries.open(recovery(id), 3, NOW);
      await recoveries.open(recovery(id, { tokenHash: 'v', ...verify }), 3, NOW);
      expect(await users.changePassword(id, 'wrong', 'new')).toBeUndefined();
      expect(await recoveries.find('password_reset', 'h1', NOW)).toBeDefined();
      expect(await users.changePassword(id, 'old', 'new')).toBeDefined();
      expect(await recoveries.find('password_reset', 'h1', NOW)).toBeUndefined();
      expect(await recoveries.verifyEmail('v', NOW)).toBeDefined();
      expect(await users.delete(id)).toBe(true);
      expect(await recoveries.findVerifiedAt(id)).toBeUndefined();
    });
  }
}

const OPERATIONS = [
  'insert',
  'replaceHash',
  'replaceWrongHash',
  'changePassword',
  'changeWrongPassword',
  'bump',
  'delete',
  'revoke',
] as const;

// For a few accounts, whether they exist or not.
const CALLS = fc.array(fc.tuple(fc.constantFrom(...OPERATIONS), fc.nat(2)), { maxLength: 25 });

type Call = readonly [operation: (typeof OPERATIONS)[number], which: number];

const NO_ID = Number.MAX_SAFE_INTEGER;

/** Makes a call and gives all that can be seen of it, without ids, which stores may choose. */
async function observeCall(users: UserStore, call: Call, tag: string): Promise<unknown> {
  const email = `${call[1]}.${tag}@example.com`;
  const before = await users.findByEmail(email);
  const result = await makeCall(users, call, email, before);
  const after = await users.findByEmail(email);
  const owner = await users.findByToken(after?.id ?? NO_ID, email);
  const isGone = before !== undefined && after === undefined;
  return [
    withoutId(result),
    withoutId(after),
    owner && { user: withoutId(owner.user), revoked: owner.revoked },
    isGone && (await users.findByToken(before.id, email)),
  ];
}

function makeCall(users: UserStore, [operation]: Call, email: string, user?: StoredUser) {
  const id = user?.id ?? NO_ID;
  const oldHash = user?.passwordHash ?? '';
  const newHash = `${oldHash}+`;
  switch (operation) {
    case 'insert':
      return users.insert({ email, passwordHash: 'first', createdAt: CREATED_AT });
    case 'replaceHash':
      return users.replaceHash(id, oldHash, newHash);
    case 'replaceWrongHash':
      return users.replaceHash(id, 'wrong', newHash);
    case 'changePassword':
      return users.changePassword(id, oldHash, newHash);
    case 'changeWrongPassword':
      return users.changePassword(id, 'wrong', newHash);
    case 'bump':
      return users.bumpTokenVersion(id);
    case 'delete':
      return users.delete(id);
    case 'revoke':
      return users.revokeToken(email, NOW + 1000, NOW);
  }
}

function withoutId(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? { ...value, id: undefined } : value;
}

/** Accounts in a map: what sequences of calls to a real store are held against. */
function createModelStore(): UserStore {
  const users = new Map<number, StoredUser>();
  const revoked = new Set<string>();
  let lastId = 0;
  const find = (email: string) => [...users.values()].find((user) => user.email === email);
  const change = (id: number, oldHash: string | undefined, changes: Partial<StoredUser>) => {
    const user = users.get(id);
    if (!user || (oldHash !== undefined && user.passwordHash !== oldHash)) return undefined;
    users.set(id, { ...user, ...changes });
    return users.get(id);
  };
  const nextVersion = (id: number) => (users.get(id)?.tokenVersion ?? 0) + 1;

  return {
    findByEmail: async (email) => find(email),
    async findByToken(id, tokenId) {
      const user = users.get(id);
      return user && { user, revoked: revoked.has(tokenId) };
    },
    async insert(user) {
      if (find(user.email)) return undefined;
      users.set(++lastId, { id: lastId, tokenVersion: 0, ...user });
      return users.get(lastId);
    },
    replaceHash: async (id, oldHash, passwordHash) =>
      change(id, oldHash, { passwordHash }) !== undefined,
    changePassword: async (id, oldHash, passwordHash) =>
      change(id, oldHash, { passwordHash, tokenVersion: nextVersion(id) }),
    bumpTokenVersion: async (id) =>
      change(id, undefined, { tokenVersion: nextVersion(id) }) !== undefined,
    delete: async (id) => users.delete(id),
    async revokeToken(tokenId) {
      revoked.add(tokenId);
    },
  };
}
