import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wilsonLowerBound } from './wilson.ts';

it.each([
  [0, 0, 0],
  [3, 3, 0.4385],
  [95, 100, 0.8882],
  [0, 10, 0],
  [0, 417, 0],
])('wilsonLowerBound() of %i in %i is %f', (successes, observations, expected) => {
  const bound = wilsonLowerBound(successes, observations);
  expect(bound).toBeCloseTo(expected, 4);
  if (successes === 0) expect(bound).toBe(0);
});

it('wilsonLowerBound() stays below the rate, and grows with more of the same', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), (success, failure) => {
      const total = success + failure;
      const bound = wilsonLowerBound(success, total);
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(total === 0 ? 0 : success / total);
      expect(wilsonLowerBound(2 * success, 2 * total)).toBeGreaterThanOrEqual(bound - 1e-12);
    }),
    { numRuns: 2_000 },
  );
});
