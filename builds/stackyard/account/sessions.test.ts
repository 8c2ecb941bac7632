// GET /sessions and DELETE /sessions/:id over HTTP, and the names of devices.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccountRouter } from './index.js';
import { deviceName } from '../account-core/sessions.js';
import { PASSWORD, startApp, type TestApp } from './test-app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.close());

const BODY = JSON.stringify({ email: 'a@example.com', password: PASSWORD });

const login = async (userAgent?: string) => {
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  return (await app.send('POST', '/auth/login', BODY, headers)).json().token;
};
const list = async (token: string) => (await app.get('/auth/sessions', token)).json().sessions;
const end = (id: unknown, token: string) =>
  app.send('DELETE', `/auth/sessions/${String(id)}`, undefined, { authorization: `Bearer ${token}` });
const idOf = async (token: string) => (await list(token)).find(({ current }) => current === true)?.['id'];
const isOpen = async (token: string) => (await app.get('/auth/me', token)).status === 200;

describe('GET /sessions', () => {
  test('lists what registration, login and password change have begun, newest first', async () => {
    const first = await app.signUp();
    app.clock.now += 1000;
    const second = await login('Browser 1.0');
    expect(await list(second)).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        device: 'Browser 1.0',
        created_at: '2026-11-21T09:30:01.000Z',
        expires_at: '2026-11-28T09:30:01.000Z',
        current: true,
      },
      expect.objectContaining({ device: null, created_at: '2026-11-21T09:30:00.000Z', current: false }),
    ]);
    expect((await list(first)).map(({ current }) => current)).toEqual([false, true]);
    const body = { current_password: PASSWORD, new_password: 'battery staple' };
    const { token } = (await app.post('/auth/password', body, first)).json();
    expect((await list(token)).map(({ current }) => current)).toEqual([true]);
  });

  test('leaves out sessions that are over, and those of others', async () => {
    const [first, second, third] = [await app.signUp(), await login(), await login()];
    await app.signUp('b@example.com');
    await app.post('/auth/logout', undefined, second);
    expect(await list(first)).toHaveLength(2);
    await app.post('/auth/logout-all', undefined, third);
    expect(await list(await login())).toHaveLength(1);
    app.clock.now += 604_800_000;
    expect(await list(await login())).toHaveLength(1);
    expect(app.db.prepare('SELECT count(*) FROM account_sessions').pluck().get()).toBe(1);
  });

  test('lists the current session even where it was not stored', async () => {
    const token = await app.signUp();
    app.db.exec('DELETE FROM account_sessions');
    expect(await list(token)).toEqual([
      expect.objectContaining({ current: true, created_at: '2026-11-21T09:30:00.000Z' }),
    ]);
  });

  test('lists a hundred, and the current one', async () => {
    const token = await app.signUp();
    app.clock.now += 1000;
    for (let count = 0; count < 101; count++) await login();
    const listed = await list(token);
    expect(listed).toHaveLength(101);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
  });

  test('wants a token, and the method GET or DELETE', async () => {
    expect((await app.get('/auth/sessions')).json().error['code']).toBe('missing_token');
    expect((await app.send('DELETE', '/auth/sessions/x')).json().error['code']).toBe('missing_token');
    const posted = await app.post('/auth/sessions', {});
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const read = await app.get('/auth/sessions/x');
    expect([read.status, read.headers.allow]).toEqual([405, 'DELETE, OPTIONS']);
  });

  test('does not exist without a storage of sessions', async () => {
    await app.close();
    const token = await (app = await startApp()).signUp();
    const { sessions: _, ...others } = app.account.dependencies;
    const router = createAccountRouter(others);
    await app.close();
    app = await startApp({ before: [(req, res, next) => (req.url.startsWith('/plain') ? router(req, res, next) : next())] });
    for (const [method, path] of [['GET', '/plain/sessions'], ['DELETE', '/plain/sessions/x']] as const)
      expect((await app.send(method, path, undefined, { authorization: `Bearer ${token}` })).text).toBe('host 404');
  });
});

describe('DELETE /sessions/:id', () => {
  test('ends another session of the account at once', async () => {
    const [first, second] = [await app.signUp(), await login()];
    const answer = await end(await idOf(first), second);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
    expect(await list(second)).toHaveLength(1);
    expect(app.events.map(({ type }) => type)).toContain('session_ended');
    expect((await end(await idOf(second), second)).status).toBe(204);
    expect(await isOpen(second)).toBe(false);
    expect(app.events.at(-1)?.type).toBe('logged_out');
  });

  test('answers 404 for the session of another account, and leaves it open', async () => {
    const other = await app.signUp('b@example.com');
    const token = await app.signUp();
    const answer = await end(await idOf(other), token);
    expect([answer.status, answer.json().error]).toEqual([
      404,
      { status: 404, code: 'session_not_found', message: 'Session not found' },
    ]);
    expect(await isOpen(other)).toBe(true);
  });

  test.each(['x', '%', '%00', '%E0%A4%A', "'%20OR%201=1--", '..%2f', 'x'.repeat(4000), '%F0%9F%98%80', 'toString'])(
    'answers 404 for the id %j',
    async (id) => {
      const token = await app.signUp();
      const answer = await end(id, token);
      expect([answer.status, answer.json().error['code']]).toEqual([404, 'session_not_found']);
      expect([await isOpen(token), app.hostErrors]).toEqual([true, []]);
    },
  );

  test('leaves longer paths to the host, and ignores a query and a slash at the end', async () => {
    const [first, second] = [await app.signUp(), await login()];
    expect((await end('x/y', first)).text).toBe('host 404');
    expect((await end(`${await idOf(second)}/?x=1/2`, first)).status).toBe(204);
    expect(await isOpen(second)).toBe(false);
    expect((await app.get('/auth/sessions/?x', first)).status).toBe(200);
  });

  test('answers 404 for a session that is over', async () => {
    const [first, second] = [await app.signUp(), await login()];
    const id = await idOf(first);
    expect((await end(id, second)).status).toBe(204);
    expect((await end(id, second)).status).toBe(404);
  });
});

test('a session that cannot be stored does not fail the login', async () => {
  const first = await app.signUp();
  app.db.exec('ALTER TABLE account_sessions RENAME TO elsewhere');
  const token = await login();
  expect(await isOpen(token)).toBe(true);
  expect(app.logged).toEqual([expect.stringContaining('Cannot store a session of account 1')]);
  expect(await isOpen(first)).toBe(true);
});

describe('deviceName()', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    [' \t\u0000\u200b\u202e ', undefined],
    ['Mozilla/5.0 (X11)', 'Mozilla/5.0 (X11)'],
    ['a\r\nb\tc\u001b[31md', 'a b c [31md'],
    ['a\u0085b\u2028c', 'a b c'],
    ['\ud800x', 'x'],
    ['\u{1f600}'.repeat(300), '\u{1f600}'.repeat(200)],
    ['x'.repeat(5000), 'x'.repeat(200)],
  ])('makes of %j', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });

  test('gives one line of at most 200 characters for every text, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), (text) => {
        const name = deviceName(text);
        if (name === undefined) return;
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^ | $/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(200);
        expect(deviceName(name)).toBe(name);
      }),
    );
  });
});
