// What a recovery token is for, and what the recovery routes ask of the storage.
//
// A token is 256 random bits, sent to the address of an account. The storage has only its SHA-256: whoever reads the
// database cannot use it. It is for one purpose, one account and one address, expires, and works once.

import type { StoredUser } from './users.js';

export type RecoveryPurpose = 'password_reset' | 'email_verification';

/** A token that was sent and not used yet. Times are seconds since 1970. */
export interface OpenRecovery {
  /** SHA-256 of the token, see `hashRecoveryToken`. */
  readonly tokenHash: string;
  readonly purpose: RecoveryPurpose;
  readonly userId: number;
  /** Where the token was sent. It is void when the account has another address by then. */
  readonly email: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * Storage of recovery tokens and of verified addresses. A method that fails rejects. A token is usable at `now` when its
 * hash and purpose are stored, it expires after `now`, and its account exists and still has the address.
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
