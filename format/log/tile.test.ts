import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundlePath, parseLogPath, tilePath, tileWidth } from './tile.ts';
import { MAX_TREE_SIZE, isTreeSize, leftSize, tryParseTreeSize } from './tree-size.ts';

describe('paths of C2SP tlog-tiles', () => {
  test.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 1_234_067, width: 256 }, 'tile/1/x001/x234/067'],
    [{ level: 2, index: 999, width: 1 }, 'tile/2/999.p/1'],
    [{ level: 63, index: 1000, width: 255 }, 'tile/63/x001/000.p/255'],
  ])('of %j', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseLogPath(path)).toEqual({ kind: 'tile', tile });
  });

  test('bundles and the checkpoint have their own', () => {
    expect(bundlePath({ index: 1_234_067, width: 3 })).toBe('tile/entries/x001/x234/067.p/3');
    expect(parseLogPath('checkpoint')).toEqual({ kind: 'checkpoint' });
  });

  test('parse and format are inverse', () => {
    const width = fc.integer({ min: 1, max: 256 });
    const index = fc.integer({ min: 0, max: MAX_TREE_SIZE });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 63 }), index, width, (level, index, width) => {
        const tile = { level, index, width };
        expect(parseLogPath(tilePath(tile))).toEqual({ kind: 'tile', tile });
        const bundle = { index, width };
        expect(parseLogPath(bundlePath(bundle))).toEqual({ kind: 'bundle', bundle });
      }),
    );
  });

  test.each([
    '',
    '/checkpoint',
    'checkpoint/',
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/001/000',
    'tile/0/x001/x000',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/entries/',
    'tile/entry/000',
    'tile/0/x999/x999/x999/x999/x999/999',
    'tile/0/../0/000',
    'tile/0/000\n',
  ])('%j is no path', (path) => {
    expect(parseLogPath(path)).toBeUndefined();
  });

  test('widths and indexes that no tile has are programming errors', () => {
    for (const width of [0, 257, 1.5]) {
      expect(() => tilePath({ level: 0, index: 0, width })).toThrow(RangeError);
    }
    expect(() => tilePath({ level: 0, index: -1, width: 1 })).toThrow(RangeError);
  });
});

test('tileWidth() is what the specification computes', () => {
  expect(tileWidth(70_000, 0, 273)).toBe(112);
  expect(tileWidth(70_000, 1, 1)).toBe(17);
  expect(tileWidth(70_000, 2, 0)).toBe(1);
  expect(tileWidth(70_000, 0, 274)).toBe(0);
  expect(tileWidth(70_000, 3, 0)).toBe(0);
  expect(tileWidth(MAX_TREE_SIZE, 6, 0)).toBe(31);
  expect(tileWidth(MAX_TREE_SIZE, 5, 31)).toBe(255);
});

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
