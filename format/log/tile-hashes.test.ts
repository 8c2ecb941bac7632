import { describe, expect, test } from 'vitest';
import { HASH_BYTES, nodeHash } from './hash.ts';
import { definedRoot, madeLeaves } from './made-tree.ts';
import { inclusionProof } from './proof.ts';
import { foldHashes, hashesFromTiles, tilesReadBy } from './tile-hashes.ts';
import { tilePath } from './tile.ts';

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
