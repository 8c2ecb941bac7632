import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../archive/integrity.ts';
import { FormatError } from '../errors.ts';
import {
  formatMapLeaf,
  formatMapRoot,
  mapBits,
  mapLeafAt,
  parseMapLeaf,
  parseMapRoot,
} from './map.ts';

const PATHS = fc.uniqueArray(
  fc.stringMatching(/^[a-z0-9][a-z0-9./-]{0,40}$/).filter((path) => !/\s/.test(path)),
  { maxLength: 40 },
);

describe('mapBits()', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [1_000, 5],
    [30_000, 8],
    [100_000, 9],
    [100_000_000, 12],
  ])('chooses the number of leaves for %i documents', (documents, bits) => {
    expect(mapBits(documents)).toBe(bits);
  });
});

describe('mapLeafAt()', () => {
  it('takes the first bits of the hash of the path', () => {
    const hex = sha256Hex(Buffer.from('heads/alice/web.json'));
    expect(mapLeafAt('heads/alice/web.json', 0)).toBe(0);
    expect(mapLeafAt('heads/alice/web.json', 8)).toBe(Number.parseInt(hex.slice(0, 2), 16));
    expect(mapLeafAt('heads/alice/web.json', 12)).toBe(Number.parseInt(hex.slice(0, 3), 16));
  });
});

describe('parseMapLeaf()', () => {
  it('is the inverse of formatMapLeaf()', () => {
    fc.assert(
      fc.property(PATHS, (paths) => {
        const documents = new Map(paths.map((path) => [path, sha256Hex(Buffer.from(path))]));
        const parsed = parseMapLeaf(formatMapLeaf(documents));
        expect([...parsed]).toEqual([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('is the form of sha256sum', () => {
    const text = Buffer.from(formatMapLeaf(new Map([['registry.json', 'a'.repeat(64)]])));
    expect(text.toString()).toBe(`${'a'.repeat(64)}  registry.json\n`);
  });

  it.each([
    'x  registry.json\n',
    `${'a'.repeat(64)}  b\n${'a'.repeat(64)}  a\n`,
    `${'a'.repeat(64)}  a\n${'b'.repeat(64)}  a\n`,
    `${'A'.repeat(64)}  a\n`,
    `${'a'.repeat(64)}  a`,
    '\n',
  ])('refuses %j', (text) => {
    expect(() => parseMapLeaf(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'ERR_LOG_MAP' }),
    );
  });

  it('throws nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const parse of [parseMapLeaf, parseMapRoot]) {
          try {
            parse(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        }
      }),
    );
  });
});

describe('parseMapRoot()', () => {
  it('is the inverse of formatMapRoot()', () => {
    const leaves = Array.from({ length: 8 }, (_, at) => new Uint8Array(32).fill(at));
    const { bits, leaves: parsed } = parseMapRoot(formatMapRoot(leaves));
    expect(bits).toBe(3);
    expect(parsed).toEqual(leaves.map((leaf) => Buffer.from(leaf).toString('hex')));
  });

  it.each([0, 31, 96, 32 * 8192])('refuses %i bytes', (bytes) => {
    expect(() => parseMapRoot(new Uint8Array(bytes))).toThrow(
      expect.objectContaining({ code: 'ERR_LOG_MAP' }),
    );
  });
});
