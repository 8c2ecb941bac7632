// Whether the service is ready.

import { expect, test } from 'vitest';
import { createReadiness } from './health.ts';

function start({ canIssue = true } = {}) {
  const state = { now: 0, isUp: true, isStopping: false, checks: 0 };
  const changes: boolean[] = [];
  const read = createReadiness({
    async checkDatabase() {
      state.checks++;
      if (!state.isUp) throw new Error('away');
    },
    canIssue,
    isStopping: () => state.isStopping,
    onChange: (isUp) => void changes.push(isUp),
    now: () => state.now,
  });
  return { state, changes, read };
}

test('createReadiness() follows the database and reports changes only', async () => {
  const { state, changes, read } = start();
  expect(await read()).toEqual({
    status: 'ready',
    checks: { database: 'ok', secret: 'ok', shutdown: 'no' },
  });
  for (const isUp of [false, false, true, true]) {
    state.now += 1000;
    state.isUp = isUp;
    expect((await read()).checks.database).toBe(isUp ? 'ok' : 'unavailable');
  }
  expect(changes).toEqual([false, true]);
});

test('createReadiness() queries the database at most once a second', async () => {
  const { state, read } = start();
  await Promise.all(Array.from({ length: 100 }, read));
  state.now = 999;
  await read();
  expect(state.checks).toBe(1);
  state.now = 1000;
  await read();
  expect(state.checks).toBe(2);
});

test('createReadiness() is not ready without a secret or while stopping', async () => {
  expect(await start({ canIssue: false }).read()).toMatchObject({
    status: 'unavailable',
    checks: { secret: 'missing' },
  });
  const { state, read } = start();
  state.isStopping = true;
  expect(await read()).toMatchObject({
    status: 'unavailable',
    checks: { shutdown: 'in_progress' },
  });
});
