// Rows T1 to T17 of the account API: the bearer header, and which tokens are accepted.

// oxlint-disable vitest/expect-expect -- expectError() and expectInvalidToken() do

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Claims,
  type Contract,
  createAccount,
  expectError,
  expectInvalidToken,
  forge,
  login,
  me,
  nowSeconds,
  readToken,
  SECRET,
  send,
  sign,
  type User,
  withHeaders,
  withHost,
} from './account-request.contract.ts';

const HOUR_SECONDS = 3600;
const DEFAULT_TTL_SECONDS = 604_800;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function describeTokens({ host, startHost, traits }: Contract): void {
  let user: User;
  let token: string;
  let header: Claims;
  let claims: Claims;
  beforeAll(async () => {
    ({ user, token } = await createAccount(host()));
    [header, claims] = readToken(token);
  });

  const expectRefused = async (forged: string): Promise<void> =>
    expectInvalidToken(await me(host(), forged));

  describe('the bearer header', () => {
    test('T1 without a header the challenge has no error', async () => {
      const reply = await withHeaders(host());
      expectError(reply, 401, 'missing_token', 'Missing bearer token');
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="[^"]*"$/);
    });

    test('T2 a malformed header and other schemes are refused', async () => {
      for (const value of [
        'Bearer',
        'Bearer a b',
        `Bearer ${token} x`,
        `Bearer\t${token}`,
        `Bearer,${token}`,
        `Bearer ${token},Bearer ${token}`,
        `Bearer ${token}, Basic x`,
        `Bearer "${token}"`,
      ]) {
        const reply = await withHeaders(host(), 'Authorization', value);
        expectError(reply, 401, 'invalid_token');
        expect(reply.headers['www-authenticate']).toMatch(/, error="invalid_request"$/);
      }
      for (const value of [
        'Basic x',
        `Basic ${token}`,
        `Token ${token}`,
        token,
        `Bearer${token}`,
      ]) {
        const reply = await withHeaders(host(), 'Authorization', value);
        expectError(reply, 401, 'missing_token');
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="[^"]*"$/);
      }
    });

    test('T3 the scheme is written in any case, with any number of spaces', async () => {
      for (const scheme of ['bearer ', 'BEARER ', 'bEaReR ', 'Bearer   '])
        expect((await withHeaders(host(), 'Authorization', scheme + token)).status).toBe(200);
    });

    test('T4 two headers are refused', async () => {
      for (const [first, second] of [
        [`Bearer ${token}`, `Bearer ${token}`],
        [`Bearer ${token}`, 'Basic x'],
        ['Basic x', `Bearer ${token}`],
      ] as const) {
        const reply = await withHeaders(host(), 'Authorization', first, 'authorization', second);
        expectError(reply, 401, 'invalid_token');
      }
    });

    test('T5 a token elsewhere is ignored', async () => {
      const names = ['access_token', 'token', 'authorization'];
      for (const name of names) {
        const query = await send(`${host().url}/me?${name}=${token}`);
        expectError(query, 401, 'missing_token');
        expectError(await withHeaders(host(), 'Cookie', `${name}=${token}`), 401, 'missing_token');
        const form = await send(`${host().url}/me`, {
          headers: ['Content-Type', 'application/x-www-form-urlencoded'],
          body: `${name}=${token}`,
        });
        expectError(form, 401, 'missing_token');
      }
    });

    test('T6 a header above 16 kB is a 431, and a token above 4 kB is refused', async () => {
      const { status } = await me(host(), 'a'.repeat(20_000));
      expect(traits.longHeaderStatuses ?? [431]).toContain(status);
      await expectRefused('a'.repeat(10_000));
      // Signed correctly, so that only its length is the reason.
      await expectRefused(forge(token, { pad: 'x'.repeat(4096) }));
      expect((await me(host(), token)).status).toBe(200);
    });
  });

  describe('tokens', () => {
    test('T7 no algorithm but HS256', async () => {
      for (const alg of [
        'none',
        'None',
        'NONE',
        undefined,
        'HS384',
        'HS512',
        'RS256',
        'hs256',
        '',
      ]) {
        const forged = sign({ ...header, alg }, claims);
        await expectRefused(forged);
        await expectRefused(forged.slice(0, forged.lastIndexOf('.') + 1));
      }
      await expectRefused(sign({ ...header, alg: 'HS384' }, claims, SECRET, 'sha384'));
      await expectRefused(sign({ ...header, alg: 'HS512' }, claims, SECRET, 'sha512'));
      await expectRefused(token.slice(0, token.lastIndexOf('.') + 1));
      await expectRefused(token.slice(0, token.lastIndexOf('.')));
    });

    test('T8 keys that a token brings or names are neither used nor fetched', async () => {
      const fetched: string[] = [];
      const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = keys.publicKey.export({ type: 'spki', format: 'pem' });
      const jwk = { kty: 'oct', k: Buffer.from('mine').toString('base64url'), alg: 'HS256' };
      const server = createServer((request, response) => {
        fetched.push(request.url ?? '');
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ keys: [jwk] }));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
      try {
        await expectRefused(sign(header, claims, pem));
        const input = sign({ ...header, alg: 'RS256' }, claims)
          .split('.')
          .slice(0, 2)
          .join('.');
        const signature = createSign('sha256').update(input).sign(keys.privateKey, 'base64url');
        await expectRefused(`${input}.${signature}`);
        for (const more of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['MIIB'] }]) {
          await expectRefused(sign({ ...header, ...more }, claims, 'mine'));
          await expectRefused(sign({ ...header, ...more }, claims));
        }
        for (const kid of ['../../dev/null', '/dev/null', "' OR 1=1 --", url, '', 'other', 1, {}]) {
          await expectRefused(sign({ ...header, kid }, claims, ''));
          await expectRefused(sign({ ...header, kid }, claims));
        }
        expect(fetched).toEqual([]);
      } finally {
        server.close();
      }
    });

    test('T9 crit, b64 and zip are refused', async () => {
      for (const more of [
        { crit: ['exp'] },
        { crit: [] },
        { crit: ['b64'], b64: true },
        { crit: 'exp' },
        { b64: false },
        { b64: false, crit: ['b64'] },
        { zip: 'DEF' },
        { typ: 'at+jwt' },
      ])
        await expectRefused(forge(token, {}, more));
    });

    test('T10 exp must be a whole number in the future', async () => {
      const iat = nowSeconds() - HOUR_SECONDS;
      const old = { iat: claims['iat'] };
      for (const exp of [
        undefined,
        null,
        String(claims['exp']),
        -1,
        1.5,
        {},
        [claims['exp']],
        true,
      ])
        await expectRefused(forge(token, { ...old, exp }));
      await expectRefused(forge(token, { ...old, exp: nowSeconds() + HOUR_SECONDS + 0.5 }));
      // JSON.stringify cannot write it, and JSON.parse reads it as Infinity.
      const text = JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":1e400');
      expect(text).toContain('1e400');
      await expectRefused(sign(header, text));
      for (const exp of [nowSeconds(), nowSeconds() - 1, iat + 1]) {
        const reply = await me(host(), forge(token, { iat, exp }));
        expectError(reply, 401, 'token_expired', 'Invalid or expired token');
        expect(reply.headers['www-authenticate']).toMatch(/, error="invalid_token"$/);
      }
      // The response contains no details about a token with another signature.
      await expectRefused(sign(header, { ...claims, iat, exp: iat + 1 }, 'another secret'));
    });

    test('T11 nbf and iat in the future are refused, except for 60 seconds of iat', async () => {
      const exp = nowSeconds() + 9 * HOUR_SECONDS;
      await expectRefused(forge(token, { exp, nbf: nowSeconds() + HOUR_SECONDS }));
      await expectRefused(forge(token, { exp, iat: nowSeconds() + HOUR_SECONDS }));
      await expectRefused(forge(token, { exp, nbf: 'soon' }));
      await expectRefused(forge(token, { exp, iat: undefined }));
      const valid = forge(token, { exp, iat: nowSeconds() + 20, nbf: nowSeconds() });
      expect((await me(host(), valid)).status).toBe(200);
    });

    test('T12 a change of any character of a token is detected', async () => {
      await expectRefused(sign(header, claims, 'another secret'));
      const [first = '', second = '', third = ''] = token.split('.');
      for (const start of [0, first.length + 1, first.length + second.length + 2]) {
        const index = start + 5;
        const changed = ALPHABET[ALPHABET.indexOf(token[index]!) ^ 1];
        await expectRefused(token.slice(0, index) + changed + token.slice(index + 1));
      }
      // The last character has two bits that belong to no byte.
      const last = ALPHABET[ALPHABET.indexOf(token.at(-1)!) ^ 1];
      const signature = (text: string): string => Buffer.from(text, 'base64url').toString('hex');
      expect(signature(third.slice(0, -1) + last)).toBe(signature(third));
      await expectRefused(token.slice(0, -1) + last);
      for (const forged of [
        token.slice(0, -1),
        token.slice(1),
        `${token}.`,
        `${token}.${third}`,
        `.${token}`,
        `${token}=`,
        `${first}=.${second}.${third}`,
        `${first}..${third}`,
        `${first}.${second}`,
        `${first}.${second}+.${third}`,
        `${first}.${second}/.${third}`,
        'a.b.c',
        '..',
        '.',
      ])
        expectError(await me(host(), forged), 401, 'invalid_token');
      for (const forged of [`${first} .${second}.${third}`, `${first}.${second}. ${third}`])
        expectError(await me(host(), forged), 401, 'invalid_token');
      // The same bytes in the other alphabet of Base64, signed in that form.
      const payload = Buffer.from(JSON.stringify({ ...claims, pad: '???>>>' })).toString('base64');
      const input = `${first}.${payload.replace(/=+$/, '')}`;
      expect(input).toMatch(/[+/]/);
      await expectRefused(
        `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`,
      );
    });

    test('T13 tokens of development are refused in production, and those of another environment', async () => {
      let development = '';
      await withHost(startHost, { NODE_ENV: 'development' }, async (other) => {
        ({ token: development } = await createAccount(other));
        expect((await me(other, development)).status).toBe(200);
        expectInvalidToken(await me(other, token));
      });
      const [developmentHeader, developmentClaims] = readToken(development);
      const secrets = ['another secret of an environment, long'];
      for (const secret of [...secrets, ...(traits.refusesStart ? [] : [undefined])]) {
        const env = { NODE_ENV: 'production', ...(secret !== undefined && { JWT_SECRET: secret }) };
        await withHost(startHost, env, async (other) => {
          if (secret !== undefined) {
            const own = await createAccount(other);
            // Both are about the first account of their database.
            expect(String(own.user.id)).toBe(developmentClaims['sub']);
          }
          for (const foreign of [development, token, sign(developmentHeader, claims, '')])
            expectInvalidToken(await me(other, foreign));
        });
      }
      await expectRefused(development);
    });

    test('T14 payloads that are not valid claims are refused', async () => {
      const nested = `${'['.repeat(1400)}${']'.repeat(1400)}`;
      for (const payload of ['[]', '"text"', 'null', '1', 'true', '{', '', nested, '{}'])
        await expectRefused(sign(header, payload));
      await expectRefused(sign(header, `{"sub":${nested}}`));
      await expectRefused(sign(header, [claims]));
      await expectRefused(forge(token, { pad: 'x'.repeat(4000) }));
      for (const text of ['[]', 'null', '"HS256"', '{']) await expectRefused(sign(text, claims));
      const bytes = Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url');
      const input = `${token.split('.')[0]}.${bytes}`;
      await expectRefused(
        `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`,
      );
    });

    test('T15 a token is valid for exactly the configured time', async () => {
      expect(Number(claims['exp']) - Number(claims['iat'])).toBe(DEFAULT_TTL_SECONDS);
      const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, JWT_TTL_SECONDS: '86399' };
      await withHost(startHost, env, async (other) => {
        const account = await createAccount(other);
        const again = await login(other, account.user.email);
        for (const issued of [account.token, again.body.token]) {
          const [, { iat, exp }] = readToken(issued);
          expect(Number(exp) - Number(iat)).toBe(86_399);
        }
      });
    });

    test('T16 two logins at once get different tokens, both valid', async () => {
      const replies = await Promise.all([login(host(), user.email), login(host(), user.email)]);
      const tokens = replies.map(({ body }) => body.token);
      expect(new Set(tokens).size).toBe(2);
      expect(new Set(tokens.map((text) => readToken(text)[1]['jti'])).size).toBe(2);
      for (const text of tokens) expect((await me(host(), text)).status).toBe(200);
    });

    test('T17 a token expires after its time (polled until then, without measuring time)', async () => {
      const env = { NODE_ENV: 'test', JWT_SECRET: SECRET, JWT_TTL_SECONDS: '1' };
      await withHost(startHost, env, async (other) => {
        const account = await createAccount(other);
        const statusNow = async () => (await me(other, account.token)).status;
        await expect.poll(statusNow, { timeout: 60_000 }).toBe(401);
        const reply = await me(other, account.token);
        expectError(reply, 401, 'token_expired', 'Invalid or expired token');
        expect(reply.headers['www-authenticate']).toMatch(/, error="invalid_token"$/);
        expect((await login(other, account.user.email)).status).toBe(200);
      });
    });
  });
}
