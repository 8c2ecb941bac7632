import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  intersect,
  isDisjoint,
  isSubset,
  lastOf,
  positionsOf,
  setOf,
  subtract,
  unite,
  type VersionSet,
} from './incompatibility.ts';

const positions = fc.uniqueArray(fc.nat({ max: 12 })).map((list) => list.sort((a, b) => a - b));

test('the operations on intervals are those on sets', () => {
  fc.assert(
    fc.property(positions, positions, (a, b) => {
      const y = new Set(b);
      const same = (set: VersionSet, wanted: readonly number[]): void => {
        expect([...positionsOf(set)]).toEqual([...wanted].sort((p, q) => p - q));
        // Normal form: disjoint intervals that do not touch.
        expect(set).toEqual(setOf([...wanted].sort((p, q) => p - q)));
      };
      same(
        intersect(setOf(a), setOf(b)),
        a.filter((p) => y.has(p)),
      );
      same(unite(setOf(a), setOf(b)), [...new Set([...a, ...b])]);
      same(
        subtract(setOf(a), setOf(b)),
        a.filter((p) => !y.has(p)),
      );
      expect(isSubset(setOf(a), setOf(b))).toBe(a.every((p) => y.has(p)));
      expect(isDisjoint(setOf(a), setOf(b))).toBe(!a.some((p) => y.has(p)));
      expect(lastOf(setOf(a))).toBe(a.at(-1));
    }),
    { numRuns: 2000 },
  );
});
