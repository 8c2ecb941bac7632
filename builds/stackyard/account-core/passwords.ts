// Passwords: which may be chosen, the scrypt hash (RFC 7914) in which they are stored, and the queue that bounds how many are
// computed at once. The stored text has the PHC string format, base64 without padding, N = 2^ln:
//
//   $scrypt$ln=15,r=8,p=3$<salt>$<key>
//
// It decides how much memory a login takes, so one from a broken import or a tampered database is refused, not computed.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AccountError } from './errors.js';

const MIN_LENGTH = 8;
const MAX_LENGTH = 200;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Which rule a new password breaks, as a message for people, or `undefined`. Nothing is trimmed or cut. */
export function findPasswordFault(password: string): string | undefined {
  // In UTF-8 all lone surrogates become the same three bytes, so different passwords would match.
  if (LONE_SURROGATE.test(password)) return 'Password must be well-formed Unicode';
  // Code points, as NIST SP 800-63B-4 section 3.1.1.2 counts; versions of zod differ in this.
  const { length } = Array.from(password);
  if (length < MIN_LENGTH) return `Password must be at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `Password must be at most ${MAX_LENGTH} characters`;
  return undefined;
}

export interface ScryptCost {
  /** Binary logarithm of N, the CPU and memory cost (RFC 7914 section 2). A hash takes 128 * N * r bytes. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

export interface ScryptHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const PHC_FORM = /^\$scrypt\$ln=([1-9][0-9]?),r=([1-9][0-9]?),p=([1-9][0-9]?)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const MAX_TEXT_LENGTH = 256;
const MAX_COST: ScryptCost = { logN: 17, r: 8, p: 10 };

/** The text to store. The inverse of `tryParseScryptHash`. */
export function formatScryptHash({ cost, salt, key }: ScryptHash): string {
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${encode(salt)}$${encode(key)}`;
}

/** Reads a stored text; `undefined` when it has another form or exceeds a bound. */
export function tryParseScryptHash(text: string): ScryptHash | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, logN, r, p, saltText, keyText] = PHC_FORM.exec(text) ?? [];
  if (saltText === undefined || keyText === undefined) return undefined;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const salt = tryDecode(saltText, 8);
  const key = tryDecode(keyText, 16);
  return isAcceptableCost(cost) && salt && key ? { cost, salt, key } : undefined;
}

/** Whether the parameters are whole numbers from 1 to 17 (`logN`), 8 (`r`) and 10 (`p`). */
export function isAcceptableCost({ logN, r, p }: ScryptCost): boolean {
  const isWithin = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
  return isWithin(logN, MAX_COST.logN) && isWithin(r, MAX_COST.r) && isWithin(p, MAX_COST.p);
}

/** Whether `stored` takes less work than `current`. */
export function isWeaker(stored: ScryptCost, current: ScryptCost): boolean {
  const work = ({ logN, r, p }: ScryptCost) => 2 ** logN * r * p;
  return work(stored) < work(current);
}

function tryDecode(text: string, minBytes: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return encode(bytes) === text && bytes.length >= minBytes && bytes.length <= 64 ? bytes : undefined;
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

export interface HashQueueLimits {
  /** How many tasks run at once. */
  readonly maxRunning: number;
  /** How many wait beside those. */
  readonly maxQueued: number;
  /** How long one waits, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Runs `task` when there is room for it. Rejects with `AccountError`, code `overloaded`, when the queue or the wait is too long. */
export type HashQueue = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A first-in, first-out queue. A hash takes 32 MiB and a fifth of a second of a core: without a limit a burst of logins would
 * take all memory and every thread of the pool. Throws `RangeError` for limits with which no task could run.
 */
export function createHashQueue({ maxRunning, maxQueued, maxWaitMs }: HashQueueLimits): HashQueue {
  for (const [name, value, min] of [['maxRunning', maxRunning, 1], ['maxQueued', maxQueued, 0], ['maxWaitMs', maxWaitMs, 0]] as const) {
    if (Number.isInteger(value) && value >= min && value <= 0x7fffffff) continue;
    throw new RangeError(`Option "${name}" is "${value}": use a whole number from ${min}`);
  }
  let running = 0;
  const waiting = new Set<() => void>();
  const overloaded = () => new AccountError('overloaded', { headers: { 'Retry-After': '5' } });

  function waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(overloaded());
      }, maxWaitMs);
      waiting.add(start);
    });
  }

  return async (task) => {
    if (running < maxRunning) running++;
    else if (waiting.size < maxQueued) await waitForTurn();
    else throw overloaded();
    try {
      return await task();
    } finally {
      // A finished task passes its place to the next one, so `running` does not change then.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running--;
    }
  };
}

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

/** scrypt hashes in PHC form. Throws `RangeError` for parameters that could not be verified again. */
export function createPasswords(options: PasswordOptions = {}): Passwords {
  const { cost = DEFAULT_COST, derive = deriveScrypt, maxQueued = 100, maxWaitMs = 10_000 } = options;
  if (!isAcceptableCost(cost)) {
    throw new RangeError(`Option "cost" is ${JSON.stringify(cost)}: use logN from 1 to 17, r to 8, p to 10`);
  }
  // Two of the four threads of Node's pool stay free for files and DNS.
  const run = createHashQueue({ maxRunning: options.maxRunning ?? Math.min(availableParallelism(), 2), maxQueued, maxWaitMs });
  // Verified in place of the hash of an account that does not exist, for the same time. No password matches it.
  const dummy: ScryptHash = { cost, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };
  return {
    hash: (password, before) =>
      run(async () => {
        await before?.();
        const salt = randomBytes(SALT_BYTES);
        return formatScryptHash({ cost, salt, key: await derive(toBytes(password), salt, cost, KEY_BYTES) });
      }),
    verify: (password, stored) =>
      run(async () => {
        const parsed = stored === undefined ? undefined : tryParseScryptHash(stored);
        const expected = parsed ?? dummy;
        const key = await derive(toBytes(password), expected.salt, expected.cost, expected.key.length);
        const matches = timingSafeEqual(key, expected.key) && parsed !== undefined && !LONE_SURROGATE.test(password);
        return {
          matches,
          outdated: matches && (isWeaker(parsed.cost, cost) || parsed.key.length < KEY_BYTES),
          unreadable: stored !== undefined && parsed === undefined,
        };
      }),
  };
}

/** scrypt of RFC 7914 in the thread pool. */
export function deriveScrypt(password: Buffer, salt: Buffer, { logN, r, p }: ScryptCost, length: number): Promise<Buffer> {
  const N = 2 ** logN;
  // Node refuses by default what needs 32 MiB or more.
  const maxmem = 128 * r * (N + p + 2) + 1024;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

// NFC, because keyboards and systems compose the same character in different ways (NIST SP 800-63B-4 3.1.1.2).
function toBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'), 'utf8');
}
