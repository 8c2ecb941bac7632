// POST /password over HTTP.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { PASSWORD, startApp, type TestApp } from './test-app.js';

const NEXT = 'battery staple';

let app: TestApp;
let token: string;

beforeEach(async () => {
  app = await startApp();
  token = await app.signUp();
});

afterEach(() => app.close());

const change = (current: unknown, next: unknown, bearer: string | undefined = token) =>
  app.post('/auth/password', { current_password: current, new_password: next }, bearer);
const login = (password: string) => app.post('/auth/login', { email: 'a@example.com', password });

test('changes the password, ends all sessions and begins a new one', async () => {
  const other = (await login(PASSWORD)).json().token;
  const answer = await change(PASSWORD, NEXT);
  expect(answer.status).toBe(200);
  expect(answer.json().user).toEqual({
    id: 1,
    email: 'a@example.com',
    created_at: '2026-11-21T09:30:00.250Z',
  });
  expect((await app.get('/auth/me', answer.json().token)).status).toBe(200);
  for (const old of [token, other])
    expect((await app.get('/auth/me', old)).json().error['code']).toBe('invalid_token');
  expect((await login(PASSWORD)).status).toBe(401);
  expect((await login(NEXT)).status).toBe(200);
});

test('wants the current password', async () => {
  expect((await change('wrong password', NEXT)).json().error).toEqual({
    status: 403,
    code: 'wrong_password',
    message: 'Current password is wrong',
  });
  expect((await app.get('/auth/me', token)).status).toBe(200);
  expect((await login(PASSWORD)).status).toBe(200);
});

test('holds the new password to the rules, not the current one', async () => {
  const answer = await change('x', 'short');
  expect(answer.json().error['message']).toBe(
    'Invalid request: new_password: Password must be at least 8 characters',
  );
  const wrongTypes = await change(1, null);
  expect(wrongTypes.json().error['message']).toBe(
    'Invalid request: current_password: Password must be a string; new_password: Password must be a string',
  );
});

test('wants a token before it reads the body', async () => {
  const answer = await app.send('POST', '/auth/password', '{');
  expect(answer.json().error['code']).toBe('missing_token');
});

test('makes one change of two at once', async () => {
  const answers = await Promise.all([change(PASSWORD, NEXT), change(PASSWORD, 'another password')]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.json().error['code']).toBe('conflict');
});
