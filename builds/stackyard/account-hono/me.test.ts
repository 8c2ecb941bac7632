// GET /me and DELETE /me over HTTP.

import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, SECRET, START_MS, startApp, type TestApp } from './test-app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

const KEY = new TextEncoder().encode(SECRET);
const GONE = { status: 401, code: 'account_gone', message: 'Account no longer exists' };

// The claims of a real token, some of them replaced, signed again by another implementation.
async function resign(token: string, changes: Record<string, unknown>): Promise<string> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(KEY);
}

const remove = (token: string) =>
  app.send('DELETE', '/auth/me', undefined, { authorization: `Bearer ${token}` });

describe('GET /me', () => {
  test('reads the user fresh from the storage', async () => {
    const token = await app.signUp('a@x.co');
    app.db.exec("UPDATE users SET email = 'b@x.co'");
    expect((await app.get('/auth/me', token)).json().user['email']).toBe('b@x.co');
  });

  test('answers 401 when the account is gone', async () => {
    const token = await app.signUp();
    app.db.exec('DELETE FROM users');
    const answer = await app.get('/auth/me', token);
    expect(answer.status).toBe(401);
    expect(answer.json().error).toEqual(GONE);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="account", error="invalid_token"');
  });

  test('never gives one account to the token of a former one', async () => {
    const token = await app.signUp('a@x.co');
    app.db.exec('DELETE FROM users');
    app.clock.now += 1000;
    await app.signUp('b@x.co');
    expect(app.db.prepare('SELECT id FROM users').pluck().all()).toEqual([2]);
    // Even in a storage that gives the id again.
    app.db.exec('UPDATE users SET id = 1');
    expect((await app.get('/auth/me', token)).json().error).toEqual(GONE);
  });

  test('answers that the account is gone to a signed token for an id that was never given', async () => {
    const token = await app.signUp();
    expect((await app.get('/auth/me', await resign(token, {}))).status).toBe(200);
    expect((await app.get('/auth/me', await resign(token, { sub: '999999' }))).json().error).toEqual(GONE);
    expect(
      (await app.get('/auth/me', await resign(token, { sub: '9007199254740991' }))).json().error,
    ).toEqual(GONE);
  });

  test.each([
    '1e0',
    '01',
    '1 ',
    ' 1',
    '+1',
    '',
    '0',
    '-1',
    '1.0',
    '0x1',
    '9007199254740993',
    '99999999999999999',
    1,
    1.5,
    {},
    null,
  ])('refuses the subject %j', async (sub) => {
    const token = await app.signUp();
    const answer = await app.get('/auth/me', await resign(token, { sub }));
    expect(answer.status).toBe(401);
    expect(answer.json().error['code']).toBe('invalid_token');
  });

  test('refuses a token when it is over, saying so', async () => {
    const token = await app.signUp();
    app.clock.now = START_MS + 604_800_000 - 251;
    expect((await app.get('/auth/me', token)).status).toBe(200);
    app.clock.now += 1;
    const answer = await app.get('/auth/me', token);
    expect(answer.json().error).toEqual({
      status: 401,
      code: 'token_expired',
      message: 'Invalid or expired token',
    });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="account", error="invalid_token"');
  });
});

test.each<[string, (token: string) => unknown, string]>([
  ['its own logout', (token) => app.post('/auth/logout', undefined, token), 'invalid_token'],
  ['the end of all sessions', (token) => app.post('/auth/logout-all', undefined, token), 'invalid_token'],
  [
    'a new password',
    (token) =>
      app.post('/auth/password', { current_password: PASSWORD, new_password: 'another horse' }, token),
    'invalid_token',
  ],
  ['the end of the account', remove, 'account_gone'],
  ['its expiry', () => (app.clock.now += 604_800_000), 'token_expired'],
  ['a clock set back by an hour', () => (app.clock.now -= 3_600_000), 'invalid_token'],
])('a token that has been accepted many times ends with %s', async (_name, end, code) => {
  const token = await app.signUp();
  for (let count = 0; count < 3; count++) {
    expect((await app.get('/auth/me', token)).status).toBe(200);
    expect((await app.get('/private', token)).status).toBe(200);
  }
  await end(token);
  for (const path of ['/auth/me', '/private', '/auth/me']) {
    expect((await app.get(path, token)).json().error['code']).toBe(code);
  }
});

describe('DELETE /me', () => {
  test('deletes the account and what refers to it', async () => {
    app.db.exec('CREATE TABLE notes (user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE)');
    const token = await app.signUp();
    app.db.exec('INSERT INTO notes VALUES (1)');
    const answer = await remove(token);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(app.db.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(0);
    expect((await app.get('/auth/me', token)).json().error).toEqual(GONE);
    expect((await remove(token)).status).toBe(401);
    expect((await app.post('/auth/login', { email: 'a@example.com', password: PASSWORD })).status).toBe(401);
    await app.signUp();
    expect((await app.get('/auth/me', token)).json().error).toEqual(GONE);
  });

  test('asks for a recent login', async () => {
    const token = await app.signUp();
    app.clock.now += 901_000;
    expect((await remove(token)).json().error).toEqual({
      status: 403,
      code: 'recent_login_required',
      message: 'Log in again to do this',
    });
    const fresh = await app.post('/auth/login', { email: 'a@example.com', password: PASSWORD });
    expect((await remove(fresh.json().token)).status).toBe(204);
  });
});
