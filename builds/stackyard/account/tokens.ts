// Login tokens: JWTs that are signed with HS256 and nothing else (RFC 7515). The payload is
//   { "sub": "42", "email": "a@example.com", "ver": 0, "jti": "...", "iat": 1790000000, "exp": 1790604800 }

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { StoredUser } from './store.js';

export interface Tokens {
  issue(user: StoredUser): string | Promise<string>;
  /** `undefined` where the token is not valid. */
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined>;
}

export interface TokenClaims {
  readonly userId: number;
  /** Tokens of another version than the account's are refused. */
  readonly tokenVersion: number;
  /** In seconds since 1970. */
  readonly issuedAt: number;
}

export interface TokenOptions {
  readonly secret: string;
  /** Earlier secrets, whose tokens are still accepted. */
  readonly previousSecrets?: readonly string[];
  readonly ttlSeconds: number;
}

const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/;
const Header = z.object({ alg: z.literal('HS256'), crit: z.never().optional() });
const count = z.number().int().min(0);
const sub = z.string().regex(/^[1-9]\d{0,14}$/);
const Payload = z.object({ sub, ver: count, iat: count, exp: count, nbf: count.optional(), aud: z.never().optional() });

export function createTokens({ secret, previousSecrets = [], ttlSeconds }: TokenOptions): Tokens {
  const secrets = [secret, ...previousSecrets];
  if (secrets.includes('')) throw new RangeError('A secret of login tokens is empty');
  return {
    issue(user) {
      const text = [{ alg: 'HS256', typ: 'JWT' }, createPayload(user, ttlSeconds)].map(encode).join('.');
      return `${text}.${sign(text, secret)}`;
    },
    verify(token) {
      const [, header = '', payload = '', signature = ''] = FORM.exec(token) ?? [];
      // Compares texts, because base64url has several spellings of the same bytes.
      const isSigned = secrets.some((key) => isEqual(signature, sign(`${header}.${payload}`, key)));
      return isSigned && Header.safeParse(decode(header)).success ? readPayload(decode(payload)) : undefined;
    },
  };
}

export function createPayload({ id, email, tokenVersion, createdAt }: StoredUser, ttlSeconds: number) {
  // Never before the account, which a machine with a faster clock may have written.
  const iat = Math.floor(Math.max(Date.now(), Date.parse(createdAt)) / 1000);
  return { sub: String(id), email, ver: tokenVersion, jti: randomUUID(), iat, exp: iat + ttlSeconds };
}

/** The claims of a payload whose signature is valid; `undefined` where it has expired or is no login token. */
export function readPayload(payload: unknown): TokenClaims | undefined {
  const claims = Payload.safeParse(payload).data as z.infer<typeof Payload> | undefined;
  const now = Date.now() / 1000;
  // The clocks of two machines may differ by a minute.
  if (!claims || claims.exp <= now || claims.iat > now + 60 || (claims.nbf ?? 0) > now) return undefined;
  return { userId: Number(claims.sub), tokenVersion: claims.ver, issuedAt: claims.iat };
}

function sign(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

// Only of what we have signed.
function decode(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
