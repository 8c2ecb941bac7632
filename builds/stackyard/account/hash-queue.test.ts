// The bounded queue.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHashQueue } from './hash-queue.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

// A task that ends when told to.
function createTask(started: string[], name: string) {
  let end = (_error?: Error) => {};
  const task = () => {
    started.push(name);
    return new Promise<string>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve(name));
    });
  };
  return { task, end: (error?: Error) => end(error) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const OVERLOADED = expect.objectContaining({
  code: 'overloaded',
  status: 503,
  headers: { 'Retry-After': '5' },
});

test('run() keeps to the number at once, and to the order', async () => {
  const queue = createHashQueue({ maxRunning: 2, maxQueued: 10, maxWaitMs: 1000 });
  const started: string[] = [];
  const tasks = ['a', 'b', 'c', 'd'].map((name) => createTask(started, name));
  const results = tasks.map(({ task }) => queue.run(task));
  await settle();
  expect(started).toEqual(['a', 'b']);
  tasks[1]?.end();
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
  // A task that fails makes room as well.
  tasks[0]?.end(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  await settle();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  tasks[2]?.end();
  tasks[3]?.end();
  expect(await Promise.all(results.slice(1))).toEqual(['b', 'c', 'd']);
  await expect(queue.run(async () => 'again')).resolves.toBe('again');
});

test('run() refuses at once what does not fit into the queue', async () => {
  const queue = createHashQueue({ maxRunning: 1, maxQueued: 1, maxWaitMs: 1000 });
  const started: string[] = [];
  const [a, b] = [createTask(started, 'a'), createTask(started, 'b')];
  const results = [queue.run(a.task), queue.run(b.task)];
  await expect(queue.run(async () => 'c')).rejects.toEqual(OVERLOADED);
  a.end();
  await settle();
  b.end();
  expect(await Promise.all(results)).toEqual(['a', 'b']);
});

test('run() refuses what has waited too long, and lets the others go on', async () => {
  const queue = createHashQueue({ maxRunning: 1, maxQueued: 5, maxWaitMs: 1000 });
  const started: string[] = [];
  const a = createTask(started, 'a');
  const first = queue.run(a.task);
  const second = queue.run(async () => 'b');
  const refused = second.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(500);
  const third = queue.run(async () => 'c');
  await vi.advanceTimersByTimeAsync(500);
  expect(await refused).toEqual(OVERLOADED);
  a.end();
  expect(await Promise.all([first, third])).toEqual(['a', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { maxRunning: 0 },
  { maxRunning: 1.5 },
  { maxQueued: -1 },
  { maxWaitMs: NaN },
  { maxWaitMs: 2 ** 31 },
])('createHashQueue() refuses %j', (limits) => {
  expect(() => createHashQueue({ maxRunning: 1, maxQueued: 1, maxWaitMs: 1, ...limits })).toThrow(RangeError);
});
