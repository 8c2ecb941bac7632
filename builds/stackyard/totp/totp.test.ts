// RFC 6238 with its test vectors, and what surrounds it.

import { expect, test } from 'vitest';
import { codeOfStep, createRecoveryCode, createSecret, createSecretBox, findStep, formatBase32, hashRecoveryCode, otpauthUri, stepAt } from './totp.js';

const SEED = '12345678901234567890';

// RFC 6238 appendix B. The seeds of SHA-256 and SHA-512 have 32 and 64 bytes (erratum 2866).
test.each([
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
])('codeOfStep() has the vectors of RFC 6238 at %d seconds', (seconds, sha1, sha256, sha512) => {
  const step = stepAt(seconds * 1000);
  const code = (algorithm: string, bytes: number) => codeOfStep(Buffer.from(SEED.repeat(4).slice(0, bytes)), step, algorithm, 8);
  expect([code('sha1', 20), code('sha256', 32), code('sha512', 64)]).toEqual([sha1, sha256, sha512]);
});

// RFC 4226 appendix D.
test('codeOfStep() has the vectors of RFC 4226', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
  expect(codes.map((_, step) => codeOfStep(Buffer.from(SEED), step))).toEqual(codes);
});

test('findStep() takes the step before and after, and no other', () => {
  const secret = createSecret();
  const now = 1_790_000_000_000;
  const steps = [-2, -1, 0, 1, 2].map((shift) => findStep(secret, codeOfStep(secret, stepAt(now) + shift), now));
  expect(steps).toEqual([undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined]);
  for (const text of ['', '12345', '1234567', '١٢٣٤٥٦', '12345a', ' 12345']) expect(findStep(secret, text, now)).toBeUndefined();
});

// RFC 4648 section 10, without padding.
test.each([['', ''], ['f', 'MY'], ['fo', 'MZXQ'], ['foo', 'MZXW6'], ['foob', 'MZXW6YQ'], ['fooba', 'MZXW6YTB'], ['foobar', 'MZXW6YTBOI']])(
  'formatBase32(%j) is %j',
  (text, base32) => expect(formatBase32(Buffer.from(text))).toBe(base32),
);

test('otpauthUri() escapes both names', () => {
  const uri = otpauthUri(Buffer.from(SEED), 'Shop: A & B', 'a+b@example.com');
  expect(uri).toBe(
    'otpauth://totp/Shop%20%20A%20%26%20B:a%2Bb%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Shop%20%20A%20%26%20B&algorithm=SHA1&digits=6&period=30',
  );
});

test('a recovery code has one hash in each spelling, and other texts have none', () => {
  const code = createRecoveryCode();
  expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  const hash = hashRecoveryCode(code);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(hash);
  expect(['', '123456', `${code}a`, 'a'.repeat(10_000)].map(hashRecoveryCode)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a secret box opens with each key, for the same account only', () => {
  const old = createSecretBox(['old key']);
  const sealed = old.seal(Buffer.from(SEED), 7);
  expect(sealed).not.toBe(old.seal(Buffer.from(SEED), 7));
  expect(Buffer.from(createSecretBox(['new key', 'old key']).open(sealed, 7)).toString()).toBe(SEED);
  expect(() => old.open(sealed, 8)).toThrow(/^Cannot read the TOTP secret of account 8: .*TOTP_KEY/);
  expect(() => createSecretBox(['new key']).open(sealed, 7)).toThrow(/TOTP_KEY/);
  expect(() => old.open('', 7)).toThrow(/TOTP_KEY/);
});
