// What is used of a Prisma client that has the models of INTEGRATION.md. The client is generated in your project, where this
// build cannot know its place, so it is described here by its shape.

interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly tokenVersion: number;
  readonly createdAt: Date;
}

interface SessionRow {
  readonly jti: string;
  readonly userId: number;
  readonly tokenVersion: number;
  readonly device: string | null;
  readonly createdAt: bigint;
  readonly expiresAt: bigint;
}

interface RecoveryRow {
  readonly id: number;
  readonly tokenHash: string;
  readonly purpose: string;
  readonly userId: number;
  readonly email: string;
  readonly createdAt: bigint;
  readonly expiresAt: bigint;
}

interface VerifiedRow {
  readonly userId: number;
  readonly email: string;
  readonly verifiedAt: bigint;
}

interface Count {
  readonly count: number;
}

interface After {
  readonly gt?: bigint;
  readonly lte?: bigint;
}

interface UserWhere {
  readonly id: number;
  readonly email?: string;
  readonly passwordHash?: string;
}

interface UserChange {
  readonly passwordHash?: string;
  readonly tokenVersion?: { readonly increment: number };
}

/** The delegates of the models. */
export interface PrismaModels {
  readonly accountUser: {
    findUnique(args: { where: { email: string } | { id: number } }): PromiseLike<UserRow | null>;
    create(args: { data: { email: string; passwordHash: string; createdAt: Date } }): PromiseLike<UserRow>;
    updateMany(args: { where: UserWhere; data: UserChange }): PromiseLike<Count>;
    deleteMany(args: { where: { id: number } }): PromiseLike<Count>;
  };
  readonly accountRevokedToken: {
    findUnique(args: { where: { jti: string } }): PromiseLike<{ readonly jti: string } | null>;
    findMany(args: { where: { jti: { in: string[] } } }): PromiseLike<readonly { readonly jti: string }[]>;
    upsert(args: {
      where: { jti: string };
      create: { jti: string; expiresAt: bigint };
      update: Record<string, never>;
    }): PromiseLike<unknown>;
    deleteMany(args: { where: { expiresAt: After } }): PromiseLike<Count>;
  };
  readonly accountSession: {
    create(args: { data: SessionRow }): PromiseLike<unknown>;
    findMany(args: {
      where: { jti?: string; userId: number; tokenVersion: number; expiresAt: After };
      orderBy: [{ createdAt: 'desc' }, { jti: 'asc' }];
    }): PromiseLike<readonly SessionRow[]>;
    deleteMany(args: {
      where: { expiresAt: After } | { userId: number; tokenVersion: { lt: number } };
    }): PromiseLike<Count>;
  };
  readonly accountRecoveryToken: {
    findFirst(args: { where: { tokenHash: string; purpose: string; expiresAt: After } }): PromiseLike<RecoveryRow | null>;
    findMany(args: {
      where: { userId: number; purpose: string };
      orderBy: { id: 'desc' };
      skip: number;
    }): PromiseLike<readonly RecoveryRow[]>;
    create(args: { data: Omit<RecoveryRow, 'id'> }): PromiseLike<unknown>;
    deleteMany(args: {
      where: { expiresAt: After } | { id: { in: number[] } } | { tokenHash: string } | { userId: number; purpose?: string };
    }): PromiseLike<Count>;
  };
  readonly accountVerifiedEmail: {
    findUnique(args: { where: { userId: number } }): PromiseLike<VerifiedRow | null>;
    upsert(args: { where: { userId: number }; create: VerifiedRow; update: VerifiedRow }): PromiseLike<unknown>;
  };
}

/** A Prisma client with these models. */
export interface PrismaAccountClient extends PrismaModels {
  $transaction<T>(work: (client: PrismaModels) => Promise<T>): Promise<T>;
}
