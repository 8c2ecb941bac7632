// What a payload must hold.

import { describe, expect, test } from 'vitest';
import { formatClaims, isExpired, isTooEarly, type TokenClaims, tryParseClaims } from './token-claims.js';

const NOW = 1_790_000_000;

const CLAIMS: TokenClaims = {
  userId: 42,
  email: 'a@example.com',
  tokenVersion: 3,
  tokenId: 'AAAAAAAAAAAAAAAAAAAAAA',
  issuedAt: NOW,
  expiresAt: NOW + 60,
};

function read(changes: Record<string, unknown>, parties = {}): TokenClaims | undefined {
  const dated = tryParseClaims({ ...formatClaims(CLAIMS, parties), ...changes }, parties);
  return dated && !isTooEarly(dated, NOW) ? dated.claims : undefined;
}

test('tryParseClaims() is the inverse of formatClaims()', () => {
  expect(read({})).toEqual(CLAIMS);
  expect(read({}, { issuer: 'i', audience: 'a' })).toEqual(CLAIMS);
  expect(formatClaims(CLAIMS, {})).toEqual({
    sub: '42',
    email: 'a@example.com',
    ver: 3,
    jti: 'AAAAAAAAAAAAAAAAAAAAAA',
    iat: NOW,
    exp: NOW + 60,
  });
});

describe('tryParseClaims() refuses', () => {
  const infinity = JSON.parse('1e400') as unknown;
  test.each([
    ...[
      '1e0',
      '01',
      '1 ',
      ' 1',
      '+1',
      '-1',
      '1.5',
      '0',
      '',
      '9007199254740993',
      '1'.repeat(17),
      1,
      1.5,
      null,
      {},
      undefined,
    ].map((value) => ({ name: 'sub', value })),
    ...['1790000060', null, infinity, -1, NOW + 0.5, NOW, NOW - 1, 0, 2 ** 53, undefined, true].map(
      (value) => ({
        name: 'exp',
        value,
      }),
    ),
    ...[String(NOW), null, infinity, -1, NOW + 0.5, NOW + 61, undefined].map((value) => ({
      name: 'iat',
      value,
    })),
    ...[NOW + 1, 'x', null, infinity, -1].map((value) => ({ name: 'nbf', value })),
    ...['3', -1, 0.5, null, infinity, undefined].map((value) => ({ name: 'ver', value })),
    ...['', 'short', 'x'.repeat(65), 'AAAAAAAAAAAAAAAA/A', 7, null, undefined].map((value) => ({
      name: 'jti',
      value,
    })),
    ...[1, null, undefined].map((value) => ({ name: 'email', value })),
    ...['x', null, ['x']].flatMap((value) => [
      { name: 'iss', value },
      { name: 'aud', value },
    ]),
  ])('$name $value', ({ name, value }) => {
    expect(read({ [name]: value })).toBeUndefined();
  });

  test('another issuer or audience than it wants', () => {
    const parties = { issuer: 'i', audience: 'a' };
    for (const changes of [
      { iss: 'x' },
      { iss: undefined },
      { aud: 'x' },
      { aud: ['a'] },
      { aud: undefined },
    ]) {
      expect(read(changes, parties)).toBeUndefined();
    }
  });
});

test.each([
  { iat: NOW + 60, exp: NOW + 61 },
  { nbf: NOW },
  { nbf: 0 },
  { sub: '9007199254740991' },
  { role: 'x' },
])('tryParseClaims() accepts %j', (changes) => {
  expect(read(changes)).toBeDefined();
});

test('isExpired() is true from the second of expiry on', () => {
  expect(isExpired(CLAIMS, NOW + 59)).toBe(false);
  expect(isExpired(CLAIMS, NOW + 60)).toBe(true);
  expect(isExpired(CLAIMS, NOW + 61)).toBe(true);
});
