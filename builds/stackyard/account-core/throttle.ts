// Slows down the guessing of passwords: the interface, which your own implementation can share between processes, and the
// throttle of a single process, in bounded memory. It has three counts:
//
//   address              a bucket of attempts that refills evenly, against one client that tries many accounts
//   account and address  free failures, then a wait that doubles, against one client that guesses one password
//   account              a limit for a day, against many clients; addresses that have logged in before are exempt

import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** One attempt to log in, to register, to change a password, or to have a mail sent. */
export interface Attempt {
  /** Where it comes from, see `toNetwork`. */
  readonly address: string;
  /** The account that it is about, whether it exists or not. Absent for a registration. */
  readonly email?: string | undefined;
}

/**
 * An attempt counts as a failure from the moment it is admitted, so that many at once cannot slip through before the first has
 * failed. The result must not depend on whether the account exists.
 */
export interface Throttle {
  /** Counts the attempt and returns 0; or returns the seconds to wait, at least 1, and counts nothing. */
  admit(attempt: Attempt): Promise<number>;
  /** The attempt succeeded: forget the failures. */
  succeed(attempt: Attempt): Promise<void>;
  /**
   * The attempt was neither right nor wrong, as when the server was overloaded: take back its count and its wait, and no other
   * attempt's. It is the object that `admit` was given.
   */
  withdraw(attempt: Attempt): Promise<void>;
}

/** Admits everything. */
export const noThrottle: Throttle = { admit: async () => 0, succeed: async () => {}, withdraw: async () => {} };

export interface MemoryThrottleOptions {
  /** Attempts per minute and address. Default: 100. */
  readonly attemptsPerMinute?: number;
  /** Failures per account and address before the first wait of 1 second. Default: 10. */
  readonly freeFailures?: number;
  /** Longest wait, in seconds. Default: 900. */
  readonly maxWaitSeconds?: number;
  /** Failures per account within 24 hours before unknown addresses must wait. Default: 100. */
  readonly accountFailures?: number;
  /** Entries in each of the three counts. Default: 100,000. */
  readonly maxEntries?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

interface Failures {
  readonly count: number;
  readonly since: number;
  /** The waits that have not ended. Each belongs to the attempt that began it. */
  readonly waits: readonly { readonly admission: Admission; readonly until: number }[];
  /** Whether this address has logged in to this account before. */
  readonly isKnown: boolean;
  /** Replaced when the failures are forgotten, so that earlier attempts are not taken back from the new count. */
  readonly period: object;
}

/** An attempt that was admitted, with the periods in which it was counted. */
interface Admission {
  readonly pairPeriod: object;
  readonly accountPeriod: object;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A throttle that keeps its counts in memory: each process has its own, and a restart clears them. */
export function createMemoryThrottle(options: MemoryThrottleOptions = {}): Throttle {
  const { attemptsPerMinute = 100, freeFailures = 10, maxWaitSeconds = 900, accountFailures = 100 } = options;
  const { maxEntries = 100_000, now = Date.now } = options;
  const buckets = new RecentMap<string, Bucket>(maxEntries);
  const pairs = new RecentMap<string, Failures>(maxEntries);
  const accounts = new RecentMap<string, Failures>(maxEntries);
  // By the object that `admit` and `withdraw` are given: other attempts have the same address and e-mail.
  const admissions = new WeakMap<Attempt, Admission[]>();

  function refill(address: string, time: number): Bucket {
    const { tokens, at } = buckets.get(address) ?? { tokens: attemptsPerMinute, at: time };
    const gained = (Math.max(0, time - at) * attemptsPerMinute) / MINUTE_MS;
    return { tokens: Math.min(attemptsPerMinute, tokens + gained), at: time };
  }

  function read(counts: RecentMap<string, Failures>, key: string, time: number): Failures {
    const failures = counts.get(key);
    if (failures && time - failures.since < DAY_MS) return failures;
    return { count: 0, since: time, waits: [], isKnown: failures?.isKnown ?? false, period: {} };
  }

  // 1, 2, 4, ... seconds from the last free failure on.
  const waitAfter = (count: number) => (count < freeFailures ? 0 : Math.min(2 ** (count - freeFailures), maxWaitSeconds) * 1000);

  return {
    async admit(attempt) {
      const { address, email } = attempt;
      const time = now();
      const bucket = refill(address, time);
      if (bucket.tokens < 1) return secondsUntil(((1 - bucket.tokens) * MINUTE_MS) / attemptsPerMinute);
      if (email !== undefined) {
        const [pairKey, accountKey] = keysOf(address, email);
        const pair = read(pairs, pairKey, time);
        const account = read(accounts, accountKey, time);
        const waits = pair.isKnown ? pair.waits : [...pair.waits, ...account.waits];
        const blockedUntil = Math.max(0, ...waits.map(({ until }) => until));
        if (blockedUntil > time) return secondsUntil(blockedUntil - time);
        const admission = { pairPeriod: pair.period, accountPeriod: account.period };
        const count = pair.count + 1;
        pairs.set(pairKey, { ...begin(pair, admission, time, waitAfter(count)), count, since: time });
        const total = account.count + 1;
        const accountWait = total < accountFailures ? 0 : maxWaitSeconds * 1000;
        accounts.set(accountKey, { ...begin(account, admission, time, accountWait), count: total });
        admissions.set(attempt, [...(admissions.get(attempt) ?? []), admission]);
      }
      buckets.set(address, { ...bucket, tokens: bucket.tokens - 1 });
      return 0;
    },

    async succeed(attempt) {
      const { address, email } = attempt;
      if (email === undefined) return;
      const [pairKey, accountKey] = keysOf(address, email);
      pairs.set(pairKey, { count: 0, since: now(), waits: [], isKnown: true, period: {} });
      accounts.delete(accountKey);
      admissions.delete(attempt);
    },

    async withdraw(attempt) {
      const { address, email } = attempt;
      const time = now();
      const bucket = refill(address, time);
      buckets.set(address, { ...bucket, tokens: Math.min(attemptsPerMinute, bucket.tokens + 1) });
      const admission = admissions.get(attempt)?.pop();
      if (email === undefined || admission === undefined) return;
      const [pairKey, accountKey] = keysOf(address, email);
      takeBack(pairs, pairKey, admission, admission.pairPeriod);
      takeBack(accounts, accountKey, admission, admission.accountPeriod);
    },
  };
}

/** Adds the wait that an attempt begins, if it is longer than 0, and drops those that have ended. */
function begin(failures: Failures, admission: Admission, time: number, waitMs: number): Failures {
  const waits = failures.waits.filter(({ until }) => until > time);
  return { ...failures, waits: waitMs > 0 ? [...waits, { admission, until: time + waitMs }] : waits };
}

/** Takes back the count of an attempt and its own wait. The waits of other attempts stay. */
function takeBack(counts: RecentMap<string, Failures>, key: string, admission: Admission, period: object): void {
  const failures = counts.get(key);
  if (failures?.period !== period) return;
  const waits = failures.waits.filter((wait) => wait.admission !== admission);
  counts.set(key, { ...failures, count: Math.max(0, failures.count - 1), waits });
}

// Digests, since a stranger chooses the length of both texts.
function keysOf(address: string, email: string): [pair: string, account: string] {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64');
  return [digest(`${address}\n${email}`), digest(email)];
}

function secondsUntil(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** A map of limited size that drops the entry that was unused for the longest time. Every operation takes constant time. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of `key`, which thereby becomes the most recent one. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.size >= this.#maxEntries ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}

const MAPPED_IPV4 = /^(?:0{1,4}:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * An address in the form by which attempts are counted: `203.0.113.7` as it is, and `2001:db8:1:2:3::4` as
 * `2001:db8:1:2::/64`, since a client commonly has all addresses below the first 64 bits. Other texts are only shortened.
 */
export function toNetwork(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  if (isIPv4(plain) || !isIPv6(plain)) return plain.slice(0, 64);
  const groups = expand(plain);
  const mapped = MAPPED_IPV4.exec(groups.join(':'));
  if (!mapped) return `${groups.slice(0, 4).join(':')}::/64`;
  const values = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '0', 16));
  return values.map((value) => `${value >> 8}.${value & 255}`).join('.');
}

// The eight groups, `::` filled in and a dotted end turned into two groups.
function expand(address: string): string[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets) => {
    const [a, b, c, d] = octets.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const parts = hexadecimal.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const [first = [], last = []] = parts;
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
}
