// Counters in PostgreSQL, which all processes share.

import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RunStatement } from './postgres-client.ts';
import { type CounterRule, type CreateCounter, toCounter } from '../limits/counter.ts';

const TABLE = 'rate_limits';
const DROP_INTERVAL_MS = 300_000;
const MAX_BLOCK_SECONDS = 60;
const DROP_EXPIRED = {
  name: 'drop_expired_limits',
  text: `DELETE FROM ${TABLE} WHERE expire < $1`,
};

/** Counters in table `rate_limits`, which `run` has created. */
export function createStoreCounters(run: RunStatement): CreateCounter {
  let droppedAt = Date.now();

  function dropExpired(): void {
    if (Date.now() - droppedAt < DROP_INTERVAL_MS) return;
    droppedAt = Date.now();
    run(DROP_EXPIRED, [droppedAt]).catch(() => {});
  }

  // The limiter sees this instead of a pool, so that its statements fail and are retried like all others.
  const storeClient = {
    async query({ name = 'rate_limits', text, values }: LimiterQuery) {
      dropExpired();
      const { rows, count } = await run({ name, text }, values);
      return { rows, rowCount: count };
    },
  };

  return (rule: CounterRule) => {
    const { name: keyPrefix, limit: points, windowSeconds: duration } = rule;
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
      // A client that is over the limit costs no statement. Not for longer windows, which another process may end.
      inMemoryBlockOnConsumed: duration <= MAX_BLOCK_SECONDS ? points + 1 : 0,
    });
    return toCounter(limiter, rule);
  };
}

interface LimiterQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}
