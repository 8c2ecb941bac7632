// Functions for the contract of the account routes: requests, byte for byte, and forged tokens.

import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import type { AccountHost, Environment, StartHost } from './account-host-fixture.ts';

export const SECRET = 'a secret that the test knows, of enough bytes';
export const PASSWORD = 'correct horse battery';

export interface User {
  readonly id: number;
  readonly email: string;
  readonly created_at: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, an empty object when it is not JSON. */
  readonly body: {
    readonly user: User;
    readonly token: string;
    readonly error: {
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly issues?: readonly { readonly path: string; readonly message: string }[];
    };
  };
}

export interface Sent {
  readonly method?: string;
  /** Alternating names and values, so that a name can occur twice. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer | undefined;
  /** Omits the header content-length. */
  readonly isChunked?: boolean;
}

/** What the sections of the contract share. */
export interface Contract {
  /** Runs through all rows of a describe, with `SECRET` and hashes that cost little. */
  readonly host: () => AccountHost;
  /** Another one, with hashes as users have them: for rows about hashes. */
  readonly hashingHost: () => AccountHost;
  /** Starts hosts with hashes that cost little. */
  readonly startHost: StartHost;
  /** Starts hosts with hashes as users have them. */
  readonly startHashingHost: StartHost;
  readonly traits: HostTraits;
}

/** How hosts may differ. */
export interface HostTraits {
  /** An app of a user with the routes at `/auth` and `/v2/accounts`, and `/private` behind `requireAuth`. */
  readonly startApp: StartHost;
  /** That app has them at `/parsed` too, behind a parser of JSON bodies. */
  readonly hasBodyParser: boolean;
  /** The host lists and ends single sessions. */
  readonly hasSessions: boolean;
  /** The host gives sessions in cookies. */
  readonly hasCookies: boolean;
  /**
   * The host has the routes of `createRecovery`: `/mails` gives the mails that were sent, and `/verified` is behind
   * `requireVerified`; and those of `FACTOR_ROUTES`.
   */
  readonly hasRecovery: boolean;
  /** In production the start is refused without a secret of enough bytes. */
  readonly refusesStart?: boolean;
  /** The possible statuses for a header above 16 kB, where it is not 431. */
  readonly longHeaderStatuses?: readonly number[];
  /** The host responds with JSON to requests outside the account routes, and has `/ready`. */
  readonly isService: boolean;
}

let emails = 0;

/** An address that no account has. */
export function newEmail(): string {
  return `user${++emails}@x.co`;
}

/** Every token that was issued, by host. */
const tokensOf = new WeakMap<AccountHost, string[]>();

export function answeredTokens(host: AccountHost): readonly string[] {
  return tokensOf.get(host) ?? [];
}

/** Sends exactly this, on a connection of its own. */
export function send(
  url: string,
  { method = 'GET', headers = [], body }: Sent = {},
): Promise<Reply> {
  const length = body === undefined ? [] : ['Content-Length', `${Buffer.byteLength(body)}`];
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    // With "close" a server that refuses a body before its end would cut the connection while it is being sent.
    const all = ['Host', host, 'Connection', 'keep-alive', ...length, ...headers];
    const outgoing = request(url, { method, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson =
          text !== '' && response.headers['content-type']?.startsWith('application/json') === true;
        const parsed = (isJson ? JSON.parse(text) : {}) as Reply['body'];
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: parsed,
        });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Posts `body`: text and bytes as they are, anything else as JSON. */
export async function post(
  host: AccountHost,
  path: string,
  body: unknown,
  headers: readonly string[] = ['Content-Type', 'application/json'],
): Promise<Reply> {
  const bytes = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  const reply = await send(host.url + path, { method: 'POST', headers, body: bytes });
  if (typeof reply.body.token === 'string')
    tokensOf.set(host, [...answeredTokens(host), reply.body.token]);
  return reply;
}

export function register(
  host: AccountHost,
  email: unknown = newEmail(),
  password: unknown = PASSWORD,
): Promise<Reply> {
  return post(host, '/register', { email, password });
}

export function login(
  host: AccountHost,
  email: unknown,
  password: unknown = PASSWORD,
): Promise<Reply> {
  return post(host, '/login', { email, password });
}

/** Requests `/me` with the token. */
export function me(host: AccountHost, token: string): Promise<Reply> {
  return withHeaders(host, 'Authorization', `Bearer ${token}`);
}

/** Requests `/me` with these headers. */
export function withHeaders(host: AccountHost, ...headers: string[]): Promise<Reply> {
  return send(`${host.url}/me`, { headers });
}

/** A new account that is known to work. */
export async function createAccount(
  host: AccountHost,
): Promise<{ readonly user: User; readonly token: string }> {
  const { status, body } = await register(host);
  expect(status).toBe(201);
  return body;
}

/** Runs `work` with a host of its own. */
export async function withHost(
  start: StartHost,
  env: Environment,
  work: (host: AccountHost) => Promise<void>,
): Promise<void> {
  const host = await start(env);
  try {
    await work(host);
  } finally {
    await host.stop();
  }
}

/** Checks an error response: status, code, and the message if one is given. */
export function expectError(reply: Reply, status: number, code: string, message?: string): void {
  expect([reply.status, reply.body], reply.text).toEqual([
    status,
    { error: expect.objectContaining({ status, code }) },
  ]);
  const { error } = reply.body;
  if (message !== undefined) expect(error.message).toBe(message);
  expect(typeof error.message).toBe('string');
  expect(['status', 'code', 'message', 'issues', 'requestId']).toEqual(
    expect.arrayContaining(Object.keys(error)),
  );
  // Behind `requireAuth` an application in Python answers, which names no charset.
  expect(reply.headers['content-type']).toMatch(/^application\/json(?:; charset=utf-8)?$/);
  if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="/);
}

/** 401 for a token that was read and refused. */
export function expectInvalidToken(reply: Reply): void {
  expectError(reply, 401, 'invalid_token', 'Invalid or expired token');
  expect(reply.headers['www-authenticate']).toMatch(/, error="invalid_token"$/);
}

/** The header and the claims of a token. */
export function readToken(token: string): [header: Claims, claims: Claims] {
  const [header = '', claims = ''] = token.split('.');
  const read = (text: string): Claims =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
  return [read(header), read(claims)];
}

export type Claims = Readonly<Record<string, unknown>>;

/** Signs a header and a payload, given as values or as JSON text, with HS256 by default. */
export function sign(
  header: Claims | string,
  payload: unknown,
  key: string | Buffer = SECRET,
  hash = 'sha256',
): string {
  const encode = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;
}

/** The token with other claims and header fields, signed again; `undefined` removes one. */
export function forge(token: string, claims: Claims, header: Claims = {}): string {
  const [oldHeader, oldClaims] = readToken(token);
  return sign({ ...oldHeader, ...header }, { ...oldClaims, ...claims });
}

/** The current time in seconds, as in tokens. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The SQL literal of a text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
