// Counters in the memory of this process, with a bound on their number: strangers choose the keys.

import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type CounterRule, type CreateCounter, toCounter } from './counter.ts';

const MAX_KEYS = 100_000;

/** Counters that a restart clears. Each forgets the key not used for longest once it has `maxKeys`. */
export function createMemoryCounters(maxKeys = MAX_KEYS): CreateCounter {
  return (rule: CounterRule) => {
    const { name: keyPrefix, limit: points, windowSeconds: duration } = rule;
    const limiter = new RateLimiterMemory({ keyPrefix, points, duration });
    const keys = new Set<string>();
    return toCounter(limiter, rule, (key) => {
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size <= maxKeys || oldest === undefined) return;
      keys.delete(oldest);
      void limiter.delete(oldest);
    });
  };
}
