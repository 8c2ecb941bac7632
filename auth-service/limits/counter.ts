// A count per key within a window of time: the part of rate-limiter-flexible that the limits need.

import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

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
