// The accounts as a module: its settings, its hosts (node:http, web standard, Express, Hono), what it tells, and its end.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { accountMigrations, createSqliteStore } from '../account-sqlite/store.js';
import { createSqliteModule, openDatabase } from '../sqlite/index.js';
import { type AccountModule, createAccountModule, createPasswords, currentUser } from './index.js';

/** What a foundation asks of a module, as in src/module.ts there. */
interface Module {
  readonly name: string;
  checkSettings?(env: Record<string, string | undefined>): readonly { readonly name: string; readonly message: string }[];
  readonly migrations?: readonly unknown[];
  start?(host: { env: Record<string, string | undefined>; log: Log; migrations: readonly unknown[] }): void | Promise<void>;
  readonly routes?: readonly {
    readonly prefix: string;
    readonly node: (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
    readonly fetch: (request: Request, info: { address?: string; requestId?: string; prefix: string }) => Promise<Response | undefined>;
    readonly openapi?: { readonly paths: Record<string, object>; readonly schemas?: Record<string, object> };
  }[];
  readonly checks?: Readonly<Record<string, () => unknown>>;
  stop?(): void | Promise<void>;
}

type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', { (message: string): void; (fields: object, message?: string): void }>>;

const ENV = { NODE_ENV: 'test', JWT_SECRET: 'a test secret that is long enough for HS256' };
const ACCOUNT = { email: 'a@example.com', password: 'correct horse' };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function createModule(): AccountModule {
  const db = openDatabase(':memory:', { migrations: accountMigrations });
  closers.push(() => db.close());
  const module = createAccountModule({ migrations: [accountMigrations], openStore: () => createSqliteStore(db) });
  return module.configure({ passwords: createPasswords({ cost: { logN: 2, r: 1, p: 1 } }) });
}

async function start(module = createModule()) {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  await module.start({ env: ENV, log });
  const { fetch } = module.routes[0];
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    const request = new Request(`http://localhost/auth${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return fetch(request, { prefix: '/auth', address: '203.0.113.7' });
  };
  const register = async () => ((await (await send('POST', '/register', ACCOUNT))?.json()) as { token: string }).token;
  return { module, log, send, register };
}

test('fits a foundation, with the module of the database', () => {
  const modules: Module[] = [createSqliteModule(), createModule()];
  expect(modules.map(({ name }) => name)).toEqual(['database', 'account']);
});

test.each([
  [{}, ['JWT_SECRET']],
  [{ NODE_ENV: 'production', JWT_SECRET: 'short' }, ['JWT_SECRET']],
  [{ JWT_SECRET: 'short', JWT_SECRET_STRICT: '1', JWT_TTL_SECONDS: '1h' }, ['JWT_TTL_SECONDS', 'JWT_SECRET']],
  [{ NODE_ENV: 'production', JWT_SECRET: 'short', JWT_SECRET_ALLOW_SHORT: '1' }, []],
  [{ NODE_ENV: 'development' }, []],
  [ENV, []],
])('with the variables %j the problems are those of %j', (env, names) => {
  const module = createModule();
  const problems = module.checkSettings(env);
  expect(problems.map(({ name }) => name)).toEqual(names);
  for (const { message } of problems) expect(message).not.toMatch(/short\b(?! )/);
  if (names.length === 0) module.assertSettings(env);
  else expect(() => module.assertSettings(env)).toThrow(/^Invalid environment variables:\n {2}JWT_/);
});

test('answers requests of the web standard', async () => {
  const { send, register } = await start();
  const token = await register();
  expect((await send('POST', '/register', ACCOUNT))?.status).toBe(409);
  expect((await send('POST', '/login', ACCOUNT))?.status).toBe(200);
  const me = await send('GET', '/me?x=1', undefined, token);
  expect([me?.status, me?.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await me?.json()).toEqual({ user: { id: 1, email: ACCOUNT.email, created_at: expect.any(String) } });
  const head = await send('HEAD', '/me', undefined, token);
  expect([head?.status, head?.headers.get('content-length') !== '0', await head?.text()]).toEqual([200, true, '']);
  expect((await send('GET', '/me', undefined, `${token}, Bearer ${token}`))?.status).toBe(401);
  expect((await send('PUT', '/me'))?.status).toBe(405);
  for (const path of ['', '/', '/unknown', '/me/more']) expect(await send('GET', path), path).toBeUndefined();
  const large = await send('POST', '/login', { email: 'x'.repeat(20_000), password: '' });
  expect(large?.status).toBe(413);
});

test('answers requests of node:http, and leaves other paths and errors to the host', async () => {
  const { module, register } = await start();
  const token = await register();
  const [{ node }] = module.routes;
  const server = createServer((req, res) => node(req, res, (error) => void res.writeHead(error ? 500 : 404).end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string) => (await fetch(url + path, { headers: { Authorization: `Bearer ${token}`, Connection: 'close' } })).status;
  expect([await ask('/me'), await ask('/me/'), await ask('/ME?x'), await ask('/other')]).toEqual([200, 200, 200, 404]);
});

test('requireAuth is middleware of Express and of Hono', async () => {
  const { module, register } = await start();
  const token = await register();
  const app = express();
  app.use('/private', module.requireAuth);
  app.get('/private', (req, res) => void res.json(currentUser(req)));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const hono = new Hono();
  hono.use('/private', module.requireAuth);
  hono.get('/private', (c) => c.json(currentUser(c)));
  const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/private`;
  const user = { id: 1, email: ACCOUNT.email };
  expect(await (await fetch(url, { headers })).json()).toEqual(user);
  expect(await (await hono.request('/private', { headers })).json()).toEqual(user);
  expect([(await fetch(url, { headers: { Connection: 'close' } })).status, (await hono.request('/private')).status]).toEqual([401, 401]);
});

test('currentUser() refuses what requireAuth has not seen', () => {
  for (const host of [{}, { get: () => 'Bearer x' }, { req: {}, get: () => undefined }])
    expect(() => currentUser(host)).toThrow('Cannot read the current user: add "requireAuth"');
});

test('tells listeners of a deleted account, and logs what they throw', async () => {
  const { module, log, send, register } = await start();
  const deleted: object[] = [];
  module.onUserDeleted(() => Promise.reject(new Error('disk full')))();
  const end = module.onUserDeleted((user) => void deleted.push(user));
  expect((await send('DELETE', '/me', undefined, await register()))?.status).toBe(204);
  expect(deleted).toEqual([{ id: 1, email: ACCOUNT.email }]);
  end();
  module.onUserDeleted(() => Promise.reject(new Error('disk full')));
  expect((await send('DELETE', '/me', undefined, await register()))?.status).toBe(204);
  expect(deleted).toHaveLength(1);
  expect(log.error).toHaveBeenCalledWith({ err: new Error('disk full') }, 'A listener of deleted accounts failed on account 2');
});

test('describes its routes, and leaves sessions out where they are', async () => {
  const module = createModule();
  const paths = () => Object.keys(module.routes[0].openapi.paths);
  expect(paths()).toEqual(['/features', '/register', '/login', '/me', '/logout', '/logout-all', '/password', '/sessions', '/sessions/{id}']);
  const { send, register } = await start(module.configure({ sessions: false }));
  expect(paths()).toEqual(['/features', '/register', '/login', '/me', '/logout', '/logout-all', '/password']);
  expect(await (await send('GET', '/features'))?.json()).toEqual({ paths: paths() });
  const token = await register();
  expect(await send('GET', '/sessions', undefined, token)).toBeUndefined();
  expect((await send('POST', '/logout-all', undefined, token))?.status).toBe(204);
});

test('starts again after its end, and after a store that could not be opened', async () => {
  let isBroken = true;
  const stores = [openDatabase(':memory:', { migrations: accountMigrations }), openDatabase(':memory:', { migrations: accountMigrations })];
  closers.push(() => stores.map((db) => db.close()));
  const open = stores.values();
  const module = createAccountModule({
    openStore() {
      if (isBroken) throw new Error('no database');
      return createSqliteStore(open.next().value!);
    },
  });
  await expect(start(module)).rejects.toThrow('no database');
  isBroken = false;
  const first = await start(module);
  await first.register();
  module.stop();
  const again = await start(module);
  expect((await again.send('POST', '/register', ACCOUNT))?.status).toBe(201);
});
