// The throttle of a single process, in bounded memory. Three counts:
//
//   address              a bucket of attempts that refills evenly, against one client that tries many accounts
//   account and address  free failures, then a wait that doubles, against one client that guesses one password
//   account              a limit for a day, against many clients; addresses that have logged in before are exempt

import { createHash } from 'node:crypto';
import { RecentMap } from './recent-map.js';
import type { Attempt, Throttle } from './throttle.js';

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
  readonly waits: readonly Wait[];
  /** Whether this address has logged in to this account before. */
  readonly isKnown: boolean;
  /** Replaced when the failures are forgotten, so that earlier attempts are not taken back from the new count. */
  readonly period: object;
}

interface Wait {
  readonly admission: Admission;
  readonly until: number;
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
  function waitAfter(count: number): number {
    return count < freeFailures ? 0 : Math.min(2 ** (count - freeFailures), maxWaitSeconds) * 1000;
  }

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
function takeBack(
  counts: RecentMap<string, Failures>,
  key: string,
  admission: Admission,
  period: object,
): void {
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
