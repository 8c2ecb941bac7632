// Login tokens: JWTs, signed with HS256 and nothing else (RFC 7515). Payload: { sub, email, ver, jti, iat, exp }.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { StoredUser } from './store.js';

export interface TokenClaims { readonly userId: number; readonly tokenVersion: number; readonly issuedAt: number }
export interface Tokens {
  issue(user: StoredUser): string | Promise<string>;
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined>;
}

const count = z.number().int().min(0);
const sub = z.string().regex(/^[1-9]\d{0,14}$/);
const Header = z.object({ alg: z.literal('HS256'), crit: z.never().optional() });
const Payload = z.object({ sub, ver: count, iat: count, exp: count, aud: z.never().optional() });

/** Tokens that were signed with one of `previousSecrets` are accepted as well. */
export function createTokens(secret: string, ttlSeconds: number, previousSecrets: readonly string[] = []): Tokens {
  const secrets = [secret, ...previousSecrets].filter((text) => text !== '');
  return {
    issue({ id, email, tokenVersion, createdAt }) {
      // Never before the account, which a machine with a faster clock may have written.
      const iat = Math.floor(Math.max(Date.now(), Date.parse(createdAt)) / 1000);
      const payload = { sub: String(id), email, ver: tokenVersion, jti: randomUUID(), iat, exp: iat + ttlSeconds };
      const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
      return `${text}.${sign(text, secret)}`;
    },
    verify(token) {
      const [, header, payload, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
      if (!header || !payload || !signature) return undefined;
      // Compares texts, because base64url has several spellings of the same bytes.
      const expected = secrets.map((key) => Buffer.from(sign(`${header}.${payload}`, key)));
      if (!expected.some((text) => timingSafeEqual(text, Buffer.from(signature)))) return undefined;
      return Header.safeParse(decode(header)).success ? readPayload(decode(payload)) : undefined;
    },
  };
}

/** The claims of a payload whose signature is valid; `undefined` where it has expired or is no login token. */
export function readPayload(payload: unknown): TokenClaims | undefined {
  const claims = Payload.safeParse(payload).data as z.infer<typeof Payload> | undefined;
  if (!claims || claims.exp <= Date.now() / 1000) return undefined;
  return { userId: Number(claims.sub), tokenVersion: claims.ver, issuedAt: claims.iat };
}

const sign = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url');
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString());
