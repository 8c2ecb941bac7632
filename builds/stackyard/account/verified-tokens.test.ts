// What is remembered of tokens: by itself, and in `createTokens` beside one that remembers nothing.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DatedClaims } from './token-claims.js';
import { createTokens, type TokenOptions, type Tokens } from './tokens.js';
import { VerifiedTokens } from './verified-tokens.js';

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
