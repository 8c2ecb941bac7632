// More requests than there is room for, and more attempts than are allowed, over HTTP.

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryThrottle, createPasswords } from './index.js';
import { deriveScrypt } from '../account-core/passwords.js';
import { type Answer, PASSWORD, startApp, type TestApp } from './test-app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

async function restart(options: Parameters<typeof startApp>[0]): Promise<void> {
  await app.close();
  app = await startApp(options);
}

const login = (password = PASSWORD, email = 'a@example.com') => app.post('/auth/login', { email, password });

// One hash at a time, and none is ready before `finish`.
function heldPasswords(maxQueued: number) {
  let finish = () => {};
  const released = new Promise<void>((resolve) => (finish = resolve));
  const passwords = createPasswords({
    cost: { logN: 1, r: 1, p: 1 },
    maxRunning: 1,
    maxQueued,
    derive: (...args) => released.then(() => deriveScrypt(...args)),
  });
  return { passwords, finish };
}

async function countStatuses(answers: readonly Promise<Answer>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('under load', () => {
  test('what does not fit into the queue is answered 503, and reported', async () => {
    const { passwords, finish } = heldPasswords(2);
    await restart({ passwords });
    const answers = Array.from({ length: 5 }, () => login());
    const refused = await Promise.race(answers);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    expect(refused.json().error['code']).toBe('overloaded');
    // What needs no hash goes on meanwhile.
    expect((await app.get('/auth/me')).status).toBe(401);
    finish();
    expect(await countStatuses(answers)).toEqual({ 401: 3, 503: 2 });
    expect(app.events.filter(({ type }) => type === 'overloaded')).toHaveLength(2);
  });
});

describe('a client that goes away', () => {
  test('while its password is hashed does no harm', async () => {
    const { passwords, finish } = heldPasswords(2);
    await restart({ passwords });
    const body = JSON.stringify({ email: 'a@example.com', password: PASSWORD });
    for (const path of ['register', 'login']) {
      const socket = connect(app.port, '127.0.0.1');
      socket.write(`POST /auth/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();
    await vi.waitFor(() => expect(app.events.map(({ type }) => type)).toContain('registered'));
    expect((await login()).status).toBe(200);
    expect([app.hostErrors, app.logged]).toEqual([[], []]);
  });
});

describe('a throttle', () => {
  test('slows down guessing, the same for unknown accounts, and forgets on success', async () => {
    await app.close();
    const now = { ms: 0 };
    const throttle = createMemoryThrottle({ freeFailures: 3, now: () => now.ms });
    app = await startApp({ throttle });
    await app.signUp();
    for (const email of ['a@example.com', 'unknown@example.com']) {
      const statuses = [];
      for (let round = 0; round < 4; round++) statuses.push((await login('wrong', email)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    }
    const answer = await login();
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json().error).toEqual({
      status: 429,
      code: 'rate_limited',
      message: 'Too many attempts, try again later',
    });
    expect(app.events.filter(({ type }) => type === 'throttled')).toHaveLength(3);
    now.ms += 1000;
    expect((await login()).status).toBe(200);
    expect((await login('wrong')).status).toBe(401);
  });

  test('takes back what was overloaded', async () => {
    const withdraw = vi.fn<() => Promise<void>>(async () => {});
    const { passwords, finish } = heldPasswords(0);
    await restart({ passwords, throttle: { admit: async () => 0, succeed: async () => {}, withdraw } });
    const answers = [login(), login()];
    expect((await Promise.race(answers)).status).toBe(503);
    expect(withdraw).toHaveBeenCalledOnce();
    finish();
    expect(await countStatuses(answers)).toEqual({ 401: 1, 503: 1 });
    expect(withdraw).toHaveBeenCalledOnce();
  });
});
