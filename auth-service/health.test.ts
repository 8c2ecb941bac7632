// Whether the database can be used.

import { expect, test } from 'vitest';
import { watchDatabase } from './health.ts';

function start() {
  const state = { now: 0, isUp: true, checks: 0 };
  const lines: string[] = [];
  const check = async () => {
    state.checks++;
    if (!state.isUp) throw new Error('gone');
  };
  const log = {
    info: (text: string) => void lines.push(text),
    error: (_fields: object, text: string) => void lines.push(text),
  };
  return { state, lines, isUp: watchDatabase(check, log as never, () => state.now) };
}

test('watchDatabase() follows the database and logs changes only', async () => {
  const { state, lines, isUp } = start();
  for (const now of [true, false, false, true, true]) {
    state.now += 1000;
    state.isUp = now;
    expect(await isUp()).toBe(now);
  }
  expect(lines).toEqual(['Database unavailable', 'The database is back']);
});

test('watchDatabase() asks the database at most once a second', async () => {
  const { state, isUp } = start();
  await Promise.all(Array.from({ length: 100 }, isUp));
  state.now = 999;
  await isUp();
  expect(state.checks).toBe(1);
  state.now = 1000;
  await isUp();
  expect(state.checks).toBe(2);
});
