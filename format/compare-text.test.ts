import { describe, expect, test } from 'vitest';
import { compareText } from './compare-text.ts';

describe('compareText()', () => {
  test('orders by code unit, capitals first', () => {
    expect(['b', 'ä', 'a', 'B', ''].sort(compareText)).toEqual(['', 'B', 'a', 'b', 'ä']);
  });

  test('returns 0 for equal texts only', () => {
    expect(compareText('a', 'a')).toBe(0);
    // Two normal forms of one letter are two texts.
    expect(compareText('\u00E9', 'e\u0301')).toBeGreaterThan(0);
  });
});
