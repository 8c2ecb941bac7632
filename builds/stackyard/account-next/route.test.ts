import { expect, it, vi } from 'vitest';
import { createPasswords } from '../account-core/index.js';
import { accountModule, createAccountRoute, getSession, isOwnSite, SESSION_COOKIE } from './index.js';

// The cost in production makes a test take seconds.
accountModule.configure({ passwords: createPasswords({ cost: { logN: 10, r: 8, p: 1 } }) });
const { DELETE, GET, POST, PUT } = createAccountRoute();
const PASSWORD = 'correct horse';

interface Body {
  readonly user: { readonly id: number; readonly email: string };
  readonly token: string;
  readonly error: { readonly code: string };
}

let count = 0;

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = JSON.stringify(body);
  return POST(new Request(`http://localhost:3000/auth${path}`, { method: 'POST', body: text, headers: { host: 'localhost:3000', ...headers } }));
}

async function register(headers: Record<string, string> = {}) {
  count += 1;
  const email = `next-${count}@example.com`;
  const answer = await post('/register', { email, password: PASSWORD }, headers);
  expect(answer.status).toBe(201);
  const { token } = (await answer.json()) as Body;
  return { email, token, cookie: answer.headers.getSetCookie() };
}

function get(path: string, headers: Record<string, string>): Promise<Response> {
  return GET(new Request(`http://localhost:3000${path}`, { headers }));
}

const codeOf = async (answer: Response) => ((await answer.json()) as Body).error.code;

it('registers, logs in and answers me by token', async () => {
  const { email, token } = await register();
  const login = await post('/login', { email, password: PASSWORD });
  expect(login.status).toBe(200);
  const me = await get('/auth/me', { authorization: `Bearer ${token}` });
  expect([me.status, ((await me.json()) as Body).user.email]).toEqual([200, email]);
  expect(await codeOf(await get('/auth/me', {}))).toBe('missing_token');
});

it('sets the token as a cookie that scripts cannot read, and takes it', async () => {
  const { email, token, cookie } = await register();
  expect(cookie).toHaveLength(1);
  expect(cookie[0]).toMatch(new RegExp(`^${SESSION_COOKIE}=[^;]+; Path=/; HttpOnly; SameSite=Lax; Max-Age=604(?:800|799)$`));
  const sent = { cookie: `theme=dark; ${SESSION_COOKIE}=${token}` };
  expect((await get('/auth/me', sent)).status).toBe(200);
  expect(await getSession(new Headers(sent))).toMatchObject({ user: { email } });
  const out = await post('/logout', {}, sent);
  expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, `${SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`]);
  expect(await getSession(new Headers(sent))).toBeUndefined();
});

it('leaves the answer of a login that waits for a second factor, and sets no cookie of the core', async () => {
  const { email } = await register();
  const asCookie = await post('/login', { email, password: PASSWORD }, { 'x-session': 'cookie', 'sec-fetch-site': 'same-origin' });
  expect(asCookie.headers.getSetCookie().map((text) => text.split('=')[0])).toEqual([SESSION_COOKIE]);
  const factor = { name: 'code', isRequired: () => true };
  const { secondFactors } = (await accountModule.accounts()).dependencies;
  secondFactors.add(factor);
  const login = await post('/login', { email, password: PASSWORD });
  secondFactors.delete(factor);
  expect([login.status, login.headers.getSetCookie(), await login.json()]).toEqual([200, [], { secondFactor: ['code'], challenge: expect.any(String) }]);
});

it('sends the cookie over HTTPS alone in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const { cookie } = await register();
  vi.unstubAllEnvs();
  expect(cookie[0]).toMatch(/; Secure$/);
});

it('gives requests that another site makes neither a session nor a cookie', async () => {
  const { email, token } = await register();
  const cookie = `${SESSION_COOKIE}=${token}`;
  for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect(await codeOf(await post('/logout', {}, { cookie, ...foreign }))).toBe('missing_token');
    const login = await post('/login', { email, password: PASSWORD }, foreign);
    expect([login.status, login.headers.getSetCookie()]).toEqual([200, []]);
  }
  const own = await post('/logout', {}, { cookie, origin: 'http://localhost:3000' });
  expect(own.status).toBe(204);
});

it.each([
  [{}, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://a.example' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ origin: 'https://a.example', host: 'a.example' }, true],
  [{ origin: 'https://a.example', host: '127.0.0.1:3000', 'x-forwarded-host': 'a.example' }, true],
  [{ origin: 'https://a.example', host: 'b.example' }, false],
  [{ origin: 'no origin', host: 'no origin' }, false],
])('isOwnSite(%j) is %s', (headers, expected) => {
  expect(isOwnSite(new Headers(headers as Record<string, string>))).toBe(expected);
});

it('answers other methods and paths, also below a base path', async () => {
  expect((await PUT(new Request('http://localhost/auth/me', { method: 'PUT' }))).status).toBe(405);
  expect(await codeOf(await get('/auth/none', {}))).toBe('not_found');
  expect(await codeOf(await get('/shop/auth/me/', {}))).toBe('missing_token');
});

it('deletes the account, and reads a token of the header before that of the cookie', async () => {
  const { token } = await register();
  const other = await register();
  const headers = { authorization: `Bearer ${token}`, cookie: `${SESSION_COOKIE}=${other.token}` };
  const gone = await DELETE(new Request('http://localhost/auth/me', { method: 'DELETE', headers }));
  expect(gone.status).toBe(204);
  expect(await codeOf(await get('/auth/me', { authorization: `Bearer ${token}` }))).toBe('account_gone');
  expect(await getSession(new Headers({ cookie: headers.cookie }))).toBeDefined();
});
