// The module: its settings, its options, and accounts over another store. The routes are tested in tests/auth.

import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, database, openDatabase } from '../sqlite/index.js';
import {
  accountMigrations,
  accountModule,
  type AccountStore,
  answerBodyErrors,
  authenticate,
  createAccounts,
  createPasswords,
  createSqliteStore,
  createTokens,
  currentUser,
  endTokens,
  readAccountSettings,
  requireAuth,
  type StoredUser,
} from './index.js';

const SECRET = 'a secret that the test knows, of enough bytes';
const passwords = createPasswords({ cost: { ln: 4, r: 1, p: 1 } });
const BODY = { email: 'a@example.com', password: 'correct horse' };
type Host = Parameters<typeof answerBodyErrors>[1]['app'];

let isOpen = false;

afterEach(() => {
  vi.unstubAllEnvs();
  accountModule.stop();
  if (isOpen) closeDatabase(database());
  isOpen = false;
});

/** Sends requests to an application that is closed with the test. */
async function ask(app: Host, path: string, init: { body?: object; token?: string } = {}) {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const headers = { 'Content-Type': 'application/json', ...(init.token && { Authorization: `Bearer ${init.token}` }) };
  const body = init.body && JSON.stringify(init.body);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...(body && { method: 'POST', body }) });
  const text = await answer.text();
  server.close();
  return {
    status: answer.status,
    body: JSON.parse(text) as { token: string; user: { id: number }; error: { message: string } },
  };
}

function createApp() {
  isOpen = true;
  const app = express();
  app.use('/auth', accountModule.node, answerBodyErrors);
  app.get('/private', requireAuth, (req, res) => void res.json(currentUser(req)));
  return app;
}

test.each([
  [{}, ['JWT_SECRET']],
  [{ NODE_ENV: 'staging' }, ['JWT_SECRET']],
  [{ NODE_ENV: 'Development' }, ['JWT_SECRET']],
  [{ NODE_ENV: 'production', JWT_SECRET: ' '.repeat(40) }, ['JWT_SECRET']],
  [{ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(31) }, ['JWT_SECRET']],
  [{ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }, []],
  [{ NODE_ENV: 'development' }, []],
  [{ NODE_ENV: 'test', JWT_SECRET: 'short' }, []],
  ...['0', '-1', '1e3', '0x10', '60s', '1.5', '9999999999'].map((ttl) => [
    { NODE_ENV: 'test', JWT_TTL_SECONDS: ttl },
    ['JWT_TTL_SECONDS'],
  ]),
  [{ NODE_ENV: 'test', JWT_TTL_SECONDS: ' 60 ' }, []],
] as [Record<string, string>, string[]][])('the settings %j have the problems %j', (env, names) => {
  expect(accountModule.checkSettings(env).map(({ name }) => name)).toEqual(names);
  expect(JSON.stringify(readAccountSettings(env).problems)).not.toContain('xxx');
});

test('the module does not open without a secret, and has one in development', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('JWT_SECRET', '');
  expect(() => accountModule.assertSettings()).toThrow('JWT_SECRET is not set');
  vi.stubEnv('NODE_ENV', 'test');
  accountModule.configure({ passwords });
  const { status, body } = await ask(createApp(), '/auth/register', { body: BODY });
  expect([status, (await ask(createApp(), '/private', body)).body]).toEqual([201, { id: 1, email: BODY.email }]);
});

test('endTokens() ends all tokens of an account', async () => {
  const { body } = await ask(createApp(), '/auth/register', { body: BODY });
  expect(await endTokens(body.user.id)).toBe(true);
  expect((await ask(createApp(), '/auth/me', body)).body.error.message).toBe('Invalid or expired token');
  expect((await ask(createApp(), '/auth/login', { body: BODY })).status).toBe(200);
  expect(await endTokens(99)).toBe(false);
});

test('authenticate() gives the user of a request, or the answer', async () => {
  const { body } = await ask(createApp(), '/auth/register', { body: BODY });
  const request = (authorization: string) => new Request('http://localhost/', { headers: { authorization } });
  expect(await authenticate(request(`Bearer ${body.token}`))).toEqual({ id: 1, email: BODY.email });
  const answer = (await authenticate(request('Bearer x'))) as Response;
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="account"']);
  expect(await answer.json()).toEqual({
    error: { status: 401, code: 'invalid_token', message: 'Invalid or expired token' },
  });
});

test('a token from before the account, as of another database, is of no account', async () => {
  const tokens = createTokens(SECRET, 3600);
  vi.stubEnv('JWT_SECRET', SECRET);
  const old = {
    id: 1,
    email: 'b@example.com',
    passwordHash: '',
    tokenVersion: 0,
    createdAt: '2020-01-01T00:00:00.000Z',
  };
  vi.useFakeTimers({ now: Date.now() - 60_000, toFake: ['Date'] });
  const token = String(tokens.issue(old));
  vi.useRealTimers();
  await ask(createApp(), '/auth/register', { body: BODY });
  expect((await ask(createApp(), '/auth/me', { token })).body.error.message).toBe('Account no longer exists');
});

test('refusePassword refuses further passwords', async () => {
  accountModule.configure({ refusePassword: (text) => (text === '12345678' ? 'Password is too common' : undefined) });
  const { status, body } = await ask(createApp(), '/auth/register', { body: { ...BODY, password: '12345678' } });
  expect([status, body.error.message]).toEqual([400, 'Invalid request: password: Password is too common']);
  expect((await ask(createApp(), '/auth/register', { body: BODY })).status).toBe(201);
});

test('createAccounts() serves another store, with asynchronous tokens; its errors are those of the host', async () => {
  const db = openDatabase(':memory:', { migrations: accountMigrations });
  const sqlite = createSqliteStore(db);
  let isDown = false;
  const store: AccountStore = {
    ...sqlite,
    findByEmail: (email) => (isDown ? Promise.reject(new Error('down')) : sqlite.findByEmail(email)),
  };
  const signer = createTokens(SECRET, 60);
  const tokens = {
    issue: async (user: StoredUser) => signer.issue(user),
    verify: async (token: string) => signer.verify(token),
  };
  const app = express();
  app.use('/accounts', createAccounts(() => ({ store, tokens, passwords })).router);
  app.use(
    (error: Error, _req: unknown, res: express.Response, _next: unknown) =>
      void res.status(500).json({ host: error.message }),
  );
  const { body } = await ask(app, '/accounts/register', { body: BODY });
  expect((await ask(app, '/accounts/me', body)).status).toBe(200);
  isDown = true;
  expect(await ask(app, '/accounts/login', { body: BODY })).toEqual({ status: 500, body: { host: 'down' } });
  closeDatabase(db);
});

test('a hash is replaced only where it still is the old one', async () => {
  const store = createSqliteStore(openDatabase(':memory:', { migrations: accountMigrations }));
  const user = await store.insert({ email: 'a@example.com', passwordHash: 'old', createdAt: new Date().toISOString() });
  expect(await store.insert({ email: 'a@example.com', passwordHash: 'x', createdAt: '' })).toBeUndefined();
  expect([await store.replaceHash(user!.id, 'old', 'new'), await store.replaceHash(user!.id, 'old', 'x')]).toEqual([
    true,
    false,
  ]);
  expect(await store.findById(user!.id)).toMatchObject({ passwordHash: 'new', tokenVersion: 0 });
});

test('currentUser() throws on a route that is not protected', () => {
  expect(() => currentUser({})).toThrow(TypeError);
});

test('ends the tokens of an account that logged out with version 3, once', async () => {
  const db = openDatabase(':memory:');
  db.exec(`${accountMigrations[0]?.sql ?? ''};
    CREATE TABLE revoked_tokens (jti TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE account_sessions (jti TEXT PRIMARY KEY, user_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO users (email, password_hash, created_at) VALUES ('out@example.com', 'x', 'x');
    INSERT INTO users (email, password_hash, created_at) VALUES ('in@example.com', 'x', 'x');
    INSERT INTO account_sessions VALUES ('one', 1), ('two', 1), ('three', 2);
    INSERT INTO revoked_tokens VALUES ('two', 4102444800), ('of no session', 4102444800)`);
  for (let start = 1; start <= 2; start += 1) {
    const store = createSqliteStore(db);
    expect((await store.findById(1))?.tokenVersion).toBe(1);
    expect((await store.findById(2))?.tokenVersion).toBe(0);
  }
  closeDatabase(db);
});
