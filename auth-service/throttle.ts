// The throttle of register and login with its counts in PostgreSQL, which all processes share. The limits are those of the
// throttle of the account module: 100 attempts a minute for each address, and for each account and address 10 failures,
// then a wait that doubles.

import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Throttle } from '../builds/stackyard/account/throttle.ts';
import type { Run } from './store/store.ts';

const ATTEMPTS = 100;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const FREE_FAILURES = 10;
const MAX_WAIT_SECONDS = 900;

/** A throttle whose methods reject while the database is unavailable. */
export function createPostgresThrottle(run: Run): Throttle {
  // The limiter sees this instead of a pool, so that its statements wait for the tables and are retried like all others.
  const storeClient = {
    async query({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
      return { rows: await run(text, values) };
    },
  };
  const createLimiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  const addresses = createLimiter('address', ATTEMPTS, MINUTE_SECONDS);
  const failures = createLimiter('pair', FREE_FAILURES, DAY_SECONDS);
  const gates = createLimiter('pair_gate', 1, DAY_SECONDS);

  return {
    async admit(address, email) {
      const wait = await take(addresses, digest(address));
      if (wait > 0 || email === undefined) return wait;
      const pair = digest(`${address}\n${email}`);
      // The failure is counted first and subtracted on a refusal, so that of many parallel attempts only the free ones and
      // the one that the gate admits pass.
      const { consumedPoints: count } = await failures.penalty(pair);
      if (count < FREE_FAILURES) return 0;
      const gateSeconds = Math.min(2 ** Math.min(count - FREE_FAILURES, 30), MAX_WAIT_SECONDS);
      const gateWait = await take(gates, pair, gateSeconds);
      if (gateWait > 0) await failures.reward(pair);
      return gateWait;
    },

    async succeed(address, email) {
      const pair = digest(`${address}\n${email}`);
      await Promise.all([failures.delete(pair), gates.delete(pair)]);
    },
  };
}

/** Takes a point for `seconds`, or for the time of the limiter. Returns the seconds to wait, 0 where there was one. */
async function take(limiter: RateLimiterPostgres, key: string, seconds?: number): Promise<number> {
  try {
    await limiter.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds });
    return 0;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes)
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw refusal;
  }
}

// Digests, because clients choose the length of both texts, and because they are stored.
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
