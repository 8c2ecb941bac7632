import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendLeaves, hashesFromTiles, foldHashes, tilesReadBy } from './append.ts';
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from './proof.ts';
import { HASH_BYTES, nodeHash } from './hash.ts';
import { definedRoot, madeLeaves } from '../../tests/log-vectors/made-tree.ts';
import { runs } from '../../tests/run/runs.ts';
import { TILE_WIDTH, tilePath, tileWidth, type Tile } from './tile.ts';

const ALL = madeLeaves(3_000);

/** A log in memory that grows in steps. */
class GrownLog {
  readonly tiles = new Map<string, Uint8Array>();
  size = 0;
  root: Uint8Array = definedRoot([]);
  readonly read: Parameters<typeof appendLeaves>[1] = (tile) => {
    const bytes = this.tiles.get(tilePath(tile));
    if (bytes === undefined) throw new Error(`no ${tilePath(tile)}`);
    return bytes;
  };

  grow(leaves: readonly Uint8Array[]): void {
    const { size, root, tiles } = appendLeaves(this.size, this.read, leaves);
    for (const { tile, bytes } of tiles) this.tiles.set(tilePath(tile), bytes);
    [this.size, this.root] = [size, root];
  }
}

function grownBy(steps: readonly number[]): GrownLog {
  const log = new GrownLog();
  for (const step of steps) log.grow(ALL.slice(log.size, log.size + step));
  return log;
}

/** Each run hashes up to 3,000 leaves. */
const RUNS = { numRuns: runs(200) };
const steps = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 5 });

describe('appendLeaves()', () => {
  test.each([0, 1, 2, 255, 256, 257, 511, 512, 700, 3_000])(
    'makes the tree of %d leaves',
    (size) => {
      expect(grownBy([size]).root).toEqual(definedRoot(ALL.slice(0, size)));
    },
  );

  test('makes the same tiles in any batches', () => {
    fc.assert(
      fc.property(steps, (batches) => {
        const [log, whole] = [grownBy(batches), grownBy([batches.reduce((a, b) => a + b, 0)])];
        expect(log.root).toEqual(whole.root);
        for (const [path, bytes] of whole.tiles) expect(log.tiles.get(path)).toEqual(bytes);
      }),
      RUNS,
    );
  });

  test('makes the tiles that are new, each with its width', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.nat(600), (oldSize, added) => {
        const log = grownBy([oldSize]);
        const leaves = ALL.slice(oldSize, oldSize + added);
        const { tiles } = appendLeaves(oldSize, log.read, leaves);
        expect(tiles.map(({ tile }) => tile)).toEqual([...newTiles(oldSize, oldSize + added)]);
        for (const { tile, bytes } of tiles) expect(bytes).toHaveLength(tile.width * HASH_BYTES);
      }),
      RUNS,
    );
  });

  test('makes tiles from which every proof can be made', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (batches, at) => {
        const log = grownBy(batches);
        const { size, root } = log;
        const subtree = hashesFromTiles(size, log.read);
        const oldSize = at % (size + 1);
        const oldTree = { size: oldSize, root: definedRoot(ALL.slice(0, oldSize)) };
        const consistency = consistencyProof(oldSize, size, subtree);
        expect(verifyConsistency(oldTree, { size, root }, consistency)).toBe(true);
        if (size === 0) return;
        const index = at % size;
        const proof = inclusionProof(index, size, subtree);
        expect(verifyInclusion({ hash: ALL[index]!, index }, { size, root }, proof)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('tilesReadBy()', () => {
  const listed = (size: number, index: number): string[] =>
    tilesReadBy(size, (subtree) => void inclusionProof(index, size, subtree)).map(tilePath);

  test('lists each tile of a proof once', () => {
    expect(listed(200, 7)).toEqual(['tile/0/000.p/200']);
    expect(listed(1_000_000, 5).sort()).toEqual([
      'tile/0/000',
      'tile/0/x003/906.p/64',
      'tile/1/000',
      'tile/1/015.p/66',
      'tile/2/000.p/15',
    ]);
  });

  test('a tile that is too short is an error', () => {
    const cut = hashesFromTiles(10, () => new Uint8Array(9 * HASH_BYTES));
    expect(() => inclusionProof(0, 10, cut)).toThrow('Tile 0 at level 0 has 288 bytes');
  });
});

test('foldHashes() is the root of a complete subtree', () => {
  const leaves = madeLeaves(8);
  expect(foldHashes(Buffer.concat(leaves))).toEqual(definedRoot(leaves));
  expect(foldHashes(Buffer.concat(leaves.slice(0, 2)))).toEqual(nodeHash(leaves[0]!, leaves[1]!));
  expect(foldHashes(leaves[3]!)).toEqual(leaves[3]);
});

/**
 * The tiles that a tree has and had not when it had `oldSize` leaves, lowest level first. A partial tile that became
 * wider counts as new: it has another path.
 */
function* newTiles(oldSize: number, newSize: number): Generator<Tile> {
  for (let level = 0, unit = 1; unit <= newSize; level += 1, unit *= TILE_WIDTH) {
    const [before, after] = [Math.floor(oldSize / unit), Math.floor(newSize / unit)];
    if (before === after) continue;
    const last = Math.floor((after - 1) / TILE_WIDTH);
    for (let index = Math.floor(before / TILE_WIDTH); index <= last; index += 1) {
      yield { level, index, width: tileWidth(newSize, level, index) };
    }
  }
}
