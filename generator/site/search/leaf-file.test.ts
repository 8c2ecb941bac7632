import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatLeaf, readLeaf, sizeOf } from './leaf-file.ts';
import { FIELDS } from './search-terms.ts';

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
