// The routes that need a token, over HTTP.

import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, SECRET, START_MS, startApp, type TestApp } from './test-app.js';

describe('me', () => {
  // GET /me and DELETE /me over HTTP.
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
});

describe('logout', () => {
  // POST /logout and POST /logout-all over HTTP.
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
});

describe('change password', () => {
  // POST /password over HTTP.
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
});
