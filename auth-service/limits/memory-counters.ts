// Counters in the memory of this process, with a bound on their number: clients choose the keys.

import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type CounterRule, type CreateCounter, toCounter } from './counter.ts';

const MAX_KEYS = 100_000;

/** Counters that a restart clears. At `maxKeys` keys, the least recently used one is dropped. */
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
