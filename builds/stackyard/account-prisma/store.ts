// Accounts, sessions and recovery tokens over the Prisma client of the project, with the models of INTEGRATION.md.

import type {
  AccountStore,
  RecoveryPurpose,
  RecoveryStore,
  SessionStore,
  StoredSession,
  StoredUser,
  UserStore,
} from '../account-core/index.js';
import type { PrismaAccountClient, PrismaModels } from './client.js';

type UserRow = Awaited<ReturnType<PrismaModels['accountUser']['create']>>;
type SessionRow = Parameters<PrismaModels['accountSession']['create']>[0]['data'];

// A violated unique index, and a transaction that met another one or could not begin in time.
const UNIQUE_VIOLATION = 'P2002';
const CONFLICT = 'P2034';
const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 5;

const DROP_INTERVAL_SECONDS = 60;

/** Accounts in the models of INTEGRATION.md. */
export function createPrismaStore(client: PrismaAccountClient): AccountStore {
  return {
    users: createUserStore(client),
    sessions: createSessionStore(client),
    recoveries: createRecoveryStore(client),
  };
}

function createUserStore(client: PrismaAccountClient): UserStore {
  const { accountUser, accountRevokedToken } = client;
  const dropExpired = createCleanup((now) => accountRevokedToken.deleteMany({ where: { expiresAt: { lte: now } } }));
  const change = async (args: Parameters<typeof accountUser.updateMany>[0]) =>
    isStorable(args.where.id) && isOne(await retry(() => accountUser.updateMany(args)));

  return {
    async findByEmail(email) {
      // PostgreSQL cannot represent it, so no account has it.
      if (email.includes('\0')) return undefined;
      return toStoredUser(await accountUser.findUnique({ where: { email } }));
    },

    async findByToken(userId, tokenId) {
      if (!isStorable(userId)) return undefined;
      const [row, revoked] = await Promise.all([
        accountUser.findUnique({ where: { id: userId } }),
        accountRevokedToken.findUnique({ where: { jti: tokenId } }),
      ]);
      const user = toStoredUser(row);
      return user && { user, revoked: revoked !== null };
    },

    async insert({ email, passwordHash, createdAt }) {
      try {
        const data = { email, passwordHash, createdAt: new Date(createdAt) };
        return toStoredUser(await retry(() => accountUser.create({ data })));
      } catch (error) {
        if (codeOf(error) === UNIQUE_VIOLATION) return undefined;
        throw error;
      }
    },

    replaceHash: (id, oldHash, passwordHash) => change({ where: { id, passwordHash: oldHash }, data: { passwordHash } }),

    async changePassword(id, oldHash, passwordHash) {
      if (!isStorable(id)) return undefined;
      return transaction(client, async (inside) => {
        const data = { passwordHash, tokenVersion: { increment: 1 } };
        if (!isOne(await inside.accountUser.updateMany({ where: { id, passwordHash: oldHash }, data }))) return undefined;
        await inside.accountRecoveryToken.deleteMany({ where: { userId: id, purpose: 'password_reset' } });
        return toStoredUser(await inside.accountUser.findUnique({ where: { id } }));
      });
    },

    bumpTokenVersion: (id) => change({ where: { id }, data: { tokenVersion: { increment: 1 } } }),

    async delete(id) {
      return isStorable(id) && isOne(await retry(() => accountUser.deleteMany({ where: { id } })));
    },

    async revokeToken(jti, expiresAt, now) {
      const create = { jti, expiresAt: BigInt(expiresAt) };
      await ignoringTaken(retry(() => accountRevokedToken.upsert({ where: { jti }, create, update: {} })));
      await dropExpired(now);
    },
  };
}

function createSessionStore({ accountSession, accountRevokedToken }: PrismaAccountClient): SessionStore {
  const dropExpired = createCleanup((now) => accountSession.deleteMany({ where: { expiresAt: { lte: now } } }));

  async function findOpen(userId: number, tokenVersion: number, now: number, jti?: string): Promise<readonly StoredSession[]> {
    const rows = await accountSession.findMany({
      where: { ...(jti !== undefined && { jti }), userId, tokenVersion, expiresAt: { gt: BigInt(now) } },
      orderBy: [{ createdAt: 'desc' }, { jti: 'asc' }],
    });
    // Revoked ones are left out here, so that whoever revokes a token need not know of sessions.
    const revoked = await accountRevokedToken.findMany({ where: { jti: { in: rows.map((row) => row.jti) } } });
    const ids = new Set(revoked.map((row) => row.jti));
    return rows.filter((row) => !ids.has(row.jti)).map(toSession);
  }

  return {
    async add({ id, userId, tokenVersion, device, createdAt, expiresAt }, now) {
      const where = { userId, tokenVersion: { lt: tokenVersion } };
      const times = { createdAt: BigInt(createdAt), expiresAt: BigInt(expiresAt) };
      const data = { jti: id, userId, tokenVersion, device: device ?? null, ...times };
      await retry(() => accountSession.deleteMany({ where }));
      await retry(() => accountSession.create({ data }));
      await dropExpired(now);
    },

    async list(userId, tokenVersion, now, limit) {
      return (await findOpen(userId, tokenVersion, now)).slice(0, limit);
    },

    async find(userId, tokenVersion, now, id) {
      return (await findOpen(userId, tokenVersion, now, id))[0];
    },
  };
}

function createRecoveryStore(client: PrismaAccountClient): RecoveryStore {
  const { accountRecoveryToken, accountUser, accountVerifiedEmail } = client;
  const dropExpired = createCleanup((now) => accountRecoveryToken.deleteMany({ where: { expiresAt: { lte: now } } }));

  async function find(models: PrismaModels, purpose: RecoveryPurpose, tokenHash: string, now: number) {
    const token = await models.accountRecoveryToken.findFirst({ where: { tokenHash, purpose, expiresAt: { gt: BigInt(now) } } });
    const user = token && (await models.accountUser.findUnique({ where: { id: token.userId } }));
    return user?.email === token?.email ? user : null;
  }

  /** Uses a token: `change` locks the account first, so that of several at the same time one still finds the token. */
  async function use(
    purpose: RecoveryPurpose,
    tokenHash: string,
    now: number,
    change: { readonly passwordHash?: string; readonly tokenVersion: { readonly increment: number } },
  ): Promise<StoredUser | undefined> {
    return transaction(client, async (inside) => {
      const user = await find(inside, purpose, tokenHash, now);
      if (!user) return undefined;
      const { id, email } = user;
      await inside.accountUser.updateMany({ where: { id, email }, data: change });
      if (!isOne(await inside.accountRecoveryToken.deleteMany({ where: { tokenHash } }))) throw new TokenUsed();
      // A reset deletes those of the other purpose too: the address is verified now.
      const others = purpose === 'password_reset' ? { userId: id } : { userId: id, purpose };
      await inside.accountRecoveryToken.deleteMany({ where: others });
      const verified = await inside.accountVerifiedEmail.findUnique({ where: { userId: id } });
      if (verified?.email !== email) {
        const data = { userId: id, email, verifiedAt: BigInt(now) };
        await inside.accountVerifiedEmail.upsert({ where: { userId: id }, create: data, update: data });
      }
      return toStoredUser(await inside.accountUser.findUnique({ where: { id } }));
    }).catch((error: unknown) => {
      if (error instanceof TokenUsed) return undefined;
      throw error;
    });
  }

  return {
    async open({ tokenHash, purpose, userId, email, createdAt, expiresAt }, maxOpen, now) {
      await transaction(client, async (inside) => {
        // What is opened and used for one account happens one after the other.
        await inside.accountUser.updateMany({ where: { id: userId }, data: { tokenVersion: { increment: 0 } } });
        const times = { createdAt: BigInt(createdAt), expiresAt: BigInt(expiresAt) };
        await inside.accountRecoveryToken.create({ data: { tokenHash, purpose, userId, email, ...times } });
        // By id, because two tokens of one second have the same time.
        const old = await inside.accountRecoveryToken.findMany({
          where: { userId, purpose },
          orderBy: { id: 'desc' },
          skip: maxOpen,
        });
        await inside.accountRecoveryToken.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
      });
      await dropExpired(now);
    },

    async find(purpose, tokenHash, now) {
      return toStoredUser(await find(client, purpose, tokenHash, now));
    },

    resetPassword: (tokenHash, passwordHash, now) =>
      use('password_reset', tokenHash, now, { passwordHash, tokenVersion: { increment: 1 } }),

    verifyEmail: (tokenHash, now) => use('email_verification', tokenHash, now, { tokenVersion: { increment: 0 } }),

    async findVerifiedAt(userId) {
      const [verified, user] = await Promise.all([
        accountVerifiedEmail.findUnique({ where: { userId } }),
        accountUser.findUnique({ where: { id: userId } }),
      ]);
      return verified && verified.email === user?.email ? Number(verified.verifiedAt) : undefined;
    },
  };
}

/** Rolls a transaction back in which another one has used the token before. */
class TokenUsed extends Error {}

function transaction<T>(client: PrismaAccountClient, work: (models: PrismaModels) => Promise<T>): Promise<T> {
  return retry(() => client.$transaction(work));
}

async function retry<T>(work: () => PromiseLike<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || codeOf(error) !== CONFLICT) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** tries * Math.random()));
  }
}

// Two at the same time may both insert; the second is done then.
async function ignoringTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
  }
}

// Occasionally, and without an error: with every call, several processes would wait for each other's row locks.
function createCleanup(drop: (now: bigint) => PromiseLike<unknown>): (now: number) => Promise<void> {
  let droppedAt = 0;
  return async (now) => {
    if (now - droppedAt < DROP_INTERVAL_SECONDS) return;
    droppedAt = now;
    await Promise.resolve(drop(BigInt(now))).catch(() => {});
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

// `Int` has 32 bits; the client rejects what does not fit, and no account has such an id.
function isStorable(id: number): boolean {
  return id <= 0x7fffffff;
}

function isOne({ count }: { readonly count: number }): boolean {
  return count === 1;
}

function toStoredUser(row: UserRow | null): StoredUser | undefined {
  if (row === null) return undefined;
  const { id, email, passwordHash, tokenVersion, createdAt } = row;
  return { id, email, passwordHash, tokenVersion, createdAt: createdAt.toISOString() };
}

function toSession({ jti, userId, tokenVersion, device, createdAt, expiresAt }: SessionRow): StoredSession {
  const times = { createdAt: Number(createdAt), expiresAt: Number(expiresAt) };
  return { id: jti, userId, tokenVersion, device: device ?? undefined, ...times };
}
