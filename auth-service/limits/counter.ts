import { createHash } from 'node:crypto';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Attempt, Throttle } from '../../builds/stackyard/account-core/index.ts';

// A count per key within a window of time: the part of rate-limiter-flexible that the limits need.

export interface Counter {
  /** Adds one and returns the count. */
  add(key: string): Promise<number>;
  /** Subtracts one. */
  subtract(key: string): Promise<void>;
  /** Adds one. Returns 0 within the limit, else the milliseconds until the window ends. */
  take(key: string, windowSeconds?: number): Promise<number>;
  /** Starts a new window for the key. */
  mark(key: string): Promise<void>;
  /** Whether a window is open for the key. */
  has(key: string): Promise<boolean>;
  clear(key: string): Promise<void>;
}

export interface CounterRule {
  /** Prefix of the keys, unique within the service. */
  readonly name: string;
  /** How many calls of `take` a window allows. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export type CreateCounter = (rule: CounterRule) => Counter;

/** A counter over a limiter. `onTouch` is called with each key before it is used. */
export function toCounter(
  limiter: RateLimiterAbstract,
  rule: CounterRule,
  onTouch: (key: string) => void = () => {},
): Counter {
  return {
    async add(key) {
      onTouch(key);
      // A database may give the count as a string.
      return Number((await limiter.penalty(key)).consumedPoints);
    },
    async subtract(key) {
      onTouch(key);
      await limiter.reward(key);
    },
    async take(key, windowSeconds) {
      onTouch(key);
      try {
        await limiter.consume(
          key,
          1,
          windowSeconds === undefined ? {} : { customDuration: windowSeconds },
        );
        return 0;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
        throw refusal;
      }
    },
    async mark(key) {
      onTouch(key);
      await limiter.set(key, 1, rule.windowSeconds);
    },
    async has(key) {
      return (await limiter.get(key)) !== null;
    },
    async clear(key) {
      await limiter.delete(key);
    },
  };
}

// The throttle of the account routes. Three limits:
//
//   address              attempts per minute, for one client that tries many accounts
//   account and address  free failures, then a wait that doubles, for one client that guesses one password
//   account              a cap for a day, for many clients; an address that has logged in before is exempt from it

export interface RateLimitOptions {
  readonly attemptsPerMinute: number;
  /** Failures per account and address before the first wait of 1 second. Default: 10. */
  readonly freeFailures?: number;
  /** Failures per account within 24 hours before unknown addresses must wait. Default: 100. */
  readonly accountFailures?: number;
  /** Longest wait, in seconds. Default: 900. */
  readonly maxWaitSeconds?: number;
}

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
// Not more: the memory store uses a timer, which is limited to 24 days.
const KNOWN_SECONDS = 14 * DAY_SECONDS;

/** A throttle over counters. Its `admit` rejects when they cannot be read; the others only log. */
export function createRateLimit(
  createCounter: CreateCounter,
  options: RateLimitOptions,
  log: { warn(message: string): void },
): Throttle {
  const {
    attemptsPerMinute,
    freeFailures = 10,
    accountFailures = 100,
    maxWaitSeconds = 900,
  } = options;
  const count = (name: string) => createCounter({ name, limit: 1, windowSeconds: DAY_SECONDS });
  const addresses = createCounter({
    name: 'address',
    limit: attemptsPerMinute,
    windowSeconds: MINUTE_SECONDS,
  });
  const known = createCounter({ name: 'known', limit: 1, windowSeconds: KNOWN_SECONDS });
  const pairFailures = count('pair');
  const pairGate = count('pair_gate');
  const totalFailures = count('account');
  const accountGate = count('account_gate');

  // The failure is counted first and subtracted on a refusal, so that of many parallel attempts only the free ones and
  // the one that the gate admits pass.
  async function admitPair(key: string): Promise<number> {
    const failures = await pairFailures.add(key);
    if (failures < freeFailures) return 0;
    const seconds = Math.min(2 ** Math.min(failures - freeFailures, 30), maxWaitSeconds);
    const waitMs = await pairGate.take(key, seconds);
    if (waitMs > 0) await pairFailures.subtract(key);
    return waitMs;
  }

  async function admitAccount(key: string, pair: string): Promise<number> {
    const failures = await totalFailures.add(key);
    if (failures <= accountFailures || (await known.has(pair))) return 0;
    const waitMs = await accountGate.take(key, maxWaitSeconds);
    if (waitMs > 0) await totalFailures.subtract(key);
    return waitMs;
  }

  async function quietly(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The response depends on the attempt itself, which has already succeeded or failed.
      log.warn(`Cannot ${what}: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  }

  return {
    async admit(attempt) {
      const [address, pair, account] = keysOf(attempt);
      const addressMs = await addresses.take(address);
      if (addressMs > 0) return toSeconds(addressMs);
      if (pair === undefined || account === undefined) return 0;
      const pairMs = await admitPair(pair);
      if (pairMs > 0) return toSeconds(pairMs);
      const accountMs = await admitAccount(account, pair);
      if (accountMs === 0) return 0;
      await pairFailures.subtract(pair);
      return toSeconds(accountMs);
    },

    succeed: (attempt) =>
      quietly('forget failed attempts', async () => {
        const [, pair, account] = keysOf(attempt);
        if (pair === undefined || account === undefined) return;
        await known.mark(pair);
        await Promise.all([
          pairFailures.clear(pair),
          pairGate.clear(pair),
          totalFailures.clear(account),
          accountGate.clear(account),
        ]);
      }),

    withdraw: (attempt) =>
      quietly('revert an attempt', async () => {
        const [address, pair, account] = keysOf(attempt);
        await addresses.subtract(address);
        if (pair === undefined || account === undefined) return;
        await Promise.all([
          pairFailures.subtract(pair),
          pairGate.clear(pair),
          totalFailures.subtract(account),
          accountGate.clear(account),
        ]);
      }),
  };
}

// Digests, because clients choose the length of both texts, and because they are stored.
function keysOf({ address, email }: Attempt): [address: string, pair?: string, account?: string] {
  if (email === undefined) return [digest(address)];
  return [digest(address), digest(`${address}\n${email}`), digest(email)];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
