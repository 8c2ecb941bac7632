import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

test('decodeBase64() is the inverse of encodeBase64()', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['A', 'AA', 'AAA', 'AAAA=', 'AB==', 'AA=', 'A===', 'AA A', 'AA\nA', 'AA-_', '=AAA'])(
  'decodeBase64() refuses %j',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
