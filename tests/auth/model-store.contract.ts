// Accounts in a map: what sequences of calls to a real store are held against.

import fc from 'fast-check';
import type { StoredUser, UserStore } from '../../builds/stackyard/account-core/index.ts';

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

/** Calls for a few accounts, whether they exist or not. */
export const CALLS = fc.array(fc.tuple(fc.constantFrom(...OPERATIONS), fc.nat(2)), {
  maxLength: 25,
});

type Call = readonly [operation: (typeof OPERATIONS)[number], which: number];

const CREATED_AT = '2026-11-21T09:30:00.250Z';
const [EXPIRES_AT, NOW] = [2_000_000_000, 1_000_000_000];
const NO_ID = Number.MAX_SAFE_INTEGER;

/** Makes a call and gives all that can be seen of it, without ids, which stores may choose. */
export async function observeCall(users: UserStore, call: Call, tag: string): Promise<unknown> {
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

/** A store in memory. */
export function createModelStore(): UserStore {
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

function makeCall(
  users: UserStore,
  [operation]: Call,
  email: string,
  user: StoredUser | undefined,
): Promise<unknown> {
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
      return users.revokeToken(email, EXPIRES_AT, NOW);
  }
}

function withoutId(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? { ...value, id: undefined } : value;
}
