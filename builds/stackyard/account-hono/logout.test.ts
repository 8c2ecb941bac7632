// POST /logout and POST /logout-all over HTTP.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { PASSWORD, startApp, type TestApp } from './test-app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

const login = async () => {
  const answer = await app.post('/auth/login', { email: 'a@example.com', password: PASSWORD });
  return answer.json().token;
};
const codeOf = async (token: string) => {
  const answer = await app.get('/auth/me', token);
  return answer.status === 200 ? 'ok' : answer.json().error['code'];
};

test('two logins in one second give different tokens, both valid', async () => {
  await app.signUp();
  const [first, second] = [await login(), await login()];
  expect(first).not.toBe(second);
  expect([await codeOf(first), await codeOf(second)]).toEqual(['ok', 'ok']);
});

test('POST /logout ends this session only, at once', async () => {
  const first = await app.signUp();
  const second = await login();
  const answer = await app.post('/auth/logout', undefined, first);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect([await codeOf(first), await codeOf(second)]).toEqual(['invalid_token', 'ok']);
  expect((await app.get('/private', first)).status).toBe(401);
  expect((await app.post('/auth/logout', undefined, first)).status).toBe(401);
});

test('POST /logout forgets revoked tokens when they have expired', async () => {
  const count = () => app.db.prepare('SELECT count(*) FROM revoked_tokens').pluck().get();
  await app.post('/auth/logout', undefined, await app.signUp());
  await app.post('/auth/logout', undefined, await login());
  expect(count()).toBe(2);
  app.clock.now += 604_800_000;
  await app.post('/auth/logout', undefined, await login());
  expect(count()).toBe(1);
});

test('POST /logout-all ends all sessions; a later login begins a new one', async () => {
  const tokens = [await app.signUp(), await login(), await login()];
  const answer = await app.post('/auth/logout-all', undefined, tokens[0]);
  expect([answer.status, answer.text]).toEqual([204, '']);
  for (const token of tokens) expect(await codeOf(token)).toBe('invalid_token');
  expect(await codeOf(await login())).toBe('ok');
});

test.each(['/auth/logout', '/auth/logout-all'])('POST %s wants a token', async (path) => {
  expect((await app.post(path)).json().error['code']).toBe('missing_token');
  expect((await app.post(path, undefined, 'x')).json().error['code']).toBe('invalid_token');
});
