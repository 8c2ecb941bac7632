// What the rate limit does, whatever keeps its counts. The clock is set by the tests.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Throttle } from '../../builds/stackyard/account/index.ts';
import {
  createRateLimit,
  type CreateCounter,
  type RateLimitOptions,
} from '../../auth-service/limits/counter.ts';

const START_MS = Date.UTC(2026, 10, 21, 9, 30);

/** Runs the suite; `getCreateCounter` gives counters that are empty or whose keys no other test uses. */
export function describeRateLimit(
  name: string,
  getCreateCounter: () => CreateCounter | Promise<CreateCounter>,
): void {
  let createCounter: CreateCounter;
  let run = 0;
  // A name of its own for each test, since a database may keep the counts of the one before.
  const named = (email: string) => `${run}.${email}`;
  const at = (address: string, email?: string) => ({
    address: `${run}.${address}`,
    email: email === undefined ? undefined : named(email),
  });
  const limit = (options: Partial<RateLimitOptions> = {}): Throttle =>
    createRateLimit(createCounter, { attemptsPerMinute: 1000, ...options }, { warn() {} });
  const admitMany = (throttle: Throttle, count: number, attempt: ReturnType<typeof at>) =>
    Promise.all(Array.from({ length: count }, () => throttle.admit(attempt)));
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

  describe(`a rate limit ${name}`, () => {
    beforeEach(async () => {
      run++;
      createCounter = await getCreateCounter();
      vi.useFakeTimers({ toFake: ['Date'], now: START_MS + run * 1e9 });
    });

    afterEach(() => void vi.useRealTimers());

    test('admit() bounds the attempts of an address in a minute', async () => {
      const throttle = limit({ attemptsPerMinute: 3 });
      const waits = await admitMany(throttle, 5, at('1.2.3.4'));
      expect(waits.filter((seconds) => seconds === 0)).toHaveLength(3);
      expect(waits.every((seconds) => seconds >= 0 && seconds <= 60)).toBe(true);
      expect(await throttle.admit(at('1.2.3.5'))).toBe(0);
      pass(61);
      expect(await throttle.admit(at('1.2.3.4'))).toBe(0);
    });

    test('admit() lets no more than the free failures of many at once through', async () => {
      const throttle = limit({ freeFailures: 5 });
      const waits = await admitMany(throttle, 30, at('1.2.3.4', 'a@example.com'));
      expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5);
    });

    test('admit() doubles the wait with each further failure', async () => {
      const throttle = limit({ freeFailures: 3, maxWaitSeconds: 5 });
      const attempt = at('1.2.3.4', 'a@example.com');
      await admitMany(throttle, 3, attempt);
      const waits: number[] = [];
      for (let failures = 0; failures < 4; failures++) {
        const wait = await throttle.admit(attempt);
        waits.push(wait);
        // A refusal counts nothing: asking again does not make it longer.
        expect(await throttle.admit(attempt)).toBe(wait);
        pass(wait + 0.01);
        expect(await throttle.admit(attempt)).toBe(0);
      }
      expect(waits).toEqual([1, 2, 4, 5]);
    });

    test('admit() counts other accounts and other addresses apart', async () => {
      const throttle = limit({ freeFailures: 2 });
      await admitMany(throttle, 5, at('1.2.3.4', 'a@example.com'));
      expect(await throttle.admit(at('1.2.3.4', 'b@example.com'))).toBe(0);
      expect(await throttle.admit(at('1.2.3.5', 'a@example.com'))).toBe(0);
    });

    test('admit() caps the failures of an account, but not for an address that has logged in', async () => {
      const throttle = limit({ freeFailures: 100, accountFailures: 4, maxWaitSeconds: 60 });
      const home = at('1.0.0.1', 'a@example.com');
      await throttle.admit(home);
      await throttle.succeed(home);
      for (let host = 0; host < 4; host++) {
        expect(await throttle.admit(at(`2.0.0.${host}`, 'a@example.com'))).toBe(0);
      }
      expect(await throttle.admit(at('2.0.0.8', 'a@example.com'))).toBe(0);
      expect(await throttle.admit(at('2.0.0.9', 'a@example.com'))).toBe(60);
      expect(await throttle.admit(home)).toBe(0);
      pass(61);
      expect(await throttle.admit(at('2.0.0.9', 'a@example.com'))).toBe(0);
    });

    test('admit() does not count for the address what the cap of the account refuses', async () => {
      const throttle = limit({ freeFailures: 3, accountFailures: 2, maxWaitSeconds: 60 });
      for (let host = 0; host < 3; host++)
        await throttle.admit(at(`2.0.0.${host}`, 'a@example.com'));
      for (let tries = 0; tries < 8; tries++) {
        expect(await throttle.admit(at('2.0.0.9', 'a@example.com'))).toBe(60);
      }
    });

    test('succeed() forgets the failures', async () => {
      const throttle = limit({ freeFailures: 2 });
      const attempt = at('1.2.3.4', 'a@example.com');
      await admitMany(throttle, 2, attempt);
      await throttle.succeed(attempt);
      expect(await admitMany(throttle, 2, attempt)).toEqual([0, 0]);
      expect(await throttle.admit(attempt)).toBe(1);
    });

    test('withdraw() takes an attempt back', async () => {
      const throttle = limit({ freeFailures: 2, attemptsPerMinute: 3 });
      const attempt = at('1.2.3.4', 'a@example.com');
      for (let tries = 0; tries < 10; tries++) {
        expect(await throttle.admit(attempt)).toBe(0);
        await throttle.withdraw(attempt);
      }
    });

    test('admit() forgets failures after a day', async () => {
      const throttle = limit({ freeFailures: 2 });
      const attempt = at('1.2.3.4', 'a@example.com');
      await admitMany(throttle, 2, attempt);
      pass(86_401);
      expect(await admitMany(throttle, 2, attempt)).toEqual([0, 0]);
    });

    test('admit() takes texts of any length', async () => {
      expect(await limit().admit(at('x'.repeat(10_000), '\0\ud800'.repeat(5000)))).toBe(0);
    });
  });
}
