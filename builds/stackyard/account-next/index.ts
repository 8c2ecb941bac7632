/// <reference types="node" />
// Accounts in the app router of Next.js, on SQLite: handlers for a route file, and the session of a request. The core is in
// ../account-core. Browsers get the token in a cookie that scripts cannot read; other clients send it as a bearer token.

import { AccountError, type AccountModule, type AuthUser, identify } from '../account-core/index.js';
import { accountModule } from '../account-sqlite/index.js';

/** The name of the cookie with the token. */
export const SESSION_COOKIE = 'account_session';

/** What is used of `headers()` of Next.js, and of the headers of a request. */
interface RequestHeaders {
  get(name: string): string | null;
}

export interface Session {
  readonly user: AuthUser;
}

type RouteHandler = (request: Request) => Promise<Response>;

/** Handlers by method, for `app/auth/[...path]/route.ts`. Opens the accounts at the first request. */
export function createAccountRoute(accounts: AccountModule = accountModule) {
  // This file has a cookie of its own, for server components.
  accounts.configure({ cookie: false });
  const handle: RouteHandler = async (request) => {
    const { prefix, below } = splitPath(request.url);
    const isOwn = isOwnSite(request.headers);
    const asked = isOwn ? withToken(request) : request;
    const address = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
    const answer = await (await accounts.accounts()).fetch(asked, { prefix, address });
    if (answer === undefined) return notFound();
    return isOwn ? await withCookie(answer, below, accounts) : answer;
  };
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}

/** The session of a request, `undefined` without a valid one: `await getSession(await headers())` in a server component. */
export async function getSession(headers: RequestHeaders, accounts: AccountModule = accountModule): Promise<Session | undefined> {
  const bearer = headers.get('authorization');
  const token = readCookie(headers.get('cookie'));
  const authorization = bearer ? [bearer] : token === undefined ? [] : [`Bearer ${token}`];
  try {
    return { user: await identify({ authorization }, (await accounts.accounts()).dependencies) };
  } catch (error) {
    if (error instanceof AccountError) return undefined;
    throw error;
  }
}

/** Whether a route handler may obey the cookie of a request: false for requests that another site has made a browser send. */
export function isOwnSite(headers: RequestHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  // Without both it is no browser, or one that is older than 2020 and reads.
  if (origin === null) return true;
  const host = headers.get('x-forwarded-host') ?? headers.get('host');
  return URL.canParse(origin) && new URL(origin).host === host;
}

// `/auth/sessions/5` is `/sessions/5` below `/auth`, whatever is in front of it: the last folder with that name.
function splitPath(url: string): { readonly prefix: string; readonly below: string } {
  const { pathname } = new URL(url);
  const [, prefix = '', below = ''] = /^(.*?\/auth)(\/.*)?$/.exec(pathname) ?? [];
  return { prefix, below: below.replace(/\/$/, '').toLowerCase() };
}

// The token of the cookie as a header, where the client has sent none.
function withToken(request: Request): Request {
  const token = readCookie(request.headers.get('cookie'));
  if (token === undefined || request.headers.has('authorization')) return request;
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${token}`);
  return new Request(request, { headers });
}

function readCookie(cookies: string | null): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && value) return value;
  }
  return undefined;
}

const SETS = ['/register', '/login', '/password'];
const CLEARS = ['/logout', '/logout-all', '/me'];

// A new token goes into the cookie too, and an ended session takes it away.
async function withCookie(answer: Response, below: string, accounts: AccountModule): Promise<Response> {
  if (CLEARS.includes(below) && answer.status === 204) return setCookie(answer, '', 0);
  if (!SETS.includes(below) || !answer.ok) return answer;
  const { token } = (await answer.clone().json()) as { readonly token?: string };
  // A login that waits for a second factor.
  if (token === undefined) return answer;
  const { expiresAt } = (await accounts.accounts()).dependencies.tokens.verify(token);
  return setCookie(answer, token, Math.max(0, expiresAt - Math.floor(Date.now() / 1000)));
}

function setCookie(answer: Response, value: string, seconds: number): Response {
  const isLocal = ['development', 'test'].includes(process.env['NODE_ENV'] ?? '');
  const parts = [`${SESSION_COOKIE}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`];
  answer.headers.append('Set-Cookie', [...parts, ...(isLocal ? [] : ['Secure'])].join('; '));
  return answer;
}

function notFound(): Response {
  const error = { status: 404, code: 'not_found', message: 'Not found' };
  return new Response(JSON.stringify({ error }), { status: 404, headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

export { currentUser } from '../account-core/index.js';
export type { AuthUser } from '../account-core/index.js';
export { accountMigrations, accountModule, onUserDeleted, requireAuth } from '../account-sqlite/index.js';
