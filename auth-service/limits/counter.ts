// A count per key within a window of time: what rate-limiter-flexible does, in the few words that the limits need.

import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

export interface Counter {
  /** Counts one and gives the count, whatever it is. */
  add(key: string): Promise<number>;
  /** Takes one back. */
  subtract(key: string): Promise<void>;
  /** Counts one and gives 0 while the limit lasts, else the milliseconds until the window ends. */
  take(key: string, windowSeconds?: number): Promise<number>;
  /** Begins a window for the key anew, or for the first time. */
  mark(key: string): Promise<void>;
  /** Whether a window is open for the key. */
  has(key: string): Promise<boolean>;
  clear(key: string): Promise<void>;
}

export interface CounterRule {
  /** Unique within the service: begins the keys. */
  readonly name: string;
  /** How many `take` lets through within a window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export type CreateCounter = (rule: CounterRule) => Counter;

/** A counter over a limiter. `onTouch` hears of each key before it is used. */
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
