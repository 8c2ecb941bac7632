import { describe, expect, test } from 'vitest';

import VECTOR_FILE from './ed25519-vectors.json' with { type: 'json' };
import { publicKeyOf, signEd25519, verifyEd25519 } from './ed25519.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

// RFC 8032 section 7.1: test 1 to 3.
const VECTORS = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const;

describe('known answers of RFC 8032', () => {
  test.each(VECTORS)('key %s', (seed, publicKey, message, signature) => {
    expect(publicKeyOf(hex(seed))).toEqual(hex(publicKey));
    expect(signEd25519(hex(seed), hex(message))).toEqual(hex(signature));
    expect(verifyEd25519(hex(publicKey), hex(message), hex(signature))).toBe(true);
    expect(verifyEd25519(hex(publicKey), hex(`${message}00`), hex(signature))).toBe(false);
  });
});

test('verifyEd25519() refuses keys and signatures of another length, and a key that is not a point', () => {
  const [seed, publicKey, message, signature] = VECTORS[0];
  expect(verifyEd25519(hex(publicKey).subarray(1), hex(message), hex(signature))).toBe(false);
  expect(verifyEd25519(hex(publicKey), hex(message), hex(signature).subarray(1))).toBe(false);
  expect(verifyEd25519(new Uint8Array(32).fill(0xff), hex(message), hex(signature))).toBe(false);
  expect(() => signEd25519(hex(seed).subarray(1), hex(message))).toThrow(RangeError);
});

/** Source, commit and licence are in the file. */
test('verifyEd25519() judges the vectors of Wycheproof as they say', () => {
  const tests = VECTOR_FILE.groups.flatMap(({ key, tests }) =>
    tests.map((values) => ({ key, values: values as [number, string, string, boolean, string] })),
  );
  expect(tests).toHaveLength(151);
  const wrong = tests.filter(
    ({ key, values: [, message, signature, isValid] }) =>
      verifyEd25519(hex(key), hex(message), hex(signature)) !== isValid,
  );
  expect(wrong).toEqual([]);
});
