import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEGINNINGS } from '../../../format/index/ranking.ts';
import {
  ByteReader,
  PAGE_BUILDS,
  formatLeaf,
  formatManifest,
  formatNode,
  pagesOf,
  pushNumbers,
  pushVarint,
  readLeaf,
  readManifest,
  readNode,
  readNumbers,
  readPage,
  sizeOf,
  sizeOfNumbers,
} from './search-files.ts';
import { FIELDS } from './search-terms.ts';

it('readManifest() is the inverse of formatManifest()', () => {
  const leaf = fc.stringMatching(/^[a-z= 𠮷-𠮸]{1,90}$/u);
  fc.assert(
    fc.property(fc.uniqueArray(leaf, { maxLength: 30 }), fc.nat(), (names, builds) => {
      const manifest = { builds, shown: 1, leaves: names.sort(), pages: ['7', 'rest'] };
      expect(readManifest(formatManifest(manifest))).toEqual(manifest);
    }),
  );
  const root = { builds: 1, shown: 1, leaves: [''], pages: ['rest'] };
  expect(readManifest(formatManifest(root))).toEqual(root);
});

it('readLeaf() is the inverse of formatLeaf(), which sizeOf() measures', () => {
  const list = fc.uniqueArray(fc.nat(5_000), { maxLength: 20 }).map((numbers) => {
    return numbers.sort((a, b) => a - b);
  });
  const postings = fc.array(list, { minLength: FIELDS.length, maxLength: FIELDS.length });
  const term = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日', '𠮷', '𠮸', ' ') });
  fc.assert(
    fc.property(fc.array(fc.tuple(term, postings), { maxLength: 6 }), (entries) => {
      const terms = new Map(entries);
      const bytes = formatLeaf(terms);
      expect(readLeaf(bytes)).toEqual(terms);
      const size = [...terms].reduce((sum, entry) => sum + sizeOf(...entry), 0);
      expect(bytes.length).toBeLessThanOrEqual(2 * size + terms.size * 32);
    }),
  );
});

it('readNode() is the inverse of formatNode()', () => {
  const sorted = fc
    .uniqueArray(fc.nat({ max: 100_000 }))
    .map((list) => list.toSorted((a, b) => a - b));
  const size = BEGINNINGS.length;
  fc.assert(
    fc.property(fc.array(sorted, { minLength: size, maxLength: size }), (lists) => {
      expect(readNode(formatNode(lists))).toEqual(lists);
    }),
  );
});

describe('pagesOf()', () => {
  it('has all numbers in their order', () => {
    const order = fc.nat(20_000).chain((count) => fc.constant([...Array(count).keys()].reverse()));
    fc.assert(
      fc.property(order, (numbers) => {
        const pages = [...pagesOf(numbers).values()];
        expect(pages.flatMap(readPage)).toEqual(numbers);
      }),
      { numRuns: 10 },
    );
  });

  it('changes at most two pages when a build moves', () => {
    const numbers = Array.from({ length: 50 * PAGE_BUILDS }, (_, at) => at);
    const before = pagesOf(numbers);
    expect(before.size).toBeGreaterThan(40);
    const [moved = -1] = numbers.splice(20_000, 1);
    numbers.splice(200, 0, moved);
    const after = pagesOf(numbers);
    const changed = [...after].filter(([name, bytes]) => {
      return Buffer.compare(bytes, before.get(name) ?? new Uint8Array()) !== 0;
    });
    expect(changed).toHaveLength(2);
  });
});

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

it('numbers are read back as they were written', () => {
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

it('a file that was cut ends with an error', () => {
  expect(() => new ByteReader(Uint8Array.of(128)).varint()).toThrow(RangeError);
  expect(() => new ByteReader(Uint8Array.of(1)).take(2)).toThrow(RangeError);
});
