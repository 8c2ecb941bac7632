// Tokens: what other versions and the service sign is accepted, forged ones are tested over HTTP.

import { createHmac } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokens } from './tokens.js';

const SECRET = 'a secret that the test knows, of enough bytes';
const user = {
  id: 42,
  email: 'a@example.com',
  passwordHash: '',
  tokenVersion: 3,
  createdAt: '2026-11-21T09:30:00.500Z',
};
const tokens = createTokens(SECRET, 60);
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;

afterEach(() => void vi.useRealTimers());

function sign(header: object, payload: object, secret = SECRET): string {
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

test('issue() writes the claims of versions 1 to 3, which verify() reads until the end', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-28T00:00:00Z') });
  const token = String(tokens.issue(user));
  const iat = Date.parse('2026-11-28T00:00:00Z') / 1000;
  expect(payloadOf(token)).toEqual({
    sub: '42',
    email: user.email,
    ver: 3,
    jti: expect.any(String),
    iat,
    exp: iat + 60,
  });
  expect(tokens.verify(token)).toEqual({ userId: 42, tokenVersion: 3, issuedAt: iat });
  vi.advanceTimersByTime(59_999);
  expect(tokens.verify(token)).toBeDefined();
  vi.advanceTimersByTime(1);
  expect(tokens.verify(token)).toBeUndefined();
});

test('issue() never dates a token before its account', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T09:29:00Z') });
  expect(payloadOf(String(tokens.issue(user)))).toMatchObject({ iat: Date.parse('2026-11-21T09:30:00Z') / 1000 });
});

test('verify() accepts the form of versions 1 to 3, with a key id', () => {
  const now = Math.floor(Date.now() / 1000);
  const payload = { sub: '7', email: 'a@example.com', ver: 0, jti: 'abcdefghijklmnop', iat: now, exp: now + 9 };
  const token = sign({ alg: 'HS256', typ: 'JWT', kid: 'abc' }, payload);
  expect(tokens.verify(token)).toEqual({ userId: 7, tokenVersion: 0, issuedAt: now });
  // The challenge of a second factor of version 3 is no login token.
  expect(tokens.verify(sign({ alg: 'HS256' }, { ...payload, aud: 'second factor of a login' }))).toBeUndefined();
  expect(tokens.verify(sign({ alg: 'HS256', crit: ['b64'] }, payload))).toBeUndefined();
});

test('tokens of previous secrets are accepted, and an empty one is none', () => {
  const token = String(createTokens('the old secret', 60).issue(user));
  expect(createTokens(SECRET, 60, ['', 'the old secret']).verify(token)).toBeDefined();
  expect(tokens.verify(token)).toBeUndefined();
  expect(createTokens(SECRET, 60, ['']).verify(sign({ alg: 'HS256' }, payloadOf(token), ''))).toBeUndefined();
});
