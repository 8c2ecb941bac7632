// The throttle in memory, on a clock of its own.

import { beforeEach, describe, expect, test } from 'vitest';
import { createMemoryThrottle, type MemoryThrottleOptions } from './memory-throttle.js';
import type { Throttle } from './throttle.js';

let now: number;

beforeEach(() => {
  now = 1_790_000_000_000;
});

const create = (options: MemoryThrottleOptions = {}) =>
  createMemoryThrottle({ attemptsPerMinute: 1_000_000, now: () => now, ...options });
const HOME = { address: '203.0.113.7', email: 'a@example.com' };

async function admitMany(throttle: Throttle, count: number, attempt = HOME): Promise<number[]> {
  const waits = [];
  for (let round = 0; round < count; round++) waits.push(await throttle.admit(attempt));
  return waits;
}

describe('failures of one address on one account', () => {
  test('are free ten times, then wait twice as long each time, up to 900 seconds', async () => {
    const throttle = create();
    expect(await admitMany(throttle, 10)).toEqual(Array(10).fill(0));
    const waits = [];
    for (let round = 0; round < 13; round++) {
      const wait = await throttle.admit(HOME);
      waits.push(wait);
      now += wait * 1000 - 1;
      expect(await throttle.admit(HOME)).toBe(1);
      now += 1;
      expect(await throttle.admit(HOME)).toBe(0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test('count from admission on, so that none slip through at once', async () => {
    const throttle = create({ freeFailures: 3 });
    const waits = await Promise.all(Array.from({ length: 6 }, () => throttle.admit(HOME)));
    expect(waits).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('are forgotten on success and after a day', async () => {
    const throttle = create({ freeFailures: 2 });
    expect(await admitMany(throttle, 3)).toEqual([0, 0, 1]);
    await throttle.succeed(HOME);
    expect(await admitMany(throttle, 3)).toEqual([0, 0, 1]);
    now += 86_400_000;
    expect(await admitMany(throttle, 3)).toEqual([0, 0, 1]);
  });

  test('are taken back when nothing was decided', async () => {
    const throttle = create({ freeFailures: 2 });
    for (let round = 0; round < 10; round++) {
      expect(await throttle.admit(HOME)).toBe(0);
      await throttle.withdraw(HOME);
    }
    expect(await admitMany(throttle, 3)).toEqual([0, 0, 1]);
  });

  test('concern no other address and no other account', async () => {
    const throttle = create({ freeFailures: 1 });
    expect(await admitMany(throttle, 2)).toEqual([0, 1]);
    expect(await throttle.admit({ ...HOME, address: '203.0.113.8' })).toBe(0);
    expect(await throttle.admit({ ...HOME, email: 'b@example.com' })).toBe(0);
  });
});

describe('failures of many addresses on one account', () => {
  const from = (index: number) => ({ ...HOME, address: `198.51.100.${index}` });

  test('slow down addresses that have not logged in before, and no others', async () => {
    const throttle = create();
    await throttle.admit(HOME);
    await throttle.succeed(HOME);
    for (let index = 0; index < 100; index++) expect(await throttle.admit(from(index))).toBe(0);
    expect(await throttle.admit(from(200))).toBe(900);
    expect(await throttle.admit({ ...from(200), email: 'b@example.com' })).toBe(0);
    expect(await throttle.admit(HOME)).toBe(0);
    now += 900_000;
    expect([await throttle.admit(from(200)), await throttle.admit(from(201))]).toEqual([0, 900]);
  });

  test('are forgotten after a day', async () => {
    const throttle = create({ accountFailures: 2 });
    expect([
      await throttle.admit(from(1)),
      await throttle.admit(from(2)),
      await throttle.admit(from(3)),
    ]).toEqual([0, 0, 900]);
    now += 86_400_000;
    expect(await throttle.admit(from(3))).toBe(0);
  });
});

describe('attempts of one address', () => {
  test('refill evenly, whatever they are about', async () => {
    const throttle = create({ attemptsPerMinute: 6 });
    for (let index = 0; index < 6; index++) {
      expect(await throttle.admit({ address: HOME.address, email: `${index}@example.com` })).toBe(0);
    }
    expect(await throttle.admit({ address: HOME.address })).toBe(10);
    now += 9_999;
    expect(await throttle.admit({ address: HOME.address })).toBe(1);
    now += 1;
    expect(await throttle.admit({ address: HOME.address })).toBe(0);
    expect(await throttle.admit({ address: HOME.address })).toBe(10);
    now += 600_000;
    const waits = await Promise.all(
      Array.from({ length: 7 }, () => throttle.admit({ address: HOME.address })),
    );
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 10]);
  });

  test('are 100 per minute by default', async () => {
    const throttle = createMemoryThrottle({ now: () => now });
    const waits = await Promise.all(Array.from({ length: 101 }, () => throttle.admit({ address: 'x' })));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
  });

  test('do not come back when the clock is set back', async () => {
    const throttle = create({ attemptsPerMinute: 1 });
    expect(await throttle.admit({ address: 'x' })).toBe(0);
    now -= 3_600_000;
    expect(await throttle.admit({ address: 'x' })).toBe(60);
  });
});

test('createMemoryThrottle() keeps no more entries than it may, and forgets the oldest', async () => {
  const throttle = create({ freeFailures: 1, maxEntries: 3 });
  expect(await admitMany(throttle, 2)).toEqual([0, 1]);
  for (let index = 0; index < 3; index++)
    await throttle.admit({ address: 'x', email: `${index}@example.com` });
  expect(await throttle.admit(HOME)).toBe(0);
});
