import { describe, expect, it } from 'vitest';
import * as labels from './label.ts';

describe('labels', () => {
  it('are distinct bits of a 31-bit integer', () => {
    const bits = Object.values(labels);
    expect(new Set(bits).size).toBe(bits.length);
    for (const bit of bits) {
      expect(bit & (bit - 1)).toBe(0);
      expect(bit).toBeGreaterThan(0);
      expect(bit).toBeLessThan(2 ** 31);
    }
  });
});
