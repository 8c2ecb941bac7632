// What a session is: one token, from the login that issued it to its end. The storage is only for listing: whether a
// token is accepted never depends on it.

/** A session as it is stored. Times are seconds since 1970. */
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

/** Storage of sessions. A method that fails rejects. */
export interface SessionStore {
  /** Adds a session. Those that are over at `now`, and those of earlier versions of this account, may be deleted. */
  add(session: StoredSession, now: number): Promise<void>;

  /**
   * The sessions of an account, newest first and at most `limit`: those of `tokenVersion` that have not expired at
   * `now` and whose token was not revoked.
   */
  list(userId: number, tokenVersion: number, now: number, limit: number): Promise<readonly StoredSession[]>;

  /** One of those that `list` without a limit would give. */
  find(userId: number, tokenVersion: number, now: number, id: string): Promise<StoredSession | undefined>;
}

const MAX_DEVICE_LENGTH = 200;
// Control, format and separator characters, and halves of surrogate pairs.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** A `User-Agent` that can be stored and shown: in one line and of at most 200 characters. Still chosen by a stranger. */
export function deviceName(userAgent: string | undefined): string | undefined {
  const text = (userAgent ?? '').slice(0, 4 * MAX_DEVICE_LENGTH).replace(INVISIBLE, ' ').replace(/ {2,}/g, ' ');
  const name = Array.from(text.trim()).slice(0, MAX_DEVICE_LENGTH).join('').trim();
  return name === '' ? undefined : name;
}
