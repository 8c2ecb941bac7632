// The module put together from its defaults: real hashes, a real database file, two servers on it.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '../sqlite/index.js';
import { type AccountOptions, createAccount, createPasswords, readAccountConfig } from './index.js';

// Real hashes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const BODY = { email: 'a@example.com', password: '12345678' };

let folder: string;
let closing: (() => void)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-account-'));
  closing = [];
});

afterEach(() => {
  for (const close of closing) close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(env: Record<string, string>, options: AccountOptions = {}) {
  const logged: string[] = [];
  const log = {
    warn: (text: string) => void logged.push(text),
    error: (text: string) => void logged.push(text),
  };
  const db: Database = openDatabase(join(folder, 'app.db'));
  const account = createAccount(db, readAccountConfig({ NODE_ENV: 'test', ...env }), { log, ...options });
  const app = express();
  app.use('/auth', account.router);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
    closeDatabase(db);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`;
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  const me = (token: string) => fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
  return { post, me, logged, db, account };
}

const tokenOf = async (response: Response) => ((await response.json()) as { token: string }).token;

test('createAccount() makes a module that works, and a second one on the same database', async () => {
  const first = await serve({ JWT_SECRET: 'x'.repeat(32) });
  const registered = await first.post('/register', BODY);
  expect(registered.status).toBe(201);
  expect(first.db.prepare('SELECT password_hash FROM users').pluck().get()).toMatch(
    /^\$scrypt\$ln=15,r=8,p=3\$/,
  );
  const second = await serve({ JWT_SECRET: 'x'.repeat(32) });
  const token = await tokenOf(registered);
  expect((await second.me(token)).status).toBe(200);
  expect((await second.post('/register', BODY)).status).toBe(409);
  expect((await second.post('/login', BODY)).status).toBe(200);
  expect([first.logged, second.logged]).toEqual([[], []]);
});

test('createAccount() in production without a secret issues nothing and accepts nothing', async () => {
  const development = await serve({});
  const token = await tokenOf(await development.post('/register', BODY));
  expect((await development.me(token)).status).toBe(200);
  expect(development.logged).toEqual([expect.stringContaining('development secret')]);

  for (const NODE_ENV of ['', 'staging', 'Test']) {
    const other = await serve({ NODE_ENV });
    expect((await other.me(token)).status).toBe(401);
    expect((await other.post('/register', { ...BODY, email: 'b@example.com' })).status).toBe(500);
  }
  const production = await serve({ NODE_ENV: 'production' });
  expect(production.logged).toEqual([expect.stringContaining('JWT_SECRET is not set')]);
  expect(production.account.tokens.canIssue).toBe(false);
  expect((await production.post('/register', { ...BODY, email: 'b@example.com' })).status).toBe(500);
  expect((await production.post('/login', BODY)).status).toBe(500);
  expect((await production.me(token)).status).toBe(401);
  expect(production.db.prepare('SELECT count(*) FROM users').pluck().get()).toBe(1);
});

test('createAccount() throttles in production only', async () => {
  const passwords = {
    hash: async () => '',
    verify: async () => ({ matches: false, outdated: false, unreadable: false }),
  };
  const env = { JWT_SECRET: 'x'.repeat(32) };
  const statuses = async (server: Awaited<ReturnType<typeof serve>>) => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => server.post('/login', BODY)));
    return responses.map(({ status }) => status).sort((a, b) => a - b);
  };
  expect(await statuses(await serve(env, { passwords }))).toEqual(Array(12).fill(401));
  expect(await statuses(await serve({ ...env, NODE_ENV: 'production' }, { passwords }))).toEqual([
    ...(Array(10).fill(401) as number[]),
    429,
    429,
  ]);
});

test('the module keeps answering while hashes run', async () => {
  // A slow machine may need longer for six hashes than one waits by default.
  const passwords = createPasswords({ maxWaitMs: 600_000 });
  const server = await serve({ JWT_SECRET: 'x'.repeat(32) }, { passwords });
  const token = await tokenOf(await server.post('/register', BODY));
  const logins = Promise.all(Array.from({ length: 6 }, () => server.post('/login', BODY)));
  let answered = 0;
  let isDone = false;
  void logins.then(() => (isDone = true));
  while (!isDone) {
    expect((await server.me(token)).status).toBe(200);
    answered++;
  }
  expect((await logins).map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(answered).toBeGreaterThan(6);
});

const BUILDS = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The sources of a build, by name. */
function readSources(build: string): [name: string, text: string][] {
  const names = readdirSync(join(BUILDS, build)).filter((name) => name.endsWith('.ts') && !/(?:\.test|^test-app)\.ts$/.test(name));
  return names.map((name) => [name, readFileSync(join(BUILDS, build, name), 'utf8')]);
}

test.each(['account', 'account-core', 'account-recovery', 'account-sqlite'])('%s knows no web framework', (build) => {
  const sources = readSources(build);
  expect(sources.length).toBeGreaterThan(0);
  for (const [, text] of sources) expect(text).not.toMatch(/from '(?:express|hono|connect)/);
});

test('register, login and me on Express install at most 30 files', () => {
  const sources = ['account', 'account-core', 'account-sqlite', 'sqlite'].flatMap(readSources);
  expect(sources.length).toBeLessThanOrEqual(30);
});

test('the core reads the environment in one place only, where nothing has started the module', () => {
  const readers = readSources('account-core').filter(([, text]) => text.includes('process.env'));
  expect(readers.map(([name]) => name)).toEqual(['module.ts']);
});
