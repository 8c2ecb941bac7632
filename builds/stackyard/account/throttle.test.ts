// The throttle of one process.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle, toNetwork } from './throttle.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waits = (count: number, admit: () => unknown) => Array.from({ length: count }, admit);

test('an account and address have ten failures, then waits that double up to 900 seconds', () => {
  const throttle = createThrottle();
  const admit = () => throttle.admit('203.0.113.7', 'a@example.com');
  expect(waits(10, admit)).toEqual(Array.from({ length: 10 }, () => 0));
  const seen: unknown[] = [];
  for (let round = 0; round < 12; round++) {
    const wait = Number(admit());
    seen.push(wait);
    vi.advanceTimersByTime(wait * 1000);
    expect(admit()).toBe(0);
  }
  expect(seen).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  expect(throttle.admit('203.0.113.8', 'a@example.com')).toBe(0);
  expect(throttle.admit('203.0.113.7', 'b@example.com')).toBe(0);
});

test('a success forgets the failures, and so does a day', () => {
  const throttle = createThrottle();
  const admit = () => throttle.admit('203.0.113.7', 'a@example.com');
  waits(10, admit);
  expect(admit()).toBe(1);
  void throttle.succeed('203.0.113.7', 'a@example.com');
  expect(waits(10, admit)).not.toContain(1);
  vi.advanceTimersByTime(86_400_000);
  expect(waits(10, admit)).not.toContain(1);
});

test('an address has a hundred attempts a minute', () => {
  const throttle = createThrottle();
  const admit = () => throttle.admit('203.0.113.7');
  expect(waits(101, admit)).toEqual([...Array.from({ length: 100 }, () => 0), 1]);
  expect(throttle.admit('203.0.113.8')).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(admit()).toBe(0);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('toNetwork(%j) is %j', (address, network) => expect(toNetwork(address)).toBe(network));
