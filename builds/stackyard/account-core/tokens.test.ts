// Tokens: issued, verified, remembered.

import { createHmac, generateKeyPairSync, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { readAccountConfig } from './config.js';
import type { StoredUser } from './store.js';
import { createTokens, type DatedClaims, type TokenOptions, type Tokens, VerifiedTokens } from './tokens.js';

describe('tokens', () => {
  // Tokens as a whole: headers, keys and time. Every forged token is signed with the real secret by other means, so that
  // only the rule in question refuses it.
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
});

describe('verified tokens', () => {
  // What is remembered of tokens: by itself, and in `createTokens` beside one that remembers nothing.
  const SECRET = 'a test secret that is long enough for HS256';
  const START_MS = Date.UTC(2026, 10, 21, 9, 30);
  const START = START_MS / 1000;

  const dated = (userId: number): DatedClaims => ({
    claims: { userId, email: 'a@x.co', tokenVersion: 0, tokenId: 'x'.repeat(22), issuedAt: 1, expiresAt: 2 },
    notBefore: 0,
  });

  test('VerifiedTokens remembers the tokens used last, and only exactly those', () => {
    const tokens = new VerifiedTokens(2);
    for (const [index, token] of ['a', 'b', 'c'].entries()) tokens.add(token, dated(index));
    expect(tokens.get('a')?.claims.userId).toBe(0);
    tokens.add('d', dated(3));
    tokens.add('e', dated(4));
    expect(['a', 'b', 'c', 'd', 'e'].map((token) => tokens.get(token)?.claims.userId)).toEqual([
      0,
      undefined,
      undefined,
      3,
      4,
    ]);
    for (const token of ['', 'A', 'a ', 'ab', 'toString', '__proto__']) expect(tokens.get(token)).toBeUndefined();
  });

  test('VerifiedTokens stays within its size, however many tokens come', () => {
    const tokens = new VerifiedTokens(100);
    let largest = 0;
    for (let index = 0; index < 50_000; index++) {
      tokens.add(`token ${index}`, dated(index));
      tokens.get(`token ${index - (index % 150)}`);
      largest = Math.max(largest, tokens.size);
    }
    expect(largest).toBe(200);
    tokens.add('x'.repeat(2049), dated(1));
    expect(tokens.get('x'.repeat(2049))).toBeUndefined();
    tokens.add('x'.repeat(2048), dated(1));
    expect(tokens.get('x'.repeat(2048))).toBeDefined();
  });

  function sign(claims: Record<string, unknown>, secret = SECRET): string {
    const payload = { sub: '1', email: 'a@x.co', ver: 0, jti: 'x'.repeat(22), iat: START, exp: START + 60, ...claims };
    const input = [{ alg: 'HS256', typ: 'JWT' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  }

  const TOKENS = [
    sign({}),
    sign({ exp: START + 10 }),
    sign({ iat: START + 90, exp: START + 100 }),
    sign({ nbf: START + 20 }),
    sign({ ver: 1 }),
    sign({ exp: '1' }),
    sign({ iss: 'x' }),
    sign({}, 'another secret that is long enough'),
    sign({}, 'the secret of former times, also long'),
  ];

  function outcome(tokens: Tokens, token: string): unknown {
    try {
      return tokens.verify(token);
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  test('verify() says of every token, in whatever order and at whatever time, what it says of one it never saw', () => {
    const mutation = fc.record({ at: fc.nat(400), to: fc.constantFrom('A', 'b', '0', '-', '.', '=', ' ', 'é', '') });
    const step = fc.record({
      token: fc.constantFrom(...TOKENS),
      change: fc.option(mutation, { freq: 3 }),
      // Also backwards: clocks are set.
      now: fc.integer({ min: START - 100, max: START + 120 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = { now: START_MS };
        const options: TokenOptions = {
          secret: SECRET,
          previousSecrets: ['the secret of former times, also long'],
          now: () => clock.now,
        };
        const tokens = createTokens(options);
        for (const { token, change, now } of steps) {
          clock.now = now * 1000;
          const asked = change ? token.slice(0, change.at) + change.to + token.slice(change.at + 1) : token;
          expect(outcome(tokens, asked)).toEqual(outcome(createTokens(options), asked));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('verify() accepts a remembered token until the second of its expiry, and not before its time', () => {
    const clock = { now: START_MS };
    const tokens = createTokens({ secret: SECRET, now: () => clock.now });
    const token = sign({ nbf: START });
    const at = (seconds: number): unknown => {
      clock.now = seconds * 1000;
      return outcome(tokens, token);
    };
    expect(at(START)).toMatchObject({ userId: 1 });
    expect(at(START + 59.999)).toMatchObject({ userId: 1 });
    expect(at(START + 60)).toBe('token_expired');
    expect(at(START)).toMatchObject({ userId: 1 });
    expect(at(START - 0.001)).toBe('invalid_token');
  });

  test('verify() of other keys remembers nothing: a secret that was taken away ends its tokens', () => {
    const now = () => START_MS;
    const before = createTokens({ secret: 'new', previousSecrets: [SECRET], now });
    const [token = ''] = TOKENS;
    expect(outcome(before, token)).toMatchObject({ userId: 1 });
    expect(outcome(createTokens({ secret: 'new', now }), token)).toBe('invalid_token');
  });

  test('verify() gives claims that a caller may change without harm to the next one', () => {
    const tokens = createTokens({ secret: SECRET, now: () => START_MS });
    const [token = ''] = TOKENS;
    for (let count = 0; count < 3; count++) {
      const claims = tokens.verify(token) as { userId: number; expiresAt: number };
      expect(claims.userId).toBe(1);
      claims.userId = 2;
      claims.expiresAt = Number.MAX_SAFE_INTEGER;
    }
  });
});
