import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNode, readNode } from './node-file.ts';
import { BEGINNINGS } from './search-terms.ts';

test('readNode() is the inverse of formatNode()', () => {
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
