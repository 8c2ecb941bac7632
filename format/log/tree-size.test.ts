import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_TREE_SIZE, isTreeSize, leftSize, tryParseTreeSize } from './tree-size.ts';

describe('leftSize()', () => {
  test.each([
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [8, 4],
    [9, 8],
    [2 ** 32, 2 ** 31],
    [2 ** 32 + 1, 2 ** 32],
    [2 ** 49, 2 ** 48],
    [2 ** 49 - 1, 2 ** 48],
    [2 ** 49 + 1, 2 ** 49],
    [MAX_TREE_SIZE, 2 ** 52],
  ])('of %d is %d', (size, left) => {
    expect(leftSize(size)).toBe(left);
  });

  test('is a power of two below the size, and its double is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: MAX_TREE_SIZE }), (size) => {
        const left = leftSize(size);
        expect(BigInt(left).toString(2)).toMatch(/^10*$/);
        expect(left < size && left * 2 >= size).toBe(true);
      }),
    );
  });
});

describe('tryParseTreeSize()', () => {
  test('reads what String() writes', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        expect(tryParseTreeSize(String(size))).toBe(size);
      }),
    );
  });

  test.each([
    '',
    '-1',
    '+1',
    '01',
    '00',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '0x1',
    '٣',
    '9007199254740992',
    '9'.repeat(40),
  ])('refuses %j', (text) => {
    expect(tryParseTreeSize(text)).toBeUndefined();
  });
});

test('isTreeSize() refuses fractions, negative numbers and what is not exact', () => {
  expect([0, 1, MAX_TREE_SIZE].every(isTreeSize)).toBe(true);
  expect([-1, 0.5, NaN, Infinity, MAX_TREE_SIZE + 1].some(isTreeSize)).toBe(false);
});
