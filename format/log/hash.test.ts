import { describe, expect, test } from 'vitest';
import { EMPTY_ROOT, isSameHash, leafHash, nodeHash } from './hash.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('hashes of RFC 6962', () => {
  test('EMPTY_ROOT is the SHA-256 of nothing', () => {
    expect(hex(EMPTY_ROOT)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('leafHash() puts 0x00 before the entry', () => {
    expect(hex(leafHash(new Uint8Array()))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });

  test('nodeHash() puts 0x01 before both hashes', () => {
    const node = nodeHash(leafHash(new Uint8Array()), leafHash(Uint8Array.of(0)));
    expect(hex(node)).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
  });

  test('isSameHash() compares length and bytes', () => {
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(isSameHash(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
    expect(isSameHash(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
  });
});
