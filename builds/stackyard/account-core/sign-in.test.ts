// Cookie mode and second factors, over the adapters for Node and for the web standard; and how other builds sign in.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterEach, describe, expect, test } from 'vitest';
import { accountMigrations, createSqliteStore } from '../account-sqlite/store.js';
import { openDatabase } from '../sqlite/index.js';
import {
  type AccountEvent, type Accounts, createConfiguredAccounts, createMemoryThrottle, createPasswords, currentUser, type ModuleOptions, readAccountConfig,
} from './index.js';

const SECRET = 'a test secret that is long enough for HS256';
const ACCOUNT = { email: 'a@example.com', password: 'correct horse' };
const OWN = { 'Sec-Fetch-Site': 'same-origin' };
const ASK = { ...OWN, 'X-Session': 'cookie' };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(options: ModuleOptions = {}, mode = 'test') {
  const db = openDatabase(':memory:', { migrations: accountMigrations });
  closers.push(() => db.close());
  const events: AccountEvent[] = [];
  const accounts = createConfiguredAccounts(createSqliteStore(db), readAccountConfig({ NODE_ENV: mode, JWT_SECRET: SECRET }), {
    passwords: createPasswords({ cost: { logN: 2, r: 1, p: 1 } }),
    onEvent: (event) => void events.push(event),
    ...options,
  });
  return { accounts, events };
}

type Ask = (method: string, path: string, headers: Record<string, string>, body?: object) => Promise<Response>;

/** A client of each host: the routes below `/auth`, and `/private` behind `requireAuth`. */
const HOSTS: Readonly<Record<string, (accounts: Accounts) => Promise<Ask>>> = {
  async node(accounts) {
    const server = createServer((req, res) => {
      res.setHeader('Set-Cookie', 'theme=dark');
      const other = () => accounts.requireAuth(req, res, () => res.end(JSON.stringify(currentUser(req))));
      const isAuth = req.url?.startsWith('/auth');
      if (isAuth) req.url = req.url!.slice(5);
      return isAuth ? accounts.node(req, res, (error) => void res.writeHead(error ? 500 : 404).end()) : other();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return (method, path, headers, body) => fetch(origin + path, { method, headers: { Connection: 'close', ...headers }, ...(body && { body: JSON.stringify(body) }) });
  },
  async hono(accounts) {
    const app = new Hono();
    app.use('*', async (c, next) => {
      await next();
      c.header('Set-Cookie', 'theme=dark', { append: true });
    });
    app.use('/auth/*', accounts.context('/auth'));
    app.all('/private', accounts.requireAuth as never, (c) => c.json(currentUser(c)));
    return async (method, path, headers, body) => app.request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  },
  async fetch(accounts) {
    const hono = new Hono().all('/private', accounts.requireAuth as never, (c) => c.json(currentUser(c)));
    return async (method, path, headers, body) => {
      const request = new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return (await accounts.fetch(request, { prefix: '/auth' })) ?? hono.fetch(request);
    };
  },
};

const sessionOf = (answer: Response) => answer.headers.getSetCookie().find((text) => /^(?:__Host-)?auth_session=/.test(text));
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

describe.each(Object.entries(HOSTS))('a cookie over %s', (_name, connect) => {
  test('holds the session of a page that asks for it, which sees no token', async () => {
    const ask = await connect(open().accounts);
    const registered = await ask('POST', '/auth/register', ASK, ACCOUNT);
    expect([registered.status, Object.keys((await registered.json()) as object)]).toEqual([201, ['user']]);
    const set = sessionOf(registered) ?? '';
    expect(set).toMatch(/^auth_session=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604(?:800|799)$/);
    const Cookie = `theme=dark; ${set.split(';')[0]}; other=1`;
    for (const path of ['/auth/me', '/private']) expect((await ask('GET', path, { Cookie })).status).toBe(200);
    // A bearer token is read before it; another scheme, such as that of a proxy, is none.
    expect(await codeOf(await ask('GET', '/auth/me', { Cookie, Authorization: 'Bearer a.b.c' }))).toBe('invalid_token');
    expect((await ask('GET', '/auth/me', { Cookie, Authorization: 'Basic YTpi' })).status).toBe(200);
    const changed = await ask('POST', '/auth/password', { Cookie, ...OWN }, { current_password: ACCOUNT.password, new_password: 'battery staple' });
    const next = { Cookie: sessionOf(changed)?.split(';')[0] ?? '' };
    expect(Object.keys((await changed.json()) as object)).toEqual(['user']);
    const out = await ask('POST', '/auth/logout', { ...next, ...OWN });
    expect([out.status, sessionOf(out)]).toEqual([204, 'auth_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
    expect(await codeOf(await ask('GET', '/private', next))).toBe('invalid_token');
  });

  test.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }, 'cross_origin'],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost' }, 'cross_origin'],
    [{ Origin: 'https://evil.example' }, 'cross_origin'],
    [{ Origin: 'null' }, 'cross_origin'],
    [{}, 'cross_origin'],
    [{ 'Sec-Fetch-Site': 'none' }, undefined],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example' }, undefined],
  ])('with the headers %j an unsafe request ends with %s', async (headers, code) => {
    const ask = await connect(open({ cookie: { origins: ['https://app.example'] } }).accounts);
    const Cookie = sessionOf(await ask('POST', '/auth/register', ASK, ACCOUNT))?.split(';')[0] ?? '';
    for (const [method, path] of [['POST', '/private'], ['POST', '/auth/logout']] as const) {
      const answer = await ask(method, path, { Cookie, ...headers });
      if (code) expect([answer.status, await codeOf(answer)]).toEqual([403, code]);
      else expect(answer.status).toBeLessThan(300);
    }
    const login = await ask('POST', '/auth/login', { 'X-Session': 'cookie', ...headers }, ACCOUNT);
    expect([login.status, sessionOf(login) !== undefined]).toEqual(code ? [403, false] : [200, true]);
  });

  test('is Secure, and no other host can set it, in production', async () => {
    const ask = await connect(open({}, 'production').accounts);
    const set = sessionOf(await ask('POST', '/auth/register', ASK, ACCOUNT)) ?? '';
    expect(set).toMatch(/^__Host-auth_session=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
    const Cookie = set.split(';')[0] ?? '';
    expect((await ask('GET', '/private', { Cookie })).status).toBe(200);
    expect(await codeOf(await ask('GET', '/private', { Cookie: Cookie.replace('__Host-', '') }))).toBe('missing_token');
  });

  test('is the choice of the application', async () => {
    const always = await connect(open({ cookie: true }).accounts);
    expect(sessionOf(await always('POST', '/auth/register', OWN, ACCOUNT))).toBeDefined();
    for (const headers of [{}, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const foreign = await always('POST', '/auth/login', headers, ACCOUNT);
      expect([sessionOf(foreign), 'token' in ((await foreign.json()) as object)]).toEqual([undefined, true]);
    }
    const never = await connect(open({ cookie: false }).accounts);
    const { token } = (await (await never('POST', '/auth/register', ASK, ACCOUNT)).json()) as { token: string };
    expect(await codeOf(await never('GET', '/private', { Cookie: `auth_session=${token}` }))).toBe('missing_token');
  });

  test('is set behind a second factor, whose challenge is no token and works once', async () => {
    const { accounts, events } = open();
    const ask = await connect(accounts);
    accounts.addSecondFactor({ name: 'totp', isRequired: (id) => id === 1 });
    accounts.addRoutes([
      { path: '/second', handlers: { POST: async (request) => accounts.answerSignIn(await accounts.readChallenge(request.header?.('X-Challenge') ?? ''), request) } },
    ]);
    await ask('POST', '/auth/register', {}, ACCOUNT);
    const asked = await ask('POST', '/auth/login', ASK, ACCOUNT);
    const { challenge, ...rest } = (await asked.json()) as { challenge: string };
    expect([asked.status, rest, sessionOf(asked)]).toEqual([200, { secondFactor: ['totp'] }, undefined]);
    expect(await codeOf(await ask('GET', '/auth/me', { Authorization: `Bearer ${challenge}` }))).toBe('invalid_token');
    expect(await accounts.readChallenge(challenge, { keep: true })).toBe(1);
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/auth/second', { ...ASK, 'X-Challenge': challenge })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(answers.map(sessionOf).filter(Boolean)).toHaveLength(1);
    await expect(accounts.readChallenge(challenge)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(events.map(({ type }) => type)).toEqual(['registered', 'second_factor_required', 'logged_in']);
  });
});

test('a challenge ends with the password, the account and five minutes; a login token is none', async () => {
  let now = Date.now();
  const { accounts } = open({ now: () => now });
  const ask = await HOSTS['fetch']!(accounts);
  const { token } = (await (await ask('POST', '/auth/register', {}, ACCOUNT)).json()) as { token: string };
  accounts.addSecondFactor({ name: 'totp', isRequired: async () => true });
  const login = async () => ((await (await ask('POST', '/auth/login', {}, ACCOUNT)).json()) as { challenge: string }).challenge;
  await expect(accounts.readChallenge(token)).rejects.toMatchObject({ code: 'invalid_token' });
  const old = await login();
  now += 300_000;
  await expect(accounts.readChallenge(old)).rejects.toMatchObject({ code: 'token_expired' });
  const [before, last] = [await login(), await login()];
  await accounts.dependencies.users.bumpTokenVersion(1);
  await expect(accounts.readChallenge(before)).rejects.toMatchObject({ code: 'invalid_token' });
  await accounts.dependencies.users.delete(1);
  await expect(accounts.readChallenge(last)).rejects.toMatchObject({ code: 'account_gone' });
  await expect(accounts.signIn(1)).rejects.toMatchObject({ code: 'account_gone' });
});

test('the right password alone does not forget wrong codes', async () => {
  const { accounts } = open({ throttle: createMemoryThrottle({ freeFailures: 3 }) });
  const ask = await HOSTS['fetch']!(accounts);
  await ask('POST', '/auth/register', {}, ACCOUNT);
  accounts.addSecondFactor({ name: 'totp', isRequired: () => true });
  const attempt = () => accounts.dependencies.throttle.admit({ address: '', email: ACCOUNT.email });
  const statuses: number[] = [];
  for (let code = 0; code < 4; code++) {
    statuses.push((await ask('POST', '/auth/login', {}, ACCOUNT)).status);
    await attempt();
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('other builds find, create and sign in accounts', async () => {
  const { accounts, events } = open();
  const ask = await HOSTS['fetch']!(accounts);
  await ask('POST', '/auth/register', {}, ACCOUNT);
  expect(await accounts.findByEmail(' A@EXAMPLE.com')).toMatchObject({ id: 1, verified: false });
  expect([await accounts.findByEmail('none@example.com'), await accounts.findByEmail('\0')]).toEqual([undefined, undefined]);
  const created = await accounts.createVerified('B@example.com');
  expect(await accounts.findByEmail('b@example.com')).toEqual({ ...created, verified: true });
  await expect(accounts.createVerified('b@example.com')).rejects.toMatchObject({ code: 'email_taken' });
  await expect(accounts.createVerified('no address')).rejects.toMatchObject({ code: 'invalid_request' });
  const { user, token, cookie } = await accounts.signIn(created.id);
  expect([user, cookie?.startsWith(`auth_session=${token}; `)]).toEqual([created, true]);
  const me = await ask('GET', '/auth/sessions', { Authorization: `Bearer ${token}` });
  expect(((await me.json()) as { sessions: object[] }).sessions).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'logged_in', userId: created.id, email: 'b@example.com' });
});
