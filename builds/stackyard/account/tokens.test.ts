// Tokens as a whole: headers, keys and time. Every forged token is signed with the real secret by other means, so that
// only the rule in question refuses it.

import { createHmac, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { readAccountConfig } from './config.js';
import { createTokens, type TokenOptions } from './tokens.js';
import type { StoredUser } from './users.js';

const SECRET = 'ein Geheimnis, länger als 32 Bytes, in UTF-8';
const NOW = Date.UTC(2026, 10, 21, 9, 30);
const SECONDS = NOW / 1000;

const USER: StoredUser = {
  id: 42,
  email: 'a@example.com',
  passwordHash: '',
  tokenVersion: 3,
  createdAt: '2026-11-21T09:30:00.250Z',
};

const create = (options: Partial<TokenOptions> = {}) =>
  createTokens({ secret: SECRET, now: () => NOW, ...options });
const tokens = create();
const TOKEN = tokens.issue(USER);
const CLAIMS = decodeJwt(TOKEN);

function forge(
  header: unknown,
  payload: unknown = CLAIMS,
  key: string | Buffer = SECRET,
  hash = 'sha256',
): string {
  const input = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;
}

function codeOf(token: string, verifier = tokens): string {
  try {
    verifier.verify(token);
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('issue()', () => {
  test('makes tokens that another implementation accepts', async () => {
    const { payload, protectedHeader } = await jwtVerify(TOKEN, new TextEncoder().encode(SECRET), {
      algorithms: ['HS256'],
      currentDate: new Date(NOW),
    });
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{11}$/) });
    expect(payload).toEqual({
      sub: '42',
      email: 'a@example.com',
      ver: 3,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      iat: SECONDS,
      exp: SECONDS + 604_800,
    });
  });

  test('lasts for ttlSeconds exactly', () => {
    const { iat = 0, exp = 0 } = decodeJwt(create({ ttlSeconds: 7 }).issue(USER));
    expect(exp - iat).toBe(7);
  });

  test('gives each token a name of its own', () => {
    const ids = new Set(Array.from({ length: 100 }, () => decodeJwt(tokens.issue(USER)).jti));
    expect(ids.size).toBe(100);
  });

  test('is never earlier than the account', () => {
    const { iat = 0, exp = 0 } = decodeJwt(tokens.issue({ ...USER, createdAt: '2026-11-21T09:30:05.999Z' }));
    expect([iat, exp - iat]).toEqual([SECONDS + 5, 604_800]);
  });

  test('adds issuer and audience where they are set', () => {
    expect(decodeJwt(create({ issuer: 'i', audience: 'a' }).issue(USER))).toMatchObject({
      iss: 'i',
      aud: 'a',
    });
  });

  test.each([undefined, ''])('fails without a secret: %j', (secret) => {
    const none = create({ secret });
    expect(none.canIssue).toBe(false);
    expect(() => none.issue(USER)).toThrow(expect.objectContaining({ code: 'internal', status: 500 }));
    expect(codeOf(TOKEN, none)).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256' }, CLAIMS, ''), none)).toBe('invalid_token');
  });
});

test.each([0, -1, 1.5, NaN, Infinity])('createTokens() refuses ttlSeconds %d', (ttlSeconds) => {
  expect(() => create({ ttlSeconds })).toThrow(RangeError);
});

describe('verify()', () => {
  test('reads what issue() wrote', () => {
    expect(tokens.verify(TOKEN)).toEqual({
      userId: 42,
      email: 'a@example.com',
      tokenVersion: 3,
      tokenId: CLAIMS.jti,
      issuedAt: SECONDS,
      expiresAt: SECONDS + 604_800,
    });
  });

  test('reads what another implementation signs', async () => {
    const key = new TextEncoder().encode(SECRET);
    const sign = (header: { alg: string; typ?: string }) =>
      new SignJWT(CLAIMS).setProtectedHeader(header).sign(key);
    expect(codeOf(await sign({ alg: 'HS256', typ: 'JWT' }))).toBe('ok');
    expect(codeOf(await sign({ alg: 'HS256' }))).toBe('ok');
    expect(codeOf(await sign({ alg: 'HS384' }))).toBe('invalid_token');
    expect(codeOf(await sign({ alg: 'HS512' }))).toBe('invalid_token');
  });

  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const PEM = publicKey.export({ type: 'spki', format: 'pem' });
  const KID = decodeProtectedHeader(TOKEN).kid;
  const JWK = { kty: 'oct', k: Buffer.from('attacker').toString('base64url') };

  test.each([
    ...[
      undefined,
      null,
      '',
      'none',
      'None',
      'NONE',
      'nOnE',
      'hs256',
      'HS256 ',
      'HS384',
      'HS512',
      'RS256',
      'ES256',
      'EdDSA',
      256,
      ['HS256'],
    ].map((alg) => ({ alg, typ: 'JWT' })),
    ...['jwt', 'at+jwt', 'JOSE', '', null, 1, ['JWT']].map((typ) => ({ alg: 'HS256', typ })),
    ...['', 'x', '../../dev/null', "' OR '1'='1", 0, null, [KID], `${KID}x`, KID?.slice(1)].map((kid) => ({
      alg: 'HS256',
      kid,
    })),
    ...[[], ['exp'], ['b64'], null, 'exp'].map((crit) => ({ alg: 'HS256', crit })),
    { alg: 'HS256', b64: false },
    { alg: 'HS256', b64: true },
    { alg: 'HS256', zip: 'DEF' },
    { alg: 'HS256', jwk: JWK },
    { alg: 'HS256', jku: 'https://attacker.example/jwks.json' },
    { alg: 'HS256', x5u: 'https://attacker.example/cert.pem' },
    { alg: 'HS256', x5c: ['MIIB'] },
    { alg: 'HS256', x5t: 'AAAA' },
    { alg: 'HS256', cty: 'JWT' },
    { alg: 'HS256', enc: 'A128GCM' },
    { alg: 'HS256', ALG: 'none' },
    { alg: 'HS256', exp: 1 },
    {},
  ])('refuses the header %j', (header) => {
    expect(codeOf(forge(header))).toBe('invalid_token');
  });

  test.each([
    ['an empty key', ''],
    ['the secret in other case', SECRET.toUpperCase()],
    ['the secret with a line feed', `${SECRET}\n`],
    ['the secret in base64', Buffer.from(SECRET).toString('base64')],
    ['the secret in Latin-1', Buffer.from(SECRET, 'latin1')],
    ['a public key, as of RS256', PEM],
    ['the key that it brings along', 'attacker'],
    ['a key derived for another purpose', Buffer.from(hkdfSync('sha256', SECRET, '', 'reset', 32))],
    ['the development secret', readAccountConfig({}).secret ?? ''],
  ])('refuses a token under %s', (_name, key) => {
    expect(codeOf(forge({ alg: 'HS256', typ: 'JWT' }, CLAIMS, key))).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256', typ: 'JWT', kid: KID }, CLAIMS, key))).toBe('invalid_token');
  });

  test('refuses the MAC of another hash, whatever the header says', () => {
    for (const hash of ['sha384', 'sha512', 'sha1', 'sha512-256', 'sha3-256']) {
      expect(codeOf(forge({ alg: 'HS256' }, CLAIMS, SECRET, hash))).toBe('invalid_token');
    }
  });

  test.each([[[]], [[CLAIMS]], ['text'], [null], [1], [true], [{}], [{ ...CLAIMS, sub: {} }]])(
    'refuses the payload %j',
    (payload) => {
      expect(codeOf(forge({ alg: 'HS256' }, payload))).toBe('invalid_token');
    },
  );

  test('bears deep nesting and large claims', () => {
    const nested = JSON.parse(`${'['.repeat(1200)}${']'.repeat(1200)}`) as unknown;
    expect(codeOf(forge({ alg: 'HS256' }, nested))).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256', crit: nested }))).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256' }, { ...CLAIMS, role: 'x'.repeat(4096) }))).toBe('invalid_token');
  });

  test('says that a token is over only when all else is right', () => {
    const late = create({ now: () => (SECONDS + 604_800) * 1000 });
    expect(codeOf(TOKEN, late)).toBe('token_expired');
    expect(codeOf(TOKEN.slice(0, -1), late)).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256' }, CLAIMS, 'x'), late)).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256' }, { ...CLAIMS, sub: 'x' }), late)).toBe('invalid_token');
    expect(codeOf(TOKEN, create({ now: () => (SECONDS + 604_800) * 1000 - 1 }))).toBe('ok');
  });

  test('accepts the tokens of previous secrets, and no others', () => {
    const next = create({ secret: 'the next secret', previousSecrets: [SECRET, ''] });
    expect(codeOf(TOKEN, next)).toBe('ok');
    expect(codeOf(next.issue(USER), next)).toBe('ok');
    expect(codeOf(next.issue(USER))).toBe('invalid_token');
    expect(codeOf(TOKEN, create({ secret: 'the next secret' }))).toBe('invalid_token');
    expect(codeOf(forge({ alg: 'HS256' }, CLAIMS, ''), next)).toBe('invalid_token');
    // Signed by one key under the name of the other.
    const kid = decodeProtectedHeader(next.issue(USER)).kid;
    expect(codeOf(forge({ alg: 'HS256', kid }), next)).toBe('invalid_token');
  });

  test('refuses tokens for another issuer or audience', () => {
    const shop = create({ issuer: 'i', audience: 'shop' });
    expect(codeOf(shop.issue(USER), shop)).toBe('ok');
    expect(codeOf(shop.issue(USER), create({ issuer: 'i', audience: 'blog' }))).toBe('invalid_token');
    expect(codeOf(shop.issue(USER))).toBe('invalid_token');
    expect(codeOf(TOKEN, shop)).toBe('invalid_token');
  });
});
