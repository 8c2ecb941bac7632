import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { pushNumbers, readNumbers, sizeOfNumbers } from './number-list.ts';

function bytesOf(numbers: readonly number[]): Uint8Array {
  const out: number[] = [];
  pushNumbers(out, numbers);
  return Uint8Array.from(out);
}

describe('pushNumbers()', () => {
  const list = fc
    .uniqueArray(fc.oneof(fc.nat(200), fc.nat(1_000_000)), { maxLength: 300 })
    .map((numbers) => numbers.sort((a, b) => a - b));

  it('is the inverse of readNumbers()', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const out: number[] = [];
        for (const numbers of lists) pushNumbers(out, numbers);
        const reader = new ByteReader(Uint8Array.from(out));
        expect(lists.map(() => readNumbers(reader))).toEqual(lists);
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  it.each([
    ['no number', [], 1],
    ['one number', [99_999], 4],
    ['every number', Array.from({ length: 8_000 }, (_, at) => at), 1_003],
    ['every second number', Array.from({ length: 8_000 }, (_, at) => 2 * at), 2_003],
    ['one in a hundred', Array.from({ length: 1_000 }, (_, at) => 100 * at), 1_003],
  ])('writes %s in few bytes', (_, numbers, size) => {
    expect(bytesOf(numbers).length).toBeLessThanOrEqual(size);
    expect(sizeOfNumbers(numbers)).toBeLessThanOrEqual(bytesOf(numbers).length);
  });
});

describe('readNumbers()', () => {
  it('refuses bytes that end early', () => {
    const bytes = bytesOf([3, 70, 700]);
    for (let length = 0; length < bytes.length; length += 1) {
      const reader = new ByteReader(bytes.subarray(0, length));
      expect(() => readNumbers(reader)).toThrow(RangeError);
    }
  });
});
