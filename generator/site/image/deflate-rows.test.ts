import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deflateRows } from './deflate-rows.ts';

function unpacked(bytes: Uint8Array, stride: number): Uint8Array {
  return Uint8Array.from(inflateSync(deflateRows(bytes, stride)));
}

it('deflateRows() makes what zlib reads, from any bytes', () => {
  const plain = fc.uint8Array({ minLength: 1, maxLength: 3000, max: 3 });
  const any = fc.uint8Array({ minLength: 1, maxLength: 3000 });
  fc.assert(
    fc.property(fc.oneof(plain, any), fc.integer({ min: 2, max: 700 }), (bytes, stride) => {
      expect(unpacked(bytes, stride)).toEqual(bytes);
    }),
  );
  fc.assert(
    fc.property(plain, fc.integer({ min: 1, max: 40 }), (row, times) => {
      const rows = Uint8Array.from(Array.from({ length: times }, () => Array.from(row)).flat());
      expect(unpacked(rows, Math.max(2, row.length))).toEqual(rows);
    }),
  );
});

it.each([1, 2, 3, 258, 259, 260, 601])('deflateRows() packs %i equal bytes', (length) => {
  const bytes = new Uint8Array(length).fill(7);
  expect(unpacked(bytes, 300)).toEqual(bytes);
  expect(deflateRows(bytes, 300).length).toBeLessThan(200);
});

it('deflateRows() packs an empty drawing into less than a hundredth', () => {
  expect(deflateRows(new Uint8Array(601 * 630), 601).length).toBeLessThan(1000);
});

it('deflateRows() keeps codes within 15 bits where some symbols are very rare', () => {
  // Counts of Fibonacci make the longest codes; no byte is that before it or that of the row above.
  const bytes: number[] = [];
  for (let symbol = 0, [a, b] = [1, 1]; symbol < 24; symbol += 1, [a, b] = [b, a + b]) {
    for (let count = 0; count < a; count += 1) bytes.push(symbol * 2, symbol * 2 + 1);
  }
  expect(Buffer.compare(unpacked(Uint8Array.from(bytes), 3), Uint8Array.from(bytes))).toBe(0);
});
