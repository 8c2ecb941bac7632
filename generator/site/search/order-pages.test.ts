import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_BUILDS, pagesOf, readPage } from './order-pages.ts';

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
