import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../format/errors.ts';
import { HashSet, MAX_EXACT, Sketch } from './sketch.ts';

const hash = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const hashes = fc.array(fc.oneof(hash, fc.constantFrom(0, -1, 1)), { maxLength: 60 });

/** `count` different hashes, the same each time. */
function manyHashes(count: number, salt = ''): number[] {
  return Array.from({ length: count }, (_, n) =>
    createHash('sha256').update(`${salt}${n}`).digest().readInt32BE(0),
  );
}

function sketchOf(values: Iterable<number>): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

describe('HashSet', () => {
  it('holds what a Set holds', () => {
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 300 }), (values) => {
        const set = new HashSet();
        for (const value of [...values, ...values]) set.add(value);
        const expected = [...new Set(values)].sort((a, b) => a - b);
        expect([...set.sorted()]).toEqual(expected);
        expect(set.size).toBe(expected.length);
      }),
    );
  });
});

describe('Sketch', () => {
  it('counts few values exactly, whatever the order, and each once', () => {
    fc.assert(
      fc.property(hashes, (values) => {
        const sketch = sketchOf([...values, ...values.toReversed()]);
        expect(sketch.count()).toBe(new Set(values).size);
        expect(sketch.toBytes()).toEqual(sketchOf(values.toReversed()).toBytes());
      }),
    );
  });

  it('is read back from its bytes', () => {
    for (const count of [0, 1, 7, MAX_EXACT, MAX_EXACT + 1, 5_000]) {
      const sketch = sketchOf(manyHashes(count));
      const read = Sketch.fromBytes(sketch.toBytes());
      expect(read.count()).toBe(sketch.count());
      expect(read.toBytes()).toEqual(sketch.toBytes());
    }
    expect(() => Sketch.fromBytes(Buffer.from('nonsense'))).toThrow(InternalError);
  });

  it.each([0, 10, 900, 1_100, 6_000])('merges %i values into that of the union', (count) => {
    const all = manyHashes(count);
    for (const cut of [0, 1, Math.floor(count / 2), count]) {
      // The halves overlap.
      const [a, b] = [sketchOf(all.slice(0, cut)), sketchOf(all.slice(Math.floor(cut / 2)))];
      a.merge(b);
      expect(a.toBytes()).toEqual(sketchOf(all).toBytes());
    }
  });

  it('is exact up to its limit, and within five standard errors above', () => {
    expect(sketchOf(manyHashes(MAX_EXACT)).count()).toBe(MAX_EXACT);
    for (const count of [1_500, 4_000, 10_000, 50_000, 300_000]) {
      const error = Math.abs(sketchOf(manyHashes(count, String(count))).count() / count - 1);
      expect(error).toBeLessThan(5 * 0.0163);
    }
  });

  it('never counts less when more is added', () => {
    const sketch = new Sketch();
    let before = 0;
    for (const value of manyHashes(20_000)) {
      sketch.add(value);
      const now = sketch.count();
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  }, 30_000);
});
