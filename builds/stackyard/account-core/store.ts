// What an account, a session and a recovery token are, and the one interface through which they are stored. Each database
// has an implementation in a build of its own, such as stackyard/account-sqlite. When a method rejects, the routes pass its
// error on to the host. Addresses are compared byte for byte, as `normalizeEmail` writes them: databases fold case by other
// rules.

/** An account as it is stored. */
export interface StoredUser {
  /** A safe integer above 0. */
  readonly id: number;
  /** Trimmed and in lower case, see `normalizeEmail`. */
  readonly email: string;
  /** PHC text, see passwords.ts. */
  readonly passwordHash: string;
  /** Raised to end all sessions. */
  readonly tokenVersion: number;
  /** UTC with `Z`, such as `2026-11-21T09:30:00.000Z`. */
  readonly createdAt: string;
}

/** An account as the routes show it. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly created_at: string;
}

export type NewUser = Pick<StoredUser, 'email' | 'passwordHash' | 'createdAt'>;

export interface TokenOwner {
  readonly user: StoredUser;
  /** Whether the token itself was revoked. */
  readonly revoked: boolean;
}

/** Storage of accounts and revoked tokens. */
export interface UserStore {
  findByEmail(email: string): Promise<StoredUser | undefined>;

  /** The account of a token and whether that token was revoked, in one read: it runs on every protected request. */
  findByToken(userId: number, tokenId: string): Promise<TokenOwner | undefined>;

  /**
   * Adds an account with `tokenVersion` 0, or returns `undefined` when the e-mail is taken. A unique index must decide that,
   * not an earlier read. The id of a deleted account must not be used again.
   */
  insert(user: NewUser): Promise<StoredUser | undefined>;

  /** Replaces the hash where it still is `oldHash`; sessions continue. Returns whether it was replaced. */
  replaceHash(userId: number, oldHash: string, newHash: string): Promise<boolean>;

  /**
   * Replaces the hash where it still is `oldHash`, raises `tokenVersion`, and deletes the open password resets of the account,
   * in one step. The account as it is then, or `undefined` when it is gone or has another hash.
   */
  changePassword(userId: number, oldHash: string, newHash: string): Promise<StoredUser | undefined>;

  /** Raises `tokenVersion`, which ends all sessions. Returns whether the account exists. */
  bumpTokenVersion(userId: number): Promise<boolean>;

  /** Deletes the account with its sessions and recovery tokens. Returns whether it existed. */
  delete(userId: number): Promise<boolean>;

  /**
   * Revokes one token; revoking it again changes nothing. `expiresAt` and `now` are seconds since 1970: entries that have
   * expired at `now` may be dropped.
   */
  revokeToken(tokenId: string, expiresAt: number, now: number): Promise<void>;
}

/** A session: one token, from the login that issued it to its end. Times are seconds since 1970. */
export interface StoredSession {
  /** Claim `jti` of the token. */
  readonly id: string;
  readonly userId: number;
  /** Claim `ver`: the session is over when the account has another version. */
  readonly tokenVersion: number;
  /** The program at the other end, see `deviceName`; `undefined` where it did not send a name. */
  readonly device: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Storage of sessions. It is for listing only: whether a token is accepted never depends on it. */
export interface SessionStore {
  /** Adds a session. Those that are over at `now`, and those of earlier versions of this account, may be deleted. */
  add(session: StoredSession, now: number): Promise<void>;

  /**
   * The sessions of an account, newest first and at most `limit`: those of `tokenVersion` that have not expired at `now` and
   * whose token was not revoked.
   */
  list(userId: number, tokenVersion: number, now: number, limit: number): Promise<readonly StoredSession[]>;

  /** One of those that `list` without a limit would give. */
  find(userId: number, tokenVersion: number, now: number, id: string): Promise<StoredSession | undefined>;
}

export type RecoveryPurpose = 'password_reset' | 'email_verification';

/** A token that was sent by mail and not used yet. Times are seconds since 1970. */
export interface OpenRecovery {
  /** SHA-256 of the purpose and the token in hexadecimal: whoever reads the database cannot use it. */
  readonly tokenHash: string;
  readonly purpose: RecoveryPurpose;
  readonly userId: number;
  /** Where the token was sent. It is void when the account has another address by then. */
  readonly email: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * Storage of recovery tokens and of verified addresses. A token is usable at `now` when its hash and purpose are stored, it
 * expires after `now`, and its account exists and still has the address.
 */
export interface RecoveryStore {
  /**
   * Adds a token. Where the account has more than `maxOpen` of this purpose then, the oldest are deleted; those that have
   * expired at `now` may be.
   */
  open(recovery: OpenRecovery, maxOpen: number, now: number): Promise<void>;

  /** The account of a usable token, which stays usable. */
  find(purpose: RecoveryPurpose, tokenHash: string, now: number): Promise<StoredUser | undefined>;

  /**
   * Uses a token of purpose `password_reset`, in one step: deletes the recovery tokens of the account, replaces its hash,
   * raises `tokenVersion`, and marks the address as verified at `now`. The account as it is then, or `undefined` when the
   * token is not usable. Of several calls at the same time one succeeds.
   */
  resetPassword(tokenHash: string, newHash: string, now: number): Promise<StoredUser | undefined>;

  /**
   * Uses a token of purpose `email_verification`, in one step: deletes those of the account, and marks the address as
   * verified at `now`. Returns as `resetPassword` does.
   */
  verifyEmail(tokenHash: string, now: number): Promise<StoredUser | undefined>;

  /** When the present address of the account was first verified, in seconds, or `undefined`. */
  findVerifiedAt(userId: number): Promise<number | undefined>;
}

/** What a database stores for accounts. */
export interface AccountStore {
  readonly users: UserStore;
  /** Without it the routes `/sessions` do not exist. */
  readonly sessions?: SessionStore | undefined;
  /** For stackyard/account-recovery. */
  readonly recoveries?: RecoveryStore | undefined;
}

/** The public fields of an account: exactly `id`, `email` and `created_at`. */
export function toUser({ id, email, createdAt }: StoredUser): User {
  return { id, email, created_at: createdAt };
}
