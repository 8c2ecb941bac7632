import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  INTEGRITY_PATTERN,
  formatIntegrity,
  integrityOf,
  parseIntegrity,
  sha256Hex,
} from './integrity.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

// NIST FIPS 180-2, appendix B, and the empty message.
test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('sha256Hex(%j) is the known digest', (text, wanted) => {
  expect(sha256Hex(bytesOf(text))).toBe(wanted);
});

test('integrityOf() has the documented form', () => {
  expect(integrityOf(bytesOf(''))).toBe('sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
});

test('integrityOf() is what Node computes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const theirs = createHash('sha256').update(bytes);
      expect(integrityOf(bytes)).toBe(`sha256-${theirs.copy().digest('base64')}`);
      expect(sha256Hex(bytes)).toBe(theirs.digest('hex'));
    }),
  );
});

test('parseIntegrity() is the inverse of formatIntegrity()', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
      const text = formatIntegrity(digest);
      expect(text).toMatch(INTEGRITY_PATTERN);
      expect(parseIntegrity(text)).toEqual(Uint8Array.from(digest));
    }),
  );
});

const good = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

test.each([
  '',
  'sha256-',
  good.slice(0, -1),
  `${good}=`,
  `${good}\n`,
  ` ${good}`,
  good.replace('sha256', 'sha512'),
  good.replace('sha256', 'SHA256'),
  good.replace('+', '-'),
  // The same bytes under another last character: bits that base64 would drop.
  good.replace('FU=', 'FV='),
])('parseIntegrity() rejects %j', (text) => {
  expect(() => parseIntegrity(text)).toThrow(expect.objectContaining({ code: 'ERR_INTEGRITY' }));
});

test('formatIntegrity() rejects a digest of another length', () => {
  expect(() => formatIntegrity(new Uint8Array(31))).toThrow(RangeError);
});
