// Tokens by jose beside those of the account module.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createTokens } from '../builds/stackyard/account/tokens.ts';
import { createJoseTokens } from './tokens.ts';

const [OLD, NEW] = ['old', 'new'].map((name) => name.padEnd(32, '.')) as [string, string];
const USER = {
  id: 42,
  email: 'a@example.com',
  passwordHash: 'x',
  tokenVersion: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const CLAIMS = { userId: 42, tokenVersion: 3 };

const ofModule = (secret: string) => createTokens(secret, 60);
const ofService = (secret: string, more = {}) =>
  createJoseTokens({ secret, ttlSeconds: 60, ...more });

test.each([NEW, 'ü', ' spaces count '])(
  'the module and the service accept each other’s tokens with the secret %j',
  async (secret) => {
    const [module, service] = [ofModule(secret), ofService(secret)];
    const [moduleToken, serviceToken] = [await module.issue(USER), await service.issue(USER)];
    expect(await service.verify(moduleToken)).toMatchObject(CLAIMS);
    expect(await module.verify(serviceToken)).toMatchObject(CLAIMS);
    const { jti: _, ...claims } = decodeJwt(serviceToken);
    const { jti: __, ...moduleClaims } = decodeJwt(moduleToken);
    expect(claims).toEqual(moduleClaims);
  },
);

test('createJoseTokens() accepts tokens of previous secrets, and no others', async () => {
  const before = await ofModule(OLD).issue(USER);
  const during = ofService(NEW, { previousSecrets: ['x', OLD] });
  expect(await during.verify(before)).toMatchObject(CLAIMS);
  const after = await during.issue(USER);
  expect(await ofService(NEW).verify(after)).toMatchObject(CLAIMS);
  expect(await ofService(NEW).verify(before)).toBeUndefined();
});

test('createJoseTokens() sets and demands its issuer and audience', async () => {
  const parties = { issuer: 'a', audience: 'b' };
  const token = await ofService(NEW, parties).issue(USER);
  expect(decodeJwt(token)).toMatchObject({ iss: 'a', aud: 'b' });
  expect(await ofService(NEW, parties).verify(token)).toMatchObject(CLAIMS);
  for (const others of [{}, { issuer: 'a' }, { issuer: 'a', audience: 'c' }]) {
    expect(await ofService(NEW, others).verify(token), JSON.stringify(others)).toBeUndefined();
  }
  const none = await ofService(NEW).issue(USER);
  for (const others of [parties, { issuer: 'a' }, { audience: 'b' }]) {
    expect(await ofService(NEW, others).verify(none), JSON.stringify(others)).toBeUndefined();
  }
});

const sign = (header: object | string, payload: object | string, secret = NEW): string => {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

const HEADER = { alg: 'HS256', typ: 'JWT' };
const now = Math.floor(Date.now() / 1000);
const PAYLOAD = {
  sub: '42',
  email: 'a@example.com',
  ver: 3,
  jti: 'x'.repeat(22),
  iat: now,
  exp: now + 60,
};
const service = ofService(NEW);

test('createJoseTokens() accepts the header of earlier versions', async () => {
  for (const header of [HEADER, { alg: 'HS256' }, { ...HEADER, kid: 'abcdefghijk' }]) {
    expect(await service.verify(sign(header, PAYLOAD)), JSON.stringify(header)).toMatchObject(
      CLAIMS,
    );
  }
});

const good = sign(HEADER, PAYLOAD);
const [first = '', second = '', third = ''] = good.split('.');
const lastOf = (text: string) => String.fromCharCode(text.charCodeAt(text.length - 1) + 1);

test.each<[string, string]>([
  ['no text', ''],
  ['two parts', `${first}.${second}`],
  ['four parts', `${good}.${third}`],
  ['no signature', `${first}.${second}.`],
  ['padding', `${good}=`],
  ['another spelling of the signature', good.slice(0, -1) + lastOf(good)],
  ['a space', ` ${good}`],
  ['a line break', `${good}\n`],
  ['another secret', sign(HEADER, PAYLOAD, OLD)],
  ['algorithm none', sign({ ...HEADER, alg: 'none' }, PAYLOAD)],
  ['algorithm HS512', sign({ ...HEADER, alg: 'HS512' }, PAYLOAD)],
  ['no algorithm', sign({ typ: 'JWT' }, PAYLOAD)],
  ['crit', sign({ ...HEADER, crit: ['exp'] }, PAYLOAD)],
  ['an empty crit', sign({ ...HEADER, crit: [] }, PAYLOAD)],
  ['b64', sign({ ...HEADER, b64: false, crit: ['b64'] }, PAYLOAD)],
  ['a header that is no object', sign('[]', PAYLOAD)],
  ['a payload that is no object', sign(HEADER, 'null')],
  ['expired', sign(HEADER, { ...PAYLOAD, iat: now - 60, exp: now })],
  ['no expiry', sign(HEADER, { ...PAYLOAD, exp: undefined })],
  ['a number as the account', sign(HEADER, { ...PAYLOAD, sub: 42 })],
  ['an account that is no id', sign(HEADER, { ...PAYLOAD, sub: '1e3' })],
  ['a broken version', sign(HEADER, { ...PAYLOAD, ver: -1 })],
])('createJoseTokens() refuses %s, as the module does', async (_, token) => {
  expect(await service.verify(token)).toBeUndefined();
  expect(await ofModule(NEW).verify(token)).toBeUndefined();
});

test('createJoseTokens() refuses invalid UTF-8 and invalid JSON', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"'),
    Buffer.from([0xff]),
    Buffer.from(`",${JSON.stringify(PAYLOAD).slice(1)}`),
  ]);
  const text = `${first}.${bytes.toString('base64url')}`;
  const signature = createHmac('sha256', NEW).update(text).digest('base64url');
  expect(await service.verify(`${text}.${signature}`)).toBeUndefined();
  expect(await service.verify(sign(HEADER, '{'))).toBeUndefined();
});

test('createJoseTokens() refuses a token that is not valid yet', async () => {
  expect(await service.verify(sign(HEADER, { ...PAYLOAD, nbf: now + 3600 }))).toBeUndefined();
});

test('createJoseTokens() neither throws nor accepts another text', async () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.base64String(), fc.base64String(), fc.base64String())
      .map((parts) => parts.join('.')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (token) => {
      expect(await service.verify(token)).toBeUndefined();
    }),
  );
});

test('createJoseTokens() accepts what another program signs with the secret', async () => {
  const token = await new SignJWT(PAYLOAD).setProtectedHeader(HEADER).sign(Buffer.from(NEW));
  expect(await service.verify(token)).toEqual({ ...CLAIMS, issuedAt: now });
});
