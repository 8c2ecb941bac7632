import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { latestOnly } from './latest-only.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('latestOnly() works on the first letter at once and on the others after a pause', async () => {
  const done: string[] = [];
  const start = latestOnly(
    (text: string) => Promise.resolve(text),
    (answer) => done.push(String(answer)),
  );
  start('s', false);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['s']);
  start('sq', false);
  await vi.advanceTimersByTimeAsync(100);
  start('sql', false);
  await vi.advanceTimersByTimeAsync(149);
  expect(done).toEqual(['s']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['s', 'sql']);
  start('sqlite', true);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['s', 'sql', 'sqlite']);
});

it('latestOnly() drops answers that were overtaken or cancelled, and passes failures on', async () => {
  const done: (string | undefined)[] = [];
  const start = latestOnly(
    async (text: string) => {
      await new Promise((later) => setTimeout(later, text.length));
      if (text === 'x') throw new Error('no network');
      return text;
    },
    (answer) => done.push(answer),
  );
  start('slow', true);
  start('no', true);
  await vi.advanceTimersByTimeAsync(10);
  expect(done).toEqual(['no']);
  start('no', true);
  start.cancel();
  await vi.advanceTimersByTimeAsync(10);
  expect(done).toEqual(['no']);
  start('x', true);
  await vi.advanceTimersByTimeAsync(10);
  expect(done).toEqual(['no', undefined]);
});
