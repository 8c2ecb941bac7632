// The two addresses that a browser visits: to begin, which sends it to the provider, and where the provider sends it back to. Both
// answer with a redirect, never with a page, so what went wrong is a word in the query: `?social_error=denied`.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AccountError, type AccountLog, type Accounts, type AuthUser } from '../account-core/index.js';
import { createProof, type Profile, type Provider, ProviderError } from './providers.js';
import { ownUrl } from './settings.js';
import type { Attempt, SocialStore } from './store.js';

export interface SocialDependencies {
  readonly accounts: Accounts;
  readonly store: SocialStore;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly appUrl: URL;
  /** Where to send people whose attempt is unknown. */
  readonly loginPath: string;
  readonly log: Pick<AccountLog, 'warn'>;
  /** Other ways in than a password and identities, such as passkeys. */
  otherWaysIn(userId: number): Promise<boolean>;
}

/** Below the prefix of the accounts. */
export const PREFIX = '/auth/social';
const ATTEMPT_SECONDS = 600;
const LOGIN_SECONDS = 60;

/** What an address reads of a request. A stranger chooses all of it. */
export interface Visit {
  readonly method: string;
  /** Below the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly address: string;
  header(name: string): string | undefined;
}

interface Redirect {
  readonly location: URL;
  readonly cookies: readonly string[];
}

/** Why a visitor was sent back without being logged in: the value of `social_error`. */
export type SocialFault =
  | 'denied' | 'provider_unavailable' | 'provider_refused' | 'attempt_unknown' | 'email_not_verified' | 'account_exists'
  | 'linked_elsewhere' | 'account_gone' | 'rate_limited' | 'unknown_provider';

export class SocialError extends Error {
  readonly code: SocialFault;

  constructor(code: SocialFault) {
    super(code);
    this.code = code;
  }
}

/** The redirect that answers a visit; `undefined` for other paths and methods. Rejects with errors that are the host's. */
export async function visit(social: SocialDependencies, request: Visit): Promise<Redirect | undefined> {
  const [, action = '', name = '', ...more] = request.path.split('/');
  if (request.method !== 'GET' || more.length > 0 || name === '') return undefined;
  if (action === 'start') return start(social, name, request);
  return action === 'callback' ? comeBack(social, name, request) : undefined;
}

async function start(social: SocialDependencies, name: string, { query, address }: Visit): Promise<Redirect> {
  const returnTo = ownUrl(query.get('return_to'), social.appUrl);
  try {
    if ((await social.accounts.dependencies.throttle.admit({ address })) > 0) throw new SocialError('rate_limited');
    const { url, cookie } = await begin(social, name, { returnTo: returnTo.href, wantsCookie: query.get('session') === 'cookie' ? 1 : 0, userId: null });
    return { location: url, cookies: [cookie] };
  } catch (error) {
    return failed(social, name, returnTo, error);
  }
}

/** Remembers an attempt, and gives the address of the provider and the cookie that ties the attempt to this browser. */
export async function begin(social: SocialDependencies, name: string, attempt: Omit<Attempt, 'provider' | 'verifier' | 'nonce'>) {
  const provider = social.providers.get(name);
  if (!provider) throw new SocialError('unknown_provider');
  const proof = createProof();
  const url = await provider.begin(proof, callbackUrl(social, name).href);
  const browser = createSecret();
  const now = social.accounts.dependencies.now();
  const { verifier, nonce } = proof;
  await social.store.addAttempt(proof.state, browser, { ...attempt, provider: name, verifier, nonce }, now, now + ATTEMPT_SECONDS * 1000);
  return { url, cookie: formatCookie(social, 'social_state', browser, ATTEMPT_SECONDS) };
}

async function comeBack(social: SocialDependencies, name: string, request: Visit): Promise<Redirect> {
  const { accounts, store } = social;
  const state = request.query.get('state') ?? '';
  const browser = readCookie(social, request, 'social_state') ?? '';
  const attempt = await store.takeAttempt(state, browser, name, accounts.dependencies.now());
  const provider = social.providers.get(name);
  // Another browser, a second time, too late, or never begun here.
  if (!attempt || !provider) return failed(social, name, ownUrl(social.loginPath, social.appUrl), new SocialError('attempt_unknown'));
  const returnTo = new URL(attempt.returnTo);
  const cleared = formatCookie(social, 'social_state', '', 0);
  try {
    const url = callbackUrl(social, name);
    url.search = request.query.toString();
    const profile = await provider.finish({ state, nonce: attempt.nonce, verifier: attempt.verifier }, url);
    const userId = await findAccount(social, name, profile, attempt);
    if (attempt.userId !== null) return { location: withQuery(returnTo, 'social', 'linked'), cookies: [cleared] };
    const { location, cookies } = await logIn(social, userId, attempt.wantsCookie === 1, returnTo, request);
    return { location, cookies: [cleared, ...cookies] };
  } catch (error) {
    return { ...failed(social, name, returnTo, error), cookies: [cleared] };
  }
}

// The session itself where a cookie shall have it; else a code in a cookie, which `POST /auth/social/token` takes: no secret is
// ever in an address, where histories, logs and `Referer` would have it.
async function logIn(social: SocialDependencies, userId: number, wantsCookie: boolean, returnTo: URL, request: Visit): Promise<Redirect> {
  const { accounts, store } = social;
  const { dependencies: deps } = accounts;
  if (wantsCookie && (await requiredFactors(social, userId)).length === 0) {
    const header = (name: string) => request.header(name);
    const sender = { requestId: undefined, userAgent: header('User-Agent'), address: request.address, authorization: [], header };
    const { cookie } = await accounts.signIn(userId, sender);
    if (cookie !== undefined) return { location: returnTo, cookies: [cookie] };
  }
  const code = createSecret();
  await store.addLogin(code, userId, deps.now(), deps.now() + LOGIN_SECONDS * 1000);
  return { location: withQuery(returnTo, 'social', 'login'), cookies: [formatCookie(social, 'social_login', code, LOGIN_SECONDS)] };
}

/**
 * The account of a profile. An identity that is known decides alone. Otherwise an account is found by its address only where both
 * sides have verified it: the provider, or else anybody could say it is theirs, and this application, or else somebody may have
 * registered the address of another person and wait for that person to log in ("pre-hijacking": Sudhodanan and Paverd, USENIX
 * Security 2022, section 4.1).
 */
async function findAccount({ accounts, store }: SocialDependencies, name: string, profile: Profile, attempt: Attempt): Promise<number> {
  const { issuer, subject, email } = profile;
  const { dependencies: deps } = accounts;
  const link = async (userId: number): Promise<number> => {
    if ((await store.add(userId, name, issuer, subject, email, deps.now())) !== userId) throw new SocialError('linked_elsewhere');
    return userId;
  };
  if (attempt.userId !== null) {
    if (!(await deps.users.findByToken(attempt.userId, ''))) throw new SocialError('account_gone');
    return link(attempt.userId);
  }
  const known = await store.find(issuer, subject);
  if (known) return known.userId;
  if (email === undefined || !profile.emailVerified) throw new SocialError('email_not_verified');
  const existing = await accounts.findByEmail(email);
  if (existing) {
    if (!existing.verified || !profile.isAuthority) throw new SocialError('account_exists');
    return link(existing.id);
  }
  const user = await create(accounts, email);
  const created = await deps.users.findByToken(user.id, '');
  if (created) await store.markPasswordless(user.id, created.user.passwordHash);
  return link(user.id);
}

async function create(accounts: Accounts, email: string): Promise<Pick<AuthUser, 'id'>> {
  try {
    return await accounts.createVerified(email);
  } catch (error) {
    // Registered in this moment, or no address at all.
    if (error instanceof AccountError && error.code === 'email_taken') throw new SocialError('account_exists');
    if (error instanceof AccountError && error.code === 'invalid_request') throw new SocialError('provider_refused');
    throw error;
  }
}

/** The names of the second factors that the account needs. */
export async function requiredFactors({ accounts }: SocialDependencies, userId: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const factor of accounts.dependencies.secondFactors) if (await factor.isRequired(userId)) names.push(factor.name);
  return names;
}

function failed({ log }: SocialDependencies, name: string, returnTo: URL, error: unknown): Redirect {
  if (error instanceof ProviderError && error.code !== 'denied') log.warn(`Login by ${JSON.stringify(name)} failed (${error.code}): ${error.message}`);
  const isGone = error instanceof AccountError && error.code === 'account_gone';
  if (!isGone && !(error instanceof ProviderError) && !(error instanceof SocialError)) throw error;
  return { location: withQuery(returnTo, 'social_error', error.code), cookies: [] };
}

function callbackUrl({ appUrl }: SocialDependencies, name: string): URL {
  return new URL(`${PREFIX}/callback/${name}`, appUrl.origin);
}

function withQuery(url: URL, name: string, value: string): URL {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed;
}

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

// `__Host-` keeps other hosts from setting the cookie; browsers take it with https only.
function cookieName({ appUrl }: SocialDependencies, name: string): string {
  return appUrl.protocol === 'https:' ? `__Host-${name}` : name;
}

// Lax: the way back from the provider is a navigation from another site, with which browsers send it; nothing else has it.
function formatCookie(social: SocialDependencies, name: string, value: string, seconds: number): string {
  const secure = social.appUrl.protocol === 'https:' ? '; Secure' : '';
  return `${cookieName(social, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** The value of a cookie of this build. */
export function readCookie(social: SocialDependencies, { header }: Pick<Visit, 'header'>, name: string): string | undefined {
  const begin = `${cookieName(social, name)}=`;
  return header('Cookie')?.split(/; */).find((pair) => pair.startsWith(begin))?.slice(begin.length);
}

const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

type Open = () => SocialDependencies | undefined;

/** The addresses for Express and node:http. */
export function nodePages(open: Open) {
  return (req: IncomingMessage & { readonly ip?: string | undefined }, res: ServerResponse, next: (error?: unknown) => void): void => {
    const social = open();
    if (!social) return next();
    const url = new URL(req.url ?? '/', 'http://host.invalid');
    const header = (name: string): string | undefined => {
      const value = req.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : undefined;
    };
    const request = { method: req.method ?? '', path: url.pathname, query: url.searchParams, address: req.ip ?? req.socket.remoteAddress ?? '', header };
    const answer = async (): Promise<void> => {
      let redirect: Redirect | undefined;
      try {
        redirect = await visit(social, request);
      } catch (error) {
        next(error);
        return;
      }
      if (redirect) sendRedirect(res, redirect);
      else next();
    };
    void answer();
  };
}

function sendRedirect(res: ServerResponse, { location, cookies }: Redirect): void {
  res.statusCode = 302;
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
  res.setHeader('Location', location.href);
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  res.end();
}

/** The addresses for hosts of the web standard. */
export function fetchPages(open: Open) {
  return async (request: Request, { prefix, address = '' }: { readonly prefix: string; readonly address?: string }): Promise<Response | undefined> => {
    const social = open();
    const url = new URL(request.url);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const read = { method: request.method, path: url.pathname.slice(prefix.length), query: url.searchParams, address, header };
    const answer = social && (await visit(social, read));
    if (!answer) return undefined;
    const headers = new Headers({ ...HEADERS, Location: answer.location.href });
    for (const cookie of answer.cookies) headers.append('Set-Cookie', cookie);
    return new Response(null, { status: 302, headers });
  };
}
