// What all account routes have in common, over HTTP.

import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PASSWORD, startApp, type TestApp } from './hono-app.js';

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

describe('methods and paths', () => {
  test.each([
    ['PUT', '/auth/register', 'POST, OPTIONS'],
    ['GET', '/auth/register', 'POST, OPTIONS'],
    ['DELETE', '/auth/login', 'POST, OPTIONS'],
    ['POST', '/auth/me', 'GET, HEAD, DELETE, OPTIONS'],
    ['PATCH', '/auth/me', 'GET, HEAD, DELETE, OPTIONS'],
    ['GET', '/auth/logout', 'POST, OPTIONS'],
  ])('answer 405 to %s %s', async (method, path, allow) => {
    const answer = await app.send(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe(allow);
    expect(answer.json().error).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  test('answer OPTIONS and HEAD', async () => {
    const options = await app.send('OPTIONS', '/auth/me');
    expect([options.status, options.headers['allow'], options.text]).toEqual([
      204,
      'GET, HEAD, DELETE, OPTIONS',
      '',
    ]);
    const token = await app.signUp();
    const head = await app.send('HEAD', '/auth/me', undefined, { authorization: `Bearer ${token}` });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await app.send('HEAD', '/auth/me')).status).toBe(401);
  });

  test('leave unknown paths to the host', async () => {
    for (const path of ['/auth', '/auth/', '/auth/other', '/auth/me/x', '/authme']) {
      const answer = await app.get(path);
      expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
        404,
        'host 404',
        undefined,
      ]);
    }
  });

  test('work under two prefixes and in another application', async () => {
    const outer = new Hono();
    outer.use('/users/*', app.account.context('/v1/users'));
    app.app.route('/v1', outer);
    const answer = await app.post('/v1/users/register', { email: 'a@x.co', password: PASSWORD });
    expect(answer.status).toBe(201);
    expect((await app.get('/auth/me', answer.json().token)).status).toBe(200);
  });
});

describe('answers', () => {
  test('are JSON that no cache keeps, without traces of the software', async () => {
    const token = await app.signUp();
    const answers = [
      await app.get('/auth/me', token),
      await app.get('/auth/me'),
      await login(),
      await login('wrong'),
      await app.send('PUT', '/auth/me'),
      await app.send('POST', '/auth/login', '{'),
      await app.get('/private'),
    ];
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
      expect(headers['etag']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  test('carry a challenge with every 401, and only there', async () => {
    const gone = await app.signUp();
    app.db.exec('DELETE FROM users');
    for (const answer of [
      await app.get('/auth/me', gone),
      await app.get('/auth/me', 'x'),
      await login('wrong'),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="account"/);
    }
    expect((await app.send('POST', '/auth/login', '{')).headers['www-authenticate']).toBeUndefined();
  });

  test('show the realm of the host and its request id', async () => {
    await restart({ realm: 'shop', before: [requestId({ generator: () => 'id-1' })] });
    const answer = await app.get('/auth/me');
    expect(answer.json().error['requestId']).toBe('id-1');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="shop"');
    expect((await app.get('/private')).headers['www-authenticate']).toBe('Bearer realm="shop"');
  });

  test('join several issues, each with its path', async () => {
    const answer = await app.post('/auth/register', { email: 'x', password: 'y' });
    expect(answer.json().error['message']).toMatch(/^Invalid request: (?:body|[a-zA-Z0-9_.]+: .+)(?:; .*)*$/);
    expect(answer.json().error['message']).toBe(
      'Invalid request: email: Email must be a valid email address; password: Password must be at least 8 characters',
    );
  });
});

describe('errors that are not of the account routes', () => {
  test('go to the host', async () => {
    const token = await app.signUp();
    app.db.exec('DROP TABLE users');
    for (const answer of [
      await app.get('/auth/me', token),
      await app.get('/private', token),
      await login(),
    ]) {
      expect([answer.status, answer.text]).toEqual([500, 'host 500']);
    }
    expect(app.hostErrors).toHaveLength(3);
  });
});

describe('without a secret', () => {
  beforeEach(() => restart({ secret: undefined }));

  test('register and login fail without a trace and without a reason', async () => {
    const body = { email: 'a@x.co', password: PASSWORD };
    for (const path of ['/auth/register', '/auth/login']) {
      const answer = await app.post(path, body);
      expect(answer.text).toBe(
        '{"error":{"status":500,"code":"internal","message":"Internal Server Error"}}',
      );
      expect(answer.status).toBe(500);
    }
    expect(app.db.prepare('SELECT count(*) FROM users').pluck().get()).toBe(0);
    expect(app.logged).toHaveLength(2);
    expect(app.logged[0]).toContain('JWT_SECRET');
    expect(app.hostErrors).toEqual([]);
  });

  test('the rest goes on: bodies are checked, tokens refused', async () => {
    expect((await app.post('/auth/register', {})).status).toBe(400);
    expect((await app.get('/auth/me')).status).toBe(401);
    expect((await app.get('/other')).text).toBe('host 404');
    const other = await startApp();
    const token = await other.signUp();
    await other.close();
    expect((await app.get('/auth/me', token)).json().error['code']).toBe('invalid_token');
  });
});

describe('events and logs', () => {
  test('report what happened, and hold neither passwords nor tokens', async () => {
    const console = vi.spyOn(globalThis.console, 'log');
    const token = await app.signUp();
    await login('wrong password');
    await login();
    await app.post('/auth/logout', undefined, token);
    await app.send('POST', '/auth/login', `{"email":"a@example.com","password":"${PASSWORD}"`);
    app.db.exec('DROP TABLE users');
    await login();
    expect(app.events.map(({ type }) => type)).toEqual([
      'registered',
      'login_failed',
      'logged_in',
      'logged_out',
    ]);
    expect(app.events[0]).toEqual({
      type: 'registered',
      at: '2026-11-21T09:30:00.250Z',
      address: '127.0.0.1',
      userId: 1,
      email: 'a@example.com',
    });
    const written = JSON.stringify([app.events, app.logged, app.hostErrors.map(String), console.mock.calls]);
    expect(written).not.toContain(PASSWORD);
    expect(written).not.toContain('wrong password');
    expect(written).not.toContain(token);
    expect(written).not.toContain('scrypt');
  });

  test('a listener that fails changes nothing', async () => {
    await restart({
      onEvent: () => {
        throw new Error('no space');
      },
    });
    await app.signUp();
    expect(app.logged).toEqual([expect.stringContaining('no space')]);
  });
});
