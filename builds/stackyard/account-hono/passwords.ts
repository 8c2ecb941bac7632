// Hashes and verifies passwords with scrypt (RFC 7914), off the event loop and bounded.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createHashQueue, type HashQueueLimits } from './hash-queue.js';
import { isWellFormed } from './password-rule.js';
import {
  formatScryptHash,
  isAcceptableCost,
  isWeaker,
  type ScryptCost,
  type ScryptHash,
  tryParseScryptHash,
} from './scrypt-hash.js';

export interface PasswordCheck {
  readonly matches: boolean;
  /** It matches, and its hash should be replaced by one with the current parameters. */
  readonly outdated: boolean;
  /** The stored text is not a hash that can be verified. */
  readonly unreadable: boolean;
}

export interface Passwords {
  /**
   * The text to store. `before` runs after the wait in the queue; when it rejects, no hash is computed. Rejects with
   * `AccountError`, code `overloaded`, when too many hashes wait.
   */
  hash(password: string, before?: () => Promise<void>): Promise<string>;
  /** Compares with a stored text. Without one it takes the same time and does not match. Rejects as `hash` does. */
  verify(password: string, stored: string | undefined): Promise<PasswordCheck>;
}

/** Computes a key of `length` bytes. */
export type DeriveKey = (password: Buffer, salt: Buffer, cost: ScryptCost, length: number) => Promise<Buffer>;

export interface PasswordOptions extends Partial<HashQueueLimits> {
  /** Parameters of new hashes. Default: N = 2^15, r = 8, p = 3. Less is for tests. */
  readonly cost?: ScryptCost;
  /** Default: scrypt of `node:crypto`. */
  readonly derive?: DeriveKey;
}

// The cheapest parameters that the OWASP Password Storage Cheat Sheet and ASVS 5.0 both accept.
const DEFAULT_COST: ScryptCost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

// Two of the four threads of Node's pool stay free for files and DNS.
const DEFAULT_MAX_RUNNING = 2;
const DEFAULT_MAX_QUEUED = 100;
const DEFAULT_MAX_WAIT_MS = 10_000;

/** scrypt hashes in PHC form. Throws `RangeError` for parameters that could not be verified again. */
export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { cost = DEFAULT_COST, derive = deriveScrypt } = options;
  if (!isAcceptableCost(cost)) {
    throw new RangeError(`Option "cost" is ${JSON.stringify(cost)}: use logN from 1 to 17, r to 8, p to 10`);
  }
  const queue = createHashQueue({
    maxRunning: options.maxRunning ?? Math.min(availableParallelism(), DEFAULT_MAX_RUNNING),
    maxQueued: options.maxQueued ?? DEFAULT_MAX_QUEUED,
    maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
  });
  // Verified in place of the hash of an account that does not exist, for the same time. No password matches it.
  const dummy: ScryptHash = { cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };

  return {
    hash(password, before) {
      return queue.run(async () => {
        await before?.();
        const salt = randomBytes(SALT_BYTES);
        const key = await derive(toBytes(password), salt, cost, KEY_BYTES);
        return formatScryptHash({ cost, salt, key });
      });
    },

    verify(password, stored) {
      return queue.run(async () => {
        const parsed = stored === undefined ? undefined : tryParseScryptHash(stored);
        const expected = parsed ?? dummy;
        const key = await derive(toBytes(password), expected.salt, expected.cost, expected.key.length);
        const isEqual = timingSafeEqual(key, expected.key);
        const matches = isEqual && parsed !== undefined && isWellFormed(password);
        return {
          matches,
          outdated: matches && (isWeaker(parsed.cost, cost) || parsed.key.length < KEY_BYTES),
          unreadable: stored !== undefined && parsed === undefined,
        };
      });
    },
  };
}

/** scrypt of RFC 7914 in the thread pool. */
export function deriveScrypt(
  password: Buffer,
  salt: Buffer,
  cost: ScryptCost,
  length: number,
): Promise<Buffer> {
  const { logN, r, p } = cost;
  const N = 2 ** logN;
  // Node refuses by default what needs 32 MiB or more.
  const maxmem = 128 * r * (N + p + 2) + 1024;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

// NFC, because keyboards and systems compose the same character in different ways (NIST SP 800-63B-4 3.1.1.2).
function toBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}
