// Accounts, sessions and recovery tokens over the Drizzle client of the project, on PostgreSQL and on SQLite. Both have the
// statements that are used here, so they are written once, with the types of PostgreSQL. Every change returns rows: then a
// statement of a synchronous client, such as that of better-sqlite3, is read to its end, and its errors are seen.

import { and, asc, desc, eq, gt, isNull, lt, lte, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type {
  AccountStore,
  RecoveryPurpose,
  RecoveryStore,
  SessionStore,
  StoredSession,
  StoredUser,
  UserStore,
} from '../account-core/index.js';
import type * as postgresTables from './postgres-schema.js';
import type * as sqliteTables from './sqlite-schema.js';

type Client = PgDatabase<PgQueryResultHKT, any, any>;
type Tables = typeof postgresTables;
type UserRow = Tables['accountUsers']['$inferSelect'];
type SessionRow = Tables['accountSessions']['$inferSelect'];

/** A Drizzle client and the tables of its database. */
export type DrizzleAccounts =
  | { readonly db: Client; readonly tables: typeof postgresTables }
  | { readonly db: BaseSQLiteDatabase<'sync' | 'async', any, any, any>; readonly tables: typeof sqliteTables };

/** Statements one after the other, in a transaction: each is yielded and comes back as its rows. */
type Steps<T> = Generator<PromiseLike<unknown>, T, unknown>;

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 10;
// Serialization failure and deadlock of PostgreSQL.
const RETRIED: ReadonlySet<unknown> = new Set(['40001', '40P01']);

const DROP_INTERVAL_SECONDS = 60;

/** Accounts in these tables, which must exist. */
export function createDrizzleStore(accounts: DrizzleAccounts): AccountStore {
  const db = accounts.db as Client;
  const tables = accounts.tables as Tables;
  return {
    users: createUserStore(db, tables),
    sessions: createSessionStore(db, tables),
    recoveries: createRecoveryStore(db, tables),
  };
}

function createUserStore(db: Client, tables: Tables): UserStore {
  const { accountUsers: users, accountRevokedTokens: revoked, accountRecoveryTokens: tokens } = tables;
  const nextVersion = sql<number>`${users.tokenVersion} + 1`;
  const dropExpired = createCleanup((now) => db.delete(revoked).where(lte(revoked.expiresAt, now)).returning());
  const change = async (set: { passwordHash?: string; tokenVersion?: SQL<number> }, where: SQL | undefined) =>
    (await retry(async () => db.update(users).set(set).where(where).returning({ id: users.id }))).length === 1;

  return {
    async findByEmail(email) {
      // PostgreSQL cannot represent it, so no account has it.
      if (email.includes('\0')) return undefined;
      const [row] = await db.select().from(users).where(eq(users.email, email));
      return toStoredUser(row);
    },

    async findByToken(userId, tokenId) {
      const [row] = await db
        .select({ user: users, revoked: revoked.jti })
        .from(users)
        .leftJoin(revoked, eq(revoked.jti, tokenId))
        .where(eq(users.id, userId));
      const user = toStoredUser(row?.user);
      return row && user && { user, revoked: row.revoked !== null };
    },

    async insert({ email, passwordHash, createdAt }) {
      const values = { email, passwordHash, createdAt: new Date(createdAt) };
      // A violation of the unique index, told without an error.
      const target = users.email;
      const [row] = await retry(async () => db.insert(users).values(values).onConflictDoNothing({ target }).returning());
      return toStoredUser(row);
    },

    replaceHash: (id, oldHash, passwordHash) =>
      change({ passwordHash }, and(eq(users.id, id), eq(users.passwordHash, oldHash))),

    changePassword: (id, oldHash, passwordHash) =>
      transaction(db, function* (inside): Steps<StoredUser | undefined> {
        const set = { passwordHash, tokenVersion: nextVersion };
        const where = and(eq(users.id, id), eq(users.passwordHash, oldHash));
        const [row] = yield* ask(inside.update(users).set(set).where(where).returning());
        if (row === undefined) return undefined;
        const resets = and(eq(tokens.userId, id), eq(tokens.purpose, 'password_reset'));
        yield* ask(inside.delete(tokens).where(resets).returning());
        return toStoredUser(row);
      }),

    bumpTokenVersion: (id) => change({ tokenVersion: nextVersion }, eq(users.id, id)),

    async delete(id) {
      const where = eq(users.id, id);
      return (await retry(async () => db.delete(users).where(where).returning({ id: users.id }))).length === 1;
    },

    async revokeToken(jti, expiresAt, now) {
      const values = { jti, expiresAt };
      await retry(async () => db.insert(revoked).values(values).onConflictDoNothing({ target: revoked.jti }).returning());
      await dropExpired(now);
    },
  };
}

function createSessionStore(db: Client, tables: Tables): SessionStore {
  const { accountSessions: sessions, accountRevokedTokens: revoked } = tables;
  const dropExpired = createCleanup((now) => db.delete(sessions).where(lte(sessions.expiresAt, now)).returning());

  async function findOpen(userId: number, tokenVersion: number, now: number, limit: number, id?: string) {
    const rows = await db
      .select({ session: sessions })
      .from(sessions)
      // Revoked ones are left out here, so that whoever revokes a token need not know of sessions.
      .leftJoin(revoked, eq(revoked.jti, sessions.jti))
      .where(
        and(
          eq(sessions.userId, userId),
          eq(sessions.tokenVersion, tokenVersion),
          gt(sessions.expiresAt, now),
          isNull(revoked.jti),
          id === undefined ? undefined : eq(sessions.jti, id),
        ),
      )
      .orderBy(desc(sessions.createdAt), asc(sessions.jti))
      .limit(limit);
    return rows.map(({ session }) => toSession(session));
  }

  return {
    async add({ id, device, ...session }, now) {
      const earlier = and(eq(sessions.userId, session.userId), lt(sessions.tokenVersion, session.tokenVersion));
      const values = { ...session, jti: id, device: device ?? null };
      await retry(async () => db.delete(sessions).where(earlier).returning());
      await retry(async () => db.insert(sessions).values(values).returning());
      await dropExpired(now);
    },

    list: findOpen,

    find: async (userId, tokenVersion, now, id) => (await findOpen(userId, tokenVersion, now, 1, id))[0],
  };
}

function createRecoveryStore(db: Client, tables: Tables): RecoveryStore {
  const { accountUsers: users, accountRecoveryTokens: tokens, accountVerifiedEmails: verified } = tables;
  const dropExpired = createCleanup((now) => db.delete(tokens).where(lte(tokens.expiresAt, now)).returning());

  const find = (client: Client, purpose: RecoveryPurpose, tokenHash: string, now: number) =>
    client
      .select({ user: users })
      .from(tokens)
      .innerJoin(users, and(eq(users.id, tokens.userId), eq(users.email, tokens.email)))
      .where(and(eq(tokens.tokenHash, tokenHash), eq(tokens.purpose, purpose), gt(tokens.expiresAt, now)));

  /** Uses a token: `set` locks the account first, so that of several at the same time one still finds the token. */
  function use(
    purpose: RecoveryPurpose,
    tokenHash: string,
    now: number,
    set: { passwordHash?: string; tokenVersion: SQL<number> },
  ): Promise<StoredUser | undefined> {
    return transaction(db, function* (inside): Steps<StoredUser | undefined> {
      const [found] = yield* ask(find(inside, purpose, tokenHash, now));
      if (found === undefined) return undefined;
      const { id, email } = found.user;
      const where = and(eq(users.id, id), eq(users.email, email));
      const [row] = yield* ask(inside.update(users).set(set).where(where).returning());
      const used = yield* ask(inside.delete(tokens).where(eq(tokens.tokenHash, tokenHash)).returning());
      if (row === undefined || used.length === 0) throw new TokenUsed();
      // A reset deletes those of the other purpose too: the address is verified now.
      const others = purpose === 'password_reset' ? undefined : eq(tokens.purpose, purpose);
      yield* ask(inside.delete(tokens).where(and(eq(tokens.userId, id), others)).returning());
      const change = { email, verifiedAt: now };
      yield* ask(
        inside
          .insert(verified)
          .values({ userId: id, ...change })
          // The first time counts, unless the address is another one now.
          .onConflictDoUpdate({ target: verified.userId, set: change, setWhere: ne(verified.email, email) })
          .returning(),
      );
      return toStoredUser(row);
    }).catch((error: unknown) => {
      if (error instanceof TokenUsed) return undefined;
      throw error;
    });
  }

  return {
    async open(recovery, maxOpen, now) {
      const { userId, purpose } = recovery;
      await transaction(db, function* (inside): Steps<void> {
        // What is opened and used for one account happens one after the other.
        const set = { tokenVersion: sql<number>`${users.tokenVersion}` };
        yield* ask(inside.update(users).set(set).where(eq(users.id, userId)).returning());
        yield* ask(inside.insert(tokens).values({ ...recovery }).returning());
        const own = and(eq(tokens.userId, userId), eq(tokens.purpose, purpose));
        // By id, because two tokens of one second have the same time.
        const kept = inside.select({ id: tokens.id }).from(tokens).where(own).orderBy(desc(tokens.id)).limit(maxOpen);
        const ids = (yield* ask(kept)).map(({ id }) => id);
        yield* ask(inside.delete(tokens).where(and(own, notInArray(tokens.id, ids))).returning());
      });
      await dropExpired(now);
    },

    async find(purpose, tokenHash, now) {
      return toStoredUser((await find(db, purpose, tokenHash, now))[0]?.user);
    },

    resetPassword: (tokenHash, passwordHash, now) =>
      use('password_reset', tokenHash, now, { passwordHash, tokenVersion: sql<number>`${users.tokenVersion} + 1` }),

    verifyEmail: (tokenHash, now) =>
      use('email_verification', tokenHash, now, { tokenVersion: sql<number>`${users.tokenVersion}` }),

    async findVerifiedAt(userId) {
      const [row] = await db
        .select({ verifiedAt: verified.verifiedAt })
        .from(verified)
        .innerJoin(users, and(eq(users.id, verified.userId), eq(users.email, verified.email)))
        .where(eq(users.id, userId));
      return row?.verifiedAt;
    },
  };
}

/** Rolls a transaction back in which another one has used the token before. */
class TokenUsed extends Error {}

function* ask<R>(query: PromiseLike<R>): Steps<R> {
  return (yield query) as R;
}

/** Runs the steps in a transaction; for a synchronous client without a pause, in which other statements would become part of it. */
async function transaction<T>(db: Client, steps: (inside: Client) => Steps<T>): Promise<T> {
  if ((db as unknown as { readonly resultKind?: unknown }).resultKind === 'sync') {
    const { transaction: begin } = db as unknown as SyncClient;
    return begin.call(db, (inside) => runSync(steps(inside)), { behavior: 'immediate' }) as T;
  }
  return retry(() => db.transaction((inside) => runAsync(steps(inside))));
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !RETRIED.has(codeOf(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries * Math.random()));
  }
}

interface SyncClient {
  transaction(work: (inside: Client) => unknown, options: { readonly behavior: 'immediate' }): unknown;
}

function runSync<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next((step.value as unknown as { all(): unknown }).all());
  return step.value;
}

async function runAsync<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value);
  return step.value;
}

// Drizzle wraps the errors of drivers.
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error ? error.code : codeOf((error as { readonly cause?: unknown }).cause);
}

// Occasionally, and without an error: with every call, several processes would wait for each other's row locks.
function createCleanup(drop: (now: number) => PromiseLike<unknown>): (now: number) => Promise<void> {
  let droppedAt = 0;
  return async (now) => {
    if (now - droppedAt < DROP_INTERVAL_SECONDS) return;
    droppedAt = now;
    try {
      await drop(now);
    } catch {
      // The next one does it.
    }
  };
}

function toStoredUser(row: UserRow | undefined): StoredUser | undefined {
  if (row === undefined) return undefined;
  const { id, email, passwordHash, tokenVersion, createdAt } = row;
  return { id, email, passwordHash, tokenVersion, createdAt: createdAt.toISOString() };
}

function toSession({ jti, device, ...session }: SessionRow): StoredSession {
  return { ...session, id: jti, device: device ?? undefined };
}
