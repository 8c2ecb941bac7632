// The bearer header and the protection middleware, over HTTP.

import { connect } from 'node:net';
import { type Context, Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { type AuthUser, createRequireAuth, currentUser } from '../../account-core/index.js';
import { startApp, type TestApp } from './hono-app.js';

let app: TestApp;
let token: string;

beforeEach(async () => {
  app = await startApp();
  token = await app.signUp();
});

afterEach(() => app.close());

// Through `fromEntries`, since the types of Node know this header as a single one.
const withHeader = (value: string | string[]) =>
  app.send('GET', '/private', undefined, Object.fromEntries([['authorization', value]]));

const MISSING = 'Bearer realm="account"';
const MALFORMED = 'Bearer realm="account", error="invalid_request"';
const INVALID = 'Bearer realm="account", error="invalid_token"';

describe('requireAuth', () => {
  test('sets the context value "user" to id and e-mail', async () => {
    const answer = await app.get('/private', token);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"user":{"id":1,"email":"a@example.com"}}');
  });

  test('keeps requests without a token away from the handler', async () => {
    const answer = await app.get('/private');
    expect(answer.status).toBe(401);
    expect(answer.json().error).toEqual({
      status: 401,
      code: 'missing_token',
      message: 'Missing bearer token',
    });
    expect(answer.headers['www-authenticate']).toBe(MISSING);
  });

  test('refuses tokens of deleted accounts', async () => {
    app.db.exec('DELETE FROM users');
    expect((await app.get('/private', token)).json().error['code']).toBe('account_gone');
  });

  test('checks the token alone when told so', async () => {
    const { users, tokens } = app.account.dependencies;
    const handler = createRequireAuth({ users, tokens, checkAccount: false });
    await app.close();
    app = await startApp({
      before: [handler, async (c) => c.json(currentUser(c))],
      now: () => app.clock.now,
    });
    expect((await app.get('/', token)).text).toBe('{"id":1,"email":"a@example.com"}');
    expect((await app.get('/', `${token}x`)).status).toBe(401);
  });
});

describe('the context value "user"', () => {
  test('is the user, beside the values of the application, and the middleware keeps their types', async () => {
    const typed = new Hono<{ Variables: { requestId: string } }>();
    typed.get('/', app.account.requireAuth, (c) => {
      expectTypeOf(c.get('requestId')).toEqualTypeOf<string>();
      return c.json([c.get('user' as never), currentUser(c)]);
    });
    const headers = { authorization: `Bearer ${token}` };
    const user = { id: 1, email: 'a@example.com' };
    expect(await (await typed.request('/', { headers })).json()).toEqual([user, user]);
  });
});

describe('currentUser()', () => {
  test('throws on a route that is not protected', () => {
    const context = { req: {}, get: () => undefined } as unknown as Context;
    expect(() => currentUser(context)).toThrow(/^Cannot read the current user/);
    expectTypeOf(currentUser).returns.toEqualTypeOf<AuthUser>();
  });
});

describe('the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer    '])(
    'may name the scheme as %j',
    async (scheme) => {
      expect((await withHeader(`${scheme} ${token}`)).status).toBe(200);
    },
  );

  test.each(['', 'Basic YTpi', 'Token x', 'Bearerx y', 'Digest a="b"', ', Bearer x', '"Bearer" x'])(
    'of another scheme counts as none: %j',
    async (value) => {
      const answer = await withHeader(value);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, MISSING]);
    },
  );

  test.each([
    'Bearer',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer a,b',
    'Bearer\tabc',
    'Bearer =',
    'Bearer a=b',
    'Bearer "a"',
  ])('is refused when it is malformed: %j', async (value) => {
    const answer = await withHeader(value);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, MALFORMED]);
    expect(answer.json().error['code']).toBe('invalid_token');
  });

  test('is refused when it comes twice, even with the same token', async () => {
    const answer = await withHeader([`Bearer ${token}`, `Bearer ${token}`]);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, MALFORMED]);
  });

  test('is the only place of a token', async () => {
    const body = `access_token=${token}`;
    const headers = {
      cookie: `access_token=${token}; token=${token}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const answer = await app.send('POST', `/auth/logout?${body}`, body, headers);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, MISSING]);
  });

  test('is refused when the token has more than 4096 characters', async () => {
    const answer = await withHeader(`Bearer ${'a'.repeat(5000)}.a.${'a'.repeat(43)}`);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, INVALID]);
  });

  test('is refused by Node when it is longer than 16 kB', async () => {
    const socket = connect(app.port, '127.0.0.1');
    socket.end(`GET /private HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(17_000)}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
  });
});
