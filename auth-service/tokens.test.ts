// Rotation of the secret. jose, which shares no code with the module, is the oracle.

import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { readServiceConfig } from './config.ts';
import { createServiceTokens } from './tokens.ts';

const [OLD, NEW, NEWEST] = ['old', 'new', 'newest'].map((name) => name.padEnd(32, '.')) as [
  string,
  string,
  string,
];
const USER = {
  id: 1,
  email: 'a@example.com',
  passwordHash: 'x',
  tokenVersion: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};

const tokensOf = (env: Record<string, string>) => createServiceTokens(readServiceConfig(env));

test('createServiceTokens() signs with the new secret and accepts the previous ones', async () => {
  const before = tokensOf({ JWT_SECRET: OLD }).issue(USER);
  const during = tokensOf({ JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD });
  expect(during.verify(before).userId).toBe(1);
  const after = during.issue(USER);
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  await expect(jwtVerify(after, Buffer.from(NEW))).resolves.toMatchObject({
    payload: { sub: '1' },
  });
  const twice = tokensOf({ JWT_SECRET: NEWEST, JWT_SECRET_PREVIOUS: JSON.stringify([NEW, OLD]) });
  expect(twice.verify(before).userId).toBe(1);
  expect(twice.verify(after).userId).toBe(1);
});

test('createServiceTokens() refuses the old secret once it is removed', () => {
  const before = tokensOf({ JWT_SECRET: OLD }).issue(USER);
  expect(() => tokensOf({ JWT_SECRET: NEW }).verify(before)).toThrow(
    expect.objectContaining({ code: 'invalid_token' }),
  );
});

test('createServiceTokens() sets and demands issuer and audience', () => {
  const env = { JWT_SECRET: OLD };
  const parties = { ...env, JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'b' };
  const token = tokensOf(parties).issue(USER);
  expect(tokensOf(parties).verify(token).userId).toBe(1);
  expect(() => tokensOf(env).verify(token)).toThrow('Invalid or expired token');
  expect(() => tokensOf({ ...parties, JWT_AUDIENCE: 'c' }).verify(token)).toThrow(
    'Invalid or expired token',
  );
});
