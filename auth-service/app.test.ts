import { once } from 'node:events';
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type Server,
} from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import helmet from 'helmet';
import { z } from 'zod';
import { expectToSurvive } from '../tests/run/raw-request.ts';
import { currentUser } from '../builds/stackyard/account-core/index.ts';
import {
  createAuthApp,
  createServiceTokens,
  hasSeveralHosts,
  createCommonPasswordRule,
  createRequestFront,
  pathOf,
  assignRequestId,
  type AuthApp,
} from './app.ts';
import { readServiceConfig } from './config.ts';
import { createLog } from './log.ts';
import { createMetricsServer } from './server.ts';
import { createMetrics } from './metrics.ts';

// The application, and the router in another application.

const ErrorBody = z.strictObject({
  error: z.strictObject({
    status: z.int(),
    code: z.string(),
    message: z.string(),
    requestId: z.string().optional(),
  }),
});

let folder: string;
let auth: AuthApp | undefined;
let server: Server | undefined;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-app-'));
  lines = [];
});

afterEach(async () => {
  server?.close();
  server?.closeAllConnections();
  await auth?.close();
  server = auth = undefined;
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'auth.sqlite');

async function create(env: Record<string, string> = {}, prefix?: string): Promise<AuthApp> {
  const config = readServiceConfig({
    NODE_ENV: 'development',
    DATABASE_URL: `file:${file()}`,
    JWT_SECRET: 'x'.repeat(32),
    ...env,
  });
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  auth = await createAuthApp(config, { log, ...(prefix !== undefined && { prefix }) });
  return auth;
}

async function listen(app: RequestListener): Promise<string> {
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

const CREDENTIALS = { email: 'a@example.com', password: '12345678' };

test('createAuthApp() gives a router that another application mounts at a prefix of its own', async () => {
  const { router, requireAuth } = await create();
  const app = express();
  app.use('/v1/accounts', router);
  app.get('/notes', requireAuth, (req, res) => void res.json(currentUser(req)));
  const url = await listen(app);
  const registered = await post(`${url}/v1/accounts/register`, CREDENTIALS);
  expect(registered.status).toBe(201);
  const { token } = (await registered.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  expect(await (await fetch(`${url}/notes`, { headers })).json()).toEqual({
    id: 1,
    email: 'a@example.com',
  });
  expect((await fetch(`${url}/notes`)).status).toBe(401);
  expect((await fetch(`${url}/v1/accounts/me`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/health`)).status).toBe(404);
});

test('createAuthApp() mounts and documents the routes at the prefix it is given', async () => {
  const { app } = await create({}, '/accounts');
  const url = await listen(app);
  expect((await post(`${url}/accounts/register`, CREDENTIALS)).status).toBe(201);
  expect((await post(`${url}/auth/register`, CREDENTIALS)).status).toBe(404);
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/accounts/register');
});

test.each([
  ['GET', '/nothing', 404, 'not_found'],
  ['POST', '/health', 405, 'method_not_allowed'],
  ['DELETE', '/ready', 405, 'method_not_allowed'],
  ['PUT', '/openapi.json', 405, 'method_not_allowed'],
  ['PATCH', '/auth/me', 405, 'method_not_allowed'],
  ['GET', '/auth/nothing', 404, 'not_found'],
])(
  'the application answers %s %s with %i in the one error body',
  async (method, path, status, code) => {
    const url = await listen((await create()).app);
    const answer = await fetch(url + path, { method });
    const { error } = ErrorBody.parse(await answer.json());
    expect(answer.status).toBe(status);
    expect(error).toMatchObject({ status, code, requestId: answer.headers.get('x-request-id') });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  },
);

test('the application answers GET /me as it answers other spellings of it, also when it fails', async () => {
  const url = await listen((await create()).app);
  const registered = await post(`${url}/auth/register`, CREDENTIALS);
  const { token } = (await registered.json()) as { token: string };
  const ask = async (path: string, authorization: string) => {
    const answer = await fetch(url + path, {
      headers: { authorization, 'x-request-id': 'same' },
    });
    const headers = Object.fromEntries(answer.headers);
    delete headers['date'];
    return { status: answer.status, text: await answer.text(), headers };
  };
  const expectSame = async (authorization: string, status: number) => {
    const plain = await ask('/auth/me', authorization);
    expect(plain.status).toBe(status);
    for (const path of ['/auth/me?', '/auth/ME', '/auth/me/'])
      expect(await ask(path, authorization)).toEqual(plain);
  };
  await expectSame(`Bearer ${token}`, 200);
  await expectSame(`Bearer ${token}x`, 401);
  await expectSame('Basic x', 401);
  const db = new Sqlite(file());
  db.exec('DROP TABLE users');
  db.close();
  await expectSame(`Bearer ${token}`, 500);
  await expect.poll(() => lines.filter((line) => line.includes('no such table'))).toHaveLength(4);
});

test('the application answers an unforeseen error with 500, without saying what it was', async () => {
  const url = await listen((await create()).app);
  const db = new Sqlite(file());
  db.exec('DROP TABLE users');
  db.close();
  const answer = await post(`${url}/auth/login`, CREDENTIALS);
  expect(answer.status).toBe(500);
  const { error } = ErrorBody.parse(await answer.json());
  expect(error).toMatchObject({ code: 'internal', message: 'Internal Server Error' });
  const log = lines.join('');
  expect(log).toContain('no such table: users');
  expect(log).toContain(error.requestId);
  expect(log).not.toContain(CREDENTIALS.password);
  expect(log).not.toContain(CREDENTIALS.email);
});

test('the router answers 503 while the database is unavailable, in another application too', async () => {
  // Nobody listens on that port.
  const { router, requireAuth } = await create({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' });
  const app = express();
  app.use('/accounts', router);
  app.get('/notes', requireAuth, (_req, res) => void res.end());
  app.use(
    ((error: { status: number }, _req, res, _next) =>
      void res.status(error.status).end()) as ErrorRequestHandler,
  );
  const url = await listen(app);
  const answer = await post(`${url}/accounts/login`, CREDENTIALS);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(ErrorBody.parse(await answer.json()).error.code).toBe('database_unavailable');
  const token = createServiceTokens(readServiceConfig({ JWT_SECRET: 'x'.repeat(32) })).issue({
    id: 1,
    email: 'a@example.com',
    passwordHash: 'x',
    tokenVersion: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const protectedRoute = await fetch(`${url}/notes`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(protectedRoute.status).toBe(503);
});

test('the application is not ready, but answers, in production without a secret', async () => {
  const { app } = await create({ NODE_ENV: 'production', JWT_SECRET: '' });
  const url = await listen(app);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/ready`)).status).toBe(503);
  expect((await post(`${url}/auth/register`, CREDENTIALS)).status).toBe(500);
  const db = new Sqlite(file(), { readonly: true });
  expect(db.prepare('SELECT count(*) FROM users').pluck().get()).toBe(0);
  db.close();
});

test('the application counts clients by the address that a trusted proxy gives', async () => {
  const { app } = await create({ TRUST_PROXY: '1', RATE_LIMIT: 'on', RATE_LIMIT_PER_MINUTE: '1' });
  const url = await listen(app);
  const statuses: number[] = [];
  for (const forwarded of ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '1.1.1.2']) {
    const answer = await post(`${url}/auth/login`, CREDENTIALS, { 'x-forwarded-for': forwarded });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([401, 429, 401]);
});

test('the application writes neither bodies nor tokens nor queries to the log', async () => {
  const url = await listen((await create()).app);
  const answer = await post(`${url}/auth/register?token=Q1`, CREDENTIALS);
  const { token } = (await answer.json()) as { token: string };
  await fetch(`${url}/auth/me?access_token=Q2`, {
    headers: { authorization: `Bearer ${token}`, cookie: 'Q3' },
  });
  await fetch(`${url}/auth/login`, {
    method: 'POST',
    body: `{"password":"${CREDENTIALS.password}`,
  });
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(4);
  const log = lines.join('');
  for (const secret of [CREDENTIALS.password, CREDENTIALS.email, token, 'Q1', 'Q2', 'Q3']) {
    expect(log).not.toContain(secret);
  }
});

test('createAuthApp() answers hostile first lines and headers without a fault of its own, and lives on', async () => {
  const auth = await create({ COMMON_PASSWORDS: 'refuse' });
  const url = await listen(auth.app);
  const paths = ['/health', '/ready', '/openapi.json', '/auth/register', '/auth/login', '/auth/me'];
  await expectToSurvive(url, paths);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('createMetricsServer() answers them as well', async () => {
  const { metrics } = await create();
  server = createMetricsServer(() => metrics.render()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expectToSurvive(url, ['/metrics'], 50);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
});

test.each([
  [[], false],
  [['Host', 'a'], false],
  [['Host', 'a', 'Accept', 'host', 'X-Host', 'b'], false],
  [['Host', 'a', 'Accept', '*/*', 'Host', 'b'], true],
  [['host', 'a', 'HOST', 'a'], true],
])('hasSeveralHosts() of %j: %j', (rawHeaders, expected) => {
  expect(hasSeveralHosts({ rawHeaders })).toBe(expected);
});

// Rotation of the secret. jose, which shares no code with the module, is the oracle.

const [OLD, NEW, NEWEST] = ['old', 'new', 'newest'].map((name) => name.padEnd(32, '.')) as [
  string,
  string,
  string,
];
const USER = {
  id: 1,
  email: 'a@example.com',
  passwordHash: 'x',
  tokenVersion: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};

const tokensOf = (env: Record<string, string>) => createServiceTokens(readServiceConfig(env));

test('createServiceTokens() signs with the new secret and accepts the previous ones', async () => {
  const before = tokensOf({ JWT_SECRET: OLD }).issue(USER);
  const during = tokensOf({ JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD });
  expect(during.verify(before).userId).toBe(1);
  const after = during.issue(USER);
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  await expect(jwtVerify(after, Buffer.from(NEW))).resolves.toMatchObject({
    payload: { sub: '1' },
  });
  const twice = tokensOf({ JWT_SECRET: NEWEST, JWT_SECRET_PREVIOUS: JSON.stringify([NEW, OLD]) });
  expect(twice.verify(before).userId).toBe(1);
  expect(twice.verify(after).userId).toBe(1);
});

test('createServiceTokens() refuses the old secret once it is removed', () => {
  const before = tokensOf({ JWT_SECRET: OLD }).issue(USER);
  expect(() => tokensOf({ JWT_SECRET: NEW }).verify(before)).toThrow(
    expect.objectContaining({ code: 'invalid_token' }),
  );
});

test('createServiceTokens() sets and demands issuer and audience', () => {
  const env = { JWT_SECRET: OLD };
  const parties = { ...env, JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'b' };
  const token = tokensOf(parties).issue(USER);
  expect(tokensOf(parties).verify(token).userId).toBe(1);
  expect(() => tokensOf(env).verify(token)).toThrow('Invalid or expired token');
  expect(() => tokensOf({ ...parties, JWT_AUDIENCE: 'c' }).verify(token)).toThrow(
    'Invalid or expired token',
  );
});

const rule = createCommonPasswordRule();
const faultOf = (password: string) => rule(password, 'a@example.com');

test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'iloveyou', 'trustno1'])(
  'createCommonPasswordRule() refuses %j',
  async (password) => {
    expect(await faultOf(password)).toBe('Password is too common: choose another one');
  },
);

test.each(['correct horse', 'password of mine', 'пароль-которого-нет', ' password', '1234567'])(
  'createCommonPasswordRule() passes %j',
  async (password) => {
    expect(await faultOf(password)).toBeUndefined();
  },
);

// The front: what every answer carries and every request leaves behind.

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

async function requestFrontListen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['/auth/me', '/auth/me'],
  ['/auth/me?token=x?y', '/auth/me'],
  ['?', ''],
  ['', ''],
])('pathOf() of %j is %j', (url, path) => {
  expect(pathOf(url)).toBe(path);
});

test('createRequestFront() sets the headers of helmet, an id, and counts and logs without the query', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics(['/auth/me']);
  const prepare = createRequestFront(log, metrics);
  const url = await requestFrontListen(
    createServer((req, res) => {
      prepare(req, res);
      req.url = '/changed';
      res.statusCode = 204;
      res.end();
    }),
  );
  const helmets = await requestFrontListen(
    createServer((req, res) => {
      const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
      const set = helmet({
        contentSecurityPolicy: { useDefaults: false, directives: policy },
        referrerPolicy: { policy: 'no-referrer' },
        frameguard: { action: 'deny' },
      });
      set(req, res, () => void res.end());
    }),
  );
  const wanted = new Headers((await fetch(helmets)).headers);
  const { headers } = await fetch(`${url}/auth/me?token=S1`, {
    headers: { 'x-request-id': 'id-1' },
  });
  for (const name of ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
    wanted.delete(name);
  expect([...wanted.keys()].length).toBeGreaterThan(10);
  expect(Object.fromEntries(headers)).toMatchObject(Object.fromEntries(wanted));
  expect(headers.get('x-request-id')).toBe('id-1');
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    req: { id: 'id-1', method: 'GET', path: '/auth/me' },
    res: { status: 204 },
  });
  expect((await metrics.render()).text).toContain(
    '_count{method="GET",route="/auth/me",status="204"} 1',
  );
});

// The ids of requests.

function assign(given: string | undefined): [id: string, header: unknown] {
  const req = new IncomingMessage(new Socket());
  if (given !== undefined) req.headers['x-request-id'] = given;
  const res = new ServerResponse(req);
  return [assignRequestId(req, res), res.getHeader('X-Request-Id')];
}

test.each(['abc', '01H-x_y.z:1', 'x'.repeat(64)])('assignRequestId() takes %j', (given) => {
  expect(assign(given)).toEqual([given, given]);
});

test.each([undefined, '', 'a b', 'a\r\nb', 'a"b', '<b>', 'x'.repeat(65), 'ä'])(
  'assignRequestId() makes one instead of %j',
  (given) => {
    const [id, header] = assign(given);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(header).toBe(id);
  },
);
