import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, pushVarint } from './byte-reader.ts';

test('numbers are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER })), (numbers) => {
      const out: number[] = [];
      for (const number of numbers) pushVarint(out, number);
      const reader = new ByteReader(Uint8Array.from(out));
      expect(numbers.map(() => reader.varint())).toEqual(numbers);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test('a file that was cut ends with an error', () => {
  expect(() => new ByteReader(Uint8Array.of(128)).varint()).toThrow(RangeError);
  expect(() => new ByteReader(Uint8Array.of(1)).take(2)).toThrow(RangeError);
});
