// What an account is, and what the account routes need of the storage. sqlite-users.ts implements it for SQLite; a store
// for another database implements the same interface.

/** An account as it is stored. */
export interface StoredUser {
  /** A safe integer above 0. */
  readonly id: number;
  /** Trimmed and in lower case, see `normalizeEmail`. */
  readonly email: string;
  /** PHC text, see scrypt-hash.ts. */
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

export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: string;
}

export interface TokenOwner {
  readonly user: StoredUser;
  /** Whether the token itself was revoked. */
  readonly revoked: boolean;
}

/** Storage of accounts and revoked tokens. When a method rejects, the routes pass its error to the host. */
export interface UserStore {
  /** Takes the e-mail as `normalizeEmail` writes it and compares it byte for byte, without folding case. */
  findByEmail(email: string): Promise<StoredUser | undefined>;

  /** The account of a token and whether that token was revoked, in one read: it runs on every protected request. */
  findByToken(userId: number, tokenId: string): Promise<TokenOwner | undefined>;

  /**
   * Adds an account with `tokenVersion` 0, or returns `undefined` when the e-mail is taken. A unique index must decide
   * that, not an earlier read. The id of a deleted account must not be used again.
   */
  insert(user: NewUser): Promise<StoredUser | undefined>;

  /** Replaces the hash where it still is `oldHash`; sessions continue. Returns whether it was replaced. */
  replaceHash(userId: number, oldHash: string, newHash: string): Promise<boolean>;

  /**
   * Replaces the hash where it still is `oldHash`, raises `tokenVersion`, and deletes the open password resets of the
   * account if any are stored, in one step. Returns the account as it is now, or `undefined` when it is gone or has another
   * hash.
   */
  changePassword(userId: number, oldHash: string, newHash: string): Promise<StoredUser | undefined>;

  /** Raises `tokenVersion`, which ends all sessions. Returns whether the account exists. */
  bumpTokenVersion(userId: number): Promise<boolean>;

  /** Deletes the account. Returns whether it existed. */
  delete(userId: number): Promise<boolean>;

  /**
   * Revokes one token; revoking it again changes nothing. `expiresAt` and `now` are seconds since 1970: entries that
   * have expired at `now` may be dropped.
   */
  revokeToken(tokenId: string, expiresAt: number, now: number): Promise<void>;
}

/** The public fields of an account: exactly `id`, `email` and `created_at`. */
export function toUser({ id, email, createdAt }: StoredUser): User {
  return { id, email, created_at: createdAt };
}
