import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPasswords } from '../account-core/index.js';
import { accountModule, accountPlugin, createRequireAuth, currentUser, requireAuth } from './index.js';

const PASSWORD = 'correct horse';

interface Body {
  readonly user: { readonly id: number; readonly email: string };
  readonly token: string;
  readonly error: { readonly code: string; readonly requestId: string };
}

// The cost in production makes a test take seconds.
accountModule.configure({ passwords: createPasswords({ cost: { logN: 10, r: 8, p: 1 } }) });
let app: FastifyInstance;
let count = 0;

beforeEach(async () => {
  app = Fastify({ trustProxy: true });
  app.addHook('onSend', async (_request, reply) => void reply.header('X-Host', 'fastify'));
  void app.register(accountPlugin, { prefix: '/auth' });
  app.get('/private', { preHandler: requireAuth }, async (request) => ({ hello: currentUser(request).email }));
  app.get('/open', async (request) => ({ hello: currentUser(request).email }));
  app.post('/echo', async (request) => request.body);
  await app.ready();
});

afterEach(() => app.close());

function newAccount(): { email: string; password: string } {
  count += 1;
  return { email: `fastify-${count}@example.com`, password: PASSWORD };
}

async function register(): Promise<{ email: string; token: string }> {
  const account = newAccount();
  const answer = await app.inject({ method: 'POST', url: '/auth/register', payload: account });
  expect(answer.statusCode).toBe(201);
  return { email: account.email, token: answer.json<Body>().token };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it('registers, logs in and answers me, behind the hooks of the application', async () => {
  const { email, token } = await register();
  const login = await app.inject({ method: 'POST', url: '/auth/login', payload: { email, password: PASSWORD } });
  expect([login.statusCode, login.headers['x-host']]).toEqual([200, 'fastify']);
  const me = await app.inject({ url: '/auth/me', headers: bearer(token) });
  expect([me.statusCode, me.json<Body>().user.email]).toEqual([200, email]);
  const head = await app.inject({ method: 'HEAD', url: '/auth/me', headers: bearer(token) });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', me.headers['content-length']]);
});

it('protects a route, and sets the user', async () => {
  const { email, token } = await register();
  const refused = await app.inject({ url: '/private' });
  expect([refused.statusCode, refused.json<Body>().error.code]).toEqual([401, 'missing_token']);
  expect(refused.headers['www-authenticate']).toBe('Bearer realm="account"');
  const answer = await app.inject({ url: '/private', headers: bearer(token) });
  expect(answer.json()).toEqual({ hello: email });
  const open = await app.inject({ url: '/open', headers: bearer(token) });
  expect(open.statusCode).toBe(500);
});

it('ends a session and the account', async () => {
  const { token } = await register();
  const gone = await app.inject({ method: 'DELETE', url: '/auth/me', headers: bearer(token) });
  expect([gone.statusCode, gone.body]).toEqual([204, '']);
  const me = await app.inject({ url: '/auth/me', headers: bearer(token) });
  expect(me.json<Body>().error.code).toBe('account_gone');
});

it.each([
  ['no JSON', '{', 'application/json', 400, 'invalid_json'],
  ['another type', JSON.stringify({ email: 'x', password: 'y' }), 'text/plain', 401, 'invalid_credentials'],
  ['a long body', JSON.stringify('a'.repeat(20_000)), 'application/json', 413, 'payload_too_large'],
])('reads bodies itself: %s', async (_, payload, type, status, code) => {
  const answer = await app.inject({ method: 'POST', url: '/auth/login', payload, headers: { 'content-type': type } });
  expect([answer.statusCode, answer.json<Body>().error.code]).toEqual([status, code]);
});

it('leaves other paths and parsers to the application, and answers other methods', async () => {
  expect((await app.inject({ url: '/auth/none' })).statusCode).toBe(404);
  expect((await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })).json()).toEqual({ a: 1 });
  const put = await app.inject({ method: 'PUT', url: '/auth/me' });
  expect([put.statusCode, put.headers['allow']]).toEqual([405, 'GET, HEAD, DELETE, OPTIONS']);
  const options = await app.inject({ method: 'OPTIONS', url: '/auth/login' });
  expect([options.statusCode, options.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
});

it('refuses two tokens at once', async () => {
  const { token } = await register();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = [...Object.entries(bearer(token)), ...Object.entries(bearer(token))] as [string, string][];
  const answer = await fetch(`${address}/auth/me`, { headers });
  expect([answer.status, ((await answer.json()) as Body).error.code]).toEqual([401, 'invalid_token']);
});

it('takes accounts of another store, below another prefix', async () => {
  const other = Fastify();
  void other.register(accountPlugin, { prefix: '/api/v2/accounts', accounts: accountModule });
  other.get('/mine', { onRequest: createRequireAuth(accountModule) }, async (request) => currentUser(request));
  const account = newAccount();
  const answer = await other.inject({ method: 'POST', url: '/api/v2/accounts/register', payload: account });
  expect(answer.statusCode).toBe(201);
  const mine = await other.inject({ url: '/mine', headers: bearer(answer.json<Body>().token) });
  expect(mine.json()).toMatchObject({ email: account.email });
  await other.close();
});

it('does not start where a variable is wrong', async () => {
  vi.stubEnv('JWT_TTL_SECONDS', '1h');
  const other = Fastify();
  void other.register(accountPlugin, { prefix: '/auth' });
  await expect(other.ready()).rejects.toThrow('JWT_TTL_SECONDS');
  vi.unstubAllEnvs();
});
