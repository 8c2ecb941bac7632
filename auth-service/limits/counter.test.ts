import { expect, test } from 'vitest';
import { createMemoryCounters } from '../app.ts';
import { describeRateLimit } from '../../tests/auth/rate-limit.contract.ts';
import { createRateLimit } from './counter.ts';

// The rate limit in memory, and what is its own there.

describeRateLimit('in memory', () => createMemoryCounters());

test('createMemoryCounters() forgets the key not used for longest', async () => {
  const counter = createMemoryCounters(3)({ name: 'x', limit: 1, windowSeconds: 60 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) await counter.add(key);
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((key) => counter.has(key)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('createRateLimit() answers by the attempt when the counts cannot be written afterwards', async () => {
  const warnings: string[] = [];
  const failing = async () => {
    throw new Error('gone');
  };
  const counter = {
    add: failing,
    subtract: failing,
    take: failing,
    mark: failing,
    has: failing,
    clear: failing,
  };
  const log = { warn: (message: string) => void warnings.push(message) };
  const throttle = createRateLimit(() => counter, { attemptsPerMinute: 1 }, log);
  const attempt = { address: '1.2.3.4', email: 'a@example.com' };
  await expect(throttle.admit(attempt)).rejects.toThrow('gone');
  await throttle.succeed(attempt);
  await throttle.withdraw(attempt);
  expect(warnings).toEqual([
    'Cannot forget failed attempts: gone',
    'Cannot revert an attempt: gone',
  ]);
});
