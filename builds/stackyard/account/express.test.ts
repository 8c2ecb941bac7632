// What all routes have in common, and the middleware, in Express.

import { connect } from 'node:net';
import express, { type RequestHandler } from 'express';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { answerBodyErrors, type AuthUser, createRequireAuth, currentUser } from './index.js';
import { PASSWORD, startApp, type TestApp, type TestAppOptions } from './test-app.js';

describe('account router', () => {
  // What all account routes have in common, over HTTP.
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

    test('work under two prefixes and behind a router', async () => {
      const outer = express.Router();
      await restart({ before: [(req, res, next) => outer(req, res, next)] });
      outer.use('/v1/users', app.account.router);
      const answer = await app.post('/v1/users/register', { email: 'a@x.co', password: PASSWORD });
      expect(answer.status).toBe(201);
      expect((await app.get('/auth/me', answer.json().token)).status).toBe(200);
    });
  });

  describe('answers', () => {
    test('are JSON that no cache keeps, without traces of Express', async () => {
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
      const setId: RequestHandler = (_req, res, next) => {
        res.setHeader('X-Request-Id', 'id-1');
        next();
      };
      await restart({ realm: 'shop', before: [setId] });
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
});

describe('body errors', () => {
  // What a body parser of the host refuses before the account routes see the request.
  let app: TestApp;

  afterEach(() => app.close());

  const JSON_TYPE = { 'content-type': 'application/json' };
  const INVALID_JSON = '{"error":{"status":400,"code":"invalid_json","message":"Invalid JSON body"}}';
  const GOOD = '{"email":"a@example.com","password":"12345678"}';

  const start = async (options: TestAppOptions = {}): Promise<void> => {
    app = await startApp({ before: [express.json()], after: answerBodyErrors, ...options });
  };
  const send = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE, path = '/auth/register') =>
    app.send('POST', path, body, headers);

  describe('behind express.json()', () => {
    test.each(['{', 'not json', '"text"', `${GOOD};`, '{"password":"my-secret",'])('%j is answered', async (body) => {
      await start();
      const answer = await send(body);
      expect([answer.status, answer.text]).toEqual([400, INVALID_JSON]);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect([app.hostErrors, app.logged]).toEqual([[], []]);
    });

    test.each([
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { ...JSON_TYPE, 'content-encoding': 'compress' },
    ])('%j is answered', async (headers) => {
      await start();
      expect((await send(GOOD, headers)).text).toBe(INVALID_JSON);
    });

    test('a body over the limit of the parser is answered', async () => {
      await start({ before: [express.json({ limit: 10 })] });
      const answer = await send(GOOD);
      expect([answer.status, answer.json().error['code']]).toEqual([413, 'payload_too_large']);
    });

    test('a body that is right reaches the routes', async () => {
      await start();
      expect((await send(GOOD)).status).toBe(201);
    });

    test('other paths are left to the host', async () => {
      await start();
      expect((await send('{', JSON_TYPE, '/elsewhere')).text).toBe('host 500');
      expect(app.hostErrors).toEqual([expect.objectContaining({ type: 'entity.parse.failed' })]);
    });
  });

  const failing =
    (error: unknown): RequestHandler =>
    (_req, _res, next) =>
      next(error);

  test.each([
    ['an error', new Error('x')],
    ['an error with a type of another library', Object.assign(new Error('x'), { type: 'toString' })],
    ['an error of the parser that is not about the body', Object.assign(new Error('x'), { type: 'stream.not.readable' })],
    ['a syntax error of the host', new SyntaxError('x')],
    ['a text', 'entity.parse.failed'],
  ])('answerBodyErrors() passes %s on', async (_name, error) => {
    await start({ before: [failing(error)] });
    expect((await send(GOOD)).text).toBe('host 500');
    expect(app.hostErrors).toEqual([error]);
  });

  test('answerBodyErrors() knows the errors of body-parser before 1.18', async () => {
    await start({ before: [failing(Object.assign(new SyntaxError('x'), { status: 400, body: '{' }))] });
    expect((await send(GOOD)).text).toBe(INVALID_JSON);
  });
});

describe('require auth', () => {
  // The bearer header and the protection middleware, over HTTP.
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
    test('shows id and e-mail to the handler, on req and on res.locals', async () => {
      const answer = await app.get('/private', token);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(
        '{"user":{"id":1,"email":"a@example.com"},"locals":{"id":1,"email":"a@example.com"}}',
      );
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
      const { users, tokens } = app.account;
      const handler = createRequireAuth({ users, tokens, checkAccount: false });
      await app.close();
      app = await startApp({
        before: [handler, (req, res) => void res.end(JSON.stringify(currentUser(req)))],
        now: () => app.clock.now,
      });
      expect((await app.get('/', token)).text).toBe('{"id":1,"email":"a@example.com"}');
      expect((await app.get('/', `${token}x`)).status).toBe(401);
    });
  });

  describe('currentUser()', () => {
    test('throws on a route that is not protected', () => {
      expect(() => currentUser({} as Parameters<typeof currentUser>[0])).toThrow(TypeError);
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
});
