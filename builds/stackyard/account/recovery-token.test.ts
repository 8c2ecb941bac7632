// The form of recovery tokens and of what is stored of them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecoveryToken, hashRecoveryToken } from './recovery-token.js';

test('createRecoveryToken() gives 256 bits, another every time', () => {
  const tokens = Array.from({ length: 1000 }, createRecoveryToken);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});

test('hashRecoveryToken() is a SHA-256 that depends on the purpose and does not contain the token', () => {
  const token = createRecoveryToken();
  const hashes = [hashRecoveryToken('password_reset', token), hashRecoveryToken('email_verification', token)];
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashes).toEqual([hashRecoveryToken('password_reset', token), hashRecoveryToken('email_verification', token)]);
});

test('hashRecoveryToken() gives another hash, or none, for every other text', () => {
  const token = createRecoveryToken();
  const hash = hashRecoveryToken('password_reset', token);
  const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. \n\0é');
  fc.assert(
    fc.property(fc.nat(42), character, (index, other) => {
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      fc.pre(changed !== token);
      expect(hashRecoveryToken('password_reset', changed)).not.toBe(hash);
    }),
  );
  for (const text of ['', token.slice(1), `${token}A`, ` ${token}`, `${token}\n`, `${token}=`])
    expect(hashRecoveryToken('password_reset', text)).toBeUndefined();
});
