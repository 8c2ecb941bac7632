import { HttpException, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import express from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createPasswords } from '../account-core/index.js';
import { AccountGuard, accountModule, accountRoutes, CurrentUser } from './index.js';

const PASSWORD = 'correct horse';

let server: Server;
let url: string;

/** What Nest passes to guards and to decorators of parameters. */
function contextOf(request: unknown, response: unknown): ExecutionContext {
  return { switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }) } as ExecutionContext;
}

// Nest calls a guard before a handler, and sends the exceptions that it throws.
async function privateRoute(req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('Content-Type', 'application/json');
  try {
    await new AccountGuard().canActivate(contextOf(req, res));
    res.end(JSON.stringify(userOf(contextOf(req, res))));
  } catch (error) {
    if (!(error instanceof HttpException)) throw error;
    res.writeHead(error.getStatus()).end(JSON.stringify(error.getResponse()));
  }
}

// The function that Nest keeps for a decorator of a parameter.
function userOf(context: ExecutionContext): unknown {
  class Controller {
    handler(_user: unknown): void {}
  }
  CurrentUser()(Controller.prototype, 'handler', 0);
  const [{ factory }] = Object.values(Reflect.getMetadata(ROUTE_ARGS_METADATA, Controller, 'handler') as object) as [
    { factory: (data: unknown, context: ExecutionContext) => unknown },
  ];
  return factory(undefined, context);
}

beforeAll(async () => {
  accountModule.configure({ passwords: createPasswords({ cost: { logN: 10, r: 8, p: 1 } }) });
  const app = express();
  app.use('/auth', accountRoutes());
  app.use(express.json());
  app.get('/private', privateRoute);
  app.post('/echo', (req, res) => void res.json(req.body));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

async function post(path: string, body: string): Promise<Response> {
  return fetch(url + path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}

it('mounts routes that read bodies before the parsers of Nest, and leaves those to other routes', async () => {
  const account = JSON.stringify({ email: 'nest@example.com', password: PASSWORD });
  expect((await post('/auth/register', account)).status).toBe(201);
  expect((await post('/auth/login', account)).status).toBe(200);
  expect((await post('/auth/login', '{')).status).toBe(400);
  expect(await (await post('/echo', '{"a":1}')).json()).toEqual({ a: 1 });
});

it('protects a route, and gives its user to the handler', async () => {
  const account = JSON.stringify({ email: 'guard@example.com', password: PASSWORD });
  const { token } = (await (await post('/auth/register', account)).json()) as { token: string };
  const answer = await fetch(`${url}/private`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ email: 'guard@example.com' });
  const refused = await fetch(`${url}/private`);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="account"']);
  expect(await refused.json()).toEqual({ error: { status: 401, code: 'missing_token', message: 'Missing bearer token' } });
  const wrong = await fetch(`${url}/private`, { headers: { authorization: 'Bearer a.b.c' } });
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="account", error="invalid_token"');
});

it('takes the session cookie, for changes from the own origin alone', async () => {
  const headers = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
  const body = JSON.stringify({ email: 'cookie@example.com', password: PASSWORD });
  const answer = await fetch(`${url}/auth/register`, { method: 'POST', body, headers });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await (await fetch(`${url}/private`, { headers: { cookie } })).json()).toMatchObject({ email: 'cookie@example.com' });
  const request = { rawHeaders: [], headers: { cookie }, method: 'POST' };
  await expect(new AccountGuard().canActivate(contextOf(request, {}))).rejects.toMatchObject({ response: { error: { code: 'cross_origin' } } });
});

it('refuses two tokens at once', async () => {
  const request = { headers: {}, rawHeaders: ['Authorization', 'Bearer a', 'authorization', 'Bearer b'] };
  const guard = new AccountGuard().canActivate(contextOf(request, { setHeader: () => {} }));
  await expect(guard).rejects.toMatchObject({ response: { error: { code: 'invalid_token' } } });
});

it('does not mount where a variable is wrong', () => {
  vi.stubEnv('JWT_TTL_SECONDS', '1h');
  expect(() => accountRoutes()).toThrow('JWT_TTL_SECONDS');
  vi.unstubAllEnvs();
});
