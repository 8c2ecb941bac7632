// The application on a SQLite store: the routes of the service, and what is around each request.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { expectToSurvive } from '../tests/run/raw-request.ts';
import { type AuthApp, createAuthApp, createCommonPasswordRule, readRequestId } from './app.ts';
import { readServiceConfig } from './config.ts';
import { createLog } from './log.ts';
import { openPostgresStore } from './store/postgres-store.ts';
import { openSqliteStore } from './store/sqlite-store.ts';
import type { ServiceStore } from './store/store.ts';

const ErrorBody = z.strictObject({
  error: z.strictObject({
    status: z.int(),
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  }),
});

const CREDENTIALS = { email: 'a@example.com', password: '12345678' };

let folder: string;
let auth: AuthApp;
let store: ServiceStore | undefined;
let server: Server | undefined;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-app-'));
  lines = [];
});

afterEach(async () => {
  server?.close();
  server?.closeAllConnections();
  await store?.close();
  server = store = undefined;
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'auth.sqlite');

/** Serves the application with these variables, and gives its address. */
async function serve(env: Record<string, string> = {}): Promise<string> {
  const DATABASE_URL = `file:${file()}`;
  const config = readServiceConfig({ NODE_ENV: 'development', DATABASE_URL, ...env });
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const { database } = config;
  store =
    database.kind === 'sqlite' ? openSqliteStore(database.file) : openPostgresStore(database, log);
  auth = createAuthApp(config, store, log);
  server = createServer(auth.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

function dropUsers(): void {
  const db = new Sqlite(file());
  db.exec('DROP TABLE users');
  db.close();
}

test.each([
  ['GET', '/nothing?a=b', 404, 'not_found'],
  ['GET', '/auth/nothing', 404, 'not_found'],
  ['GET', '/auth/sessions', 404, 'not_found'],
  ['GET', '/metrics', 404, 'not_found'],
  ['POST', '/health', 404, 'not_found'],
  ['DELETE', '/auth/me', 404, 'not_found'],
  ['GET', '/auth/login', 404, 'not_found'],
  ['GET', '/auth/me', 401, 'missing_token'],
  ['POST', '/auth/register', 400, 'invalid_json'],
])(
  'the application answers %s %s with %i in the one error body',
  async (method, path, status, code) => {
    const answer = await fetch((await serve()) + path, { method });
    const { error } = ErrorBody.parse(await answer.json());
    expect(answer.status).toBe(status);
    expect(error).toMatchObject({ status, code, requestId: answer.headers.get('x-request-id') });
    expect(error.message).not.toContain('?');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  },
);

test('the application gives every answer an id and security headers, and no cache keeps it', async () => {
  const url = await serve();
  for (const path of ['/health', '/ready', '/openapi.json', '/auth/me', '/nothing']) {
    const { headers } = await fetch(url + path, { headers: { 'x-request-id': 'id-1' } });
    expect(Object.fromEntries(headers), path).toMatchObject({
      'x-request-id': 'id-1',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    for (const name of ['x-powered-by', 'etag']) expect(headers.has(name), name).toBe(false);
  }
});

test('the application answers an unforeseen error with 500, without saying what it was', async () => {
  const url = await serve();
  dropUsers();
  const answer = await post(`${url}/auth/login`, CREDENTIALS);
  expect(answer.status).toBe(500);
  const { error } = ErrorBody.parse(await answer.json());
  expect(error).toMatchObject({ code: 'internal', message: 'Internal Server Error' });
  await expect.poll(() => lines.join('')).toContain('no such table: users');
  expect(lines.join('')).toContain(error.requestId);
});

test('the application answers 503 while the database is unavailable, and is not ready', async () => {
  // Nobody listens on that port.
  const url = await serve({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', RATE_LIMIT: 'on' });
  for (const path of ['/auth/login', '/auth/register']) {
    const answer = await post(url + path, CREDENTIALS);
    expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '5']);
    expect(ErrorBody.parse(await answer.json()).error.code).toBe('database_unavailable');
  }
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'unavailable', shutdown: 'no' } },
  ]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test.each<[string, (socket: Socket) => void]>([
  ['answers nothing', () => {}],
  ['closes each connection', (socket) => socket.destroy()],
  ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['sends an error without fields', (socket) => socket.write('E\0\0\0\x05\0')],
  ['claims to be ready at once', (socket) => socket.write('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')],
  ['sends bytes of no meaning', (socket) => socket.write(Buffer.alloc(4096, 0xff))],
])('the application answers 503 where the server of the database %s', async (_, answer) => {
  const database = createNetServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(database, 'listening');
  const { port } = database.address() as AddressInfo;
  const url = await serve({ DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d`, RATE_LIMIT: 'on' });
  const login = await post(`${url}/auth/login`, CREDENTIALS);
  expect([login.status, login.headers.get('retry-after')]).toEqual([503, '5']);
  expect(ErrorBody.parse(await login.json()).error.code).toBe('database_unavailable');
  database.close();
});

test('the application is not ready while it stops', async () => {
  const url = await serve();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  auth.beginShutdown();
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'ok', shutdown: 'in_progress' } },
  ]);
});

test('the application takes the address that a trusted proxy gives for that of the client', async () => {
  const url = await serve({ TRUST_PROXY: '1', RATE_LIMIT: 'on' });
  const headers = { 'x-forwarded-for': '9.9.9.9, 1.1.1.1' };
  await fetch(`${url}/auth/me`, { headers });
  await expect.poll(() => lines.join('')).toContain('"address":"1.1.1.1"');
});

test('the application writes neither bodies nor tokens nor queries to the log', async () => {
  const url = await serve();
  const answer = await post(`${url}/auth/register?token=Q1`, CREDENTIALS);
  const { token } = (await answer.json()) as { token: string };
  await fetch(`${url}/auth/me?access_token=Q2`, {
    headers: { authorization: `Bearer ${token}`, cookie: 'Q3' },
  });
  await fetch(`${url}/auth/login`, {
    method: 'POST',
    body: `{"password":"${CREDENTIALS.password}`,
  });
  await expect.poll(() => lines.length).toBe(3);
  const log = lines.join('');
  expect(log).toContain('"path":"/auth/register","address":"127.0.0.1"');
  for (const secret of [CREDENTIALS.password, CREDENTIALS.email, token, 'Q1', 'Q2', 'Q3']) {
    expect(log).not.toContain(secret);
  }
});

test('/metrics answers with METRICS_TOKEN, and is not there for others', async () => {
  const METRICS_TOKEN = 'a-token-of-the-tests';
  const url = await serve({ METRICS_TOKEN });
  await post(`${url}/auth/login`, CREDENTIALS);
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await fetch(`${url}/metrics`, { headers });
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  expect(text).toContain('_count{method="POST",route="/auth/login",status="401"} 1');
  expect(text).toContain('auth_database_up 1');
  for (const authorization of [
    '',
    'Bearer',
    `Bearer ${METRICS_TOKEN}x`,
    `bearer ${METRICS_TOKEN}`,
  ]) {
    const refused = await fetch(`${url}/metrics`, { headers: { authorization } });
    expect([refused.status, refused.headers.get('allow')]).toEqual([404, null]);
  }
});

test('COMMON_PASSWORDS=refuse refuses those of the list', async () => {
  const url = await serve({ COMMON_PASSWORDS: 'refuse' });
  const refused = await post(`${url}/auth/register`, CREDENTIALS);
  expect(refused.status).toBe(400);
  expect(ErrorBody.parse(await refused.json()).error.message).toBe(
    'Invalid request: password: Password is too common: choose another one',
  );
  const strong = { ...CREDENTIALS, password: 'correct horse' };
  expect((await post(`${url}/auth/register`, strong)).status).toBe(201);
});

test('the application answers hostile first lines and headers without a fault of its own, and lives on', async () => {
  const url = await serve({ COMMON_PASSWORDS: 'refuse', METRICS_TOKEN: 'a-token-of-the-tests' });
  const paths = ['/health', '/ready', '/openapi.json', '/metrics', '/auth/register', '/auth/me'];
  await expectToSurvive(url, paths);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

const rule = createCommonPasswordRule();

test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'iloveyou', 'trustno1'])(
  'createCommonPasswordRule() refuses %j',
  (password) => {
    expect(rule(password)).toBe('Password is too common: choose another one');
  },
);

test.each(['correct horse', 'password of mine', 'пароль-которого-нет', ' password'])(
  'createCommonPasswordRule() passes %j',
  (password) => {
    expect(rule(password)).toBeUndefined();
  },
);

test.each(['abc', '01H-x_y.z:1', 'x'.repeat(64)])('readRequestId() takes %j', (given) => {
  expect(readRequestId(given)).toBe(given);
});

test.each([undefined, '', 'a b', 'a\r\nb', 'a"b', '<b>', 'x'.repeat(65), 'ä'])(
  'readRequestId() makes one instead of %j',
  (given) => {
    expect(readRequestId(given)).toMatch(/^[0-9a-f-]{36}$/);
  },
);
