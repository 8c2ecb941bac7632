// The throttle in memory, and what it counts by.

import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../account/test-app.js';
import {
  type Attempt,
  createMemoryThrottle,
  type MemoryThrottleOptions,
  RecentMap,
  type Throttle,
  toNetwork,
} from './throttle.js';

describe('memory throttle', () => {
  // The throttle in memory, on a clock of its own.
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

  describe('attempts at the same time', () => {
    test('do not lift the wait of another one when they are withdrawn', async () => {
      const throttle = create({ freeFailures: 1 });
      const [early, late] = [{ ...HOME }, { ...HOME }];
      expect(await throttle.admit(early)).toBe(0);
      now += 1_000;
      expect(await throttle.admit(late)).toBe(0);
      await throttle.withdraw(early);
      expect(await throttle.admit({ ...HOME })).toBe(2);
      await throttle.withdraw(late);
      expect(await throttle.admit({ ...HOME })).toBe(0);
    });

    test('do not lift the wait that another address has begun for the account', async () => {
      const throttle = create({ accountFailures: 2 });
      const [known, stranger] = [{ ...HOME }, { ...HOME, address: '198.51.100.1' }];
      await throttle.admit({ ...HOME });
      await throttle.succeed({ ...HOME });
      await throttle.admit({ ...HOME, address: '198.51.100.9' });
      expect(await throttle.admit(stranger)).toBe(0);
      expect(await throttle.admit(known)).toBe(0);
      await throttle.withdraw(known);
      expect(await throttle.admit({ ...HOME, address: '198.51.100.2' })).toBe(900);
    });

    test('take nothing back from the failures after a success', async () => {
      const throttle = create({ freeFailures: 2 });
      const before = { ...HOME };
      await throttle.admit(before);
      await throttle.succeed({ ...HOME });
      expect(await throttle.admit({ ...HOME })).toBe(0);
      await throttle.withdraw(before);
      expect(await admitMany(throttle, 2)).toEqual([0, 1]);
    });

    // Keeps every attempt and computes the rest from the list, where the throttle keeps counts.
    class Model {
      readonly #failures: { attempt: Attempt; count: number; until: number }[] = [];

      admit(attempt: Attempt): number {
        const { address, email } = attempt;
        const ofPair = this.#failures.filter((one) => one.attempt.address === address && one.attempt.email === email);
        const waits = ofPair.map(({ until }) => until - now);
        const wait = Math.max(0, ...waits);
        if (wait > 0) return Math.ceil(wait / 1000);
        const count = ofPair.length + 1;
        const seconds = count < 3 ? 0 : Math.min(2 ** (count - 3), 900);
        this.#failures.push({ attempt, count, until: now + seconds * 1000 });
        return 0;
      }

      succeed({ address, email }: Attempt): void {
        this.#drop((one) => one.address === address && one.email === email);
      }

      withdraw(attempt: Attempt): void {
        this.#drop((one) => one === attempt);
      }

      #drop(isGone: (attempt: Attempt) => boolean): void {
        const kept = this.#failures.filter((one) => !isGone(one.attempt));
        this.#failures.splice(0, Infinity, ...kept);
      }
    }

    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('admit' as const), who: fc.nat(3) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('fail', 'withdraw'), which: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('succeed' as const), which: fc.nat(20) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(5_000) }) },
    );

    test('wait exactly for their own failures and those of others, in any order of ends', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const throttle = create({ freeFailures: 3, accountFailures: 1_000_000 });
          const model = new Model();
          const running: Attempt[] = [];
          for (const one of steps) {
            if (one.kind === 'wait') now += one.ms;
            else if (one.kind === 'admit') {
              const attempt = { address: `203.0.113.${one.who % 2}`, email: `${one.who >> 1}@example.com` };
              const wait = await throttle.admit(attempt);
              expect(wait).toBe(model.admit(attempt));
              if (wait === 0) running.push(attempt);
            } else {
              const [attempt] = running.splice(one.which % Math.max(1, running.length), 1);
              if (attempt === undefined || one.kind === 'fail') continue;
              const end = one.kind === 'withdraw' ? 'withdraw' : 'succeed';
              await throttle[end](attempt);
              model[end](attempt);
            }
          }
        }),
        { numRuns: 300 },
      );
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
});

describe('client address', () => {
  // The form of addresses by which attempts are counted.
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
    ['x'.repeat(1000), 'x'.repeat(64)],
  ])('toNetwork() makes of %j', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });

  test('clientAddress() believes forwarded addresses only as Express does', async () => {
    const app = await startApp();
    const body = JSON.stringify({ email: 'a@x.co', password: 'wrong password' });
    const forwarded = { 'x-forwarded-for': '198.51.100.9' };
    await app.send('POST', '/auth/login', body, forwarded);
    const trusting = await startApp({
      before: [
        (req, _res, next) => {
          req.app.set('trust proxy', true);
          next();
        },
      ],
    });
    await trusting.send('POST', '/auth/login', body, forwarded);
    expect([app.events[0]?.address, trusting.events[0]?.address]).toEqual(['127.0.0.1', '198.51.100.9']);
    await Promise.all([app.close(), trusting.close()]);
  });
});

describe('recent map', () => {
  // The bounded map.
  test('RecentMap forgets what was not used for longest', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
    map.set('a', 4);
    expect([map.get('a'), map.size]).toEqual([4, 2]);
    map.delete('a');
    expect([map.get('a'), map.size]).toEqual([undefined, 1]);
  });
});
