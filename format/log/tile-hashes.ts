/** Reads the hashes of subtrees from tiles, and lists the tiles that a computation needs. */
import { HASH_BYTES, nodeHash } from './hash.ts';
import type { SubtreeHash } from './proof.ts';
import { TILE_HEIGHT, TILE_WIDTH, tileWidth } from './tile.ts';
import type { Tile } from './tile.ts';

/** The bytes of a tile: `width` hashes one after the other. */
export type ReadTile = (tile: Tile) => Uint8Array;

/**
 * Hashes of complete subtrees in a tree of `size` leaves.
 * @param read throws for a tile that is missing; a tile with more hashes than its width is accepted
 * @throws {RangeError} when `read` returns too few bytes
 */
export function hashesFromTiles(size: number, read: ReadTile): SubtreeHash {
  return (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const count = 2 ** (height - level * TILE_HEIGHT);
    const first = index * count;
    const tile = { level, index: Math.floor(first / TILE_WIDTH) };
    const bytes = read({ ...tile, width: tileWidth(size, level, tile.index) });
    const start = (first % TILE_WIDTH) * HASH_BYTES;
    if (bytes.length < start + count * HASH_BYTES) {
      throw new RangeError(`Tile ${tile.index} at level ${level} has ${bytes.length} bytes`);
    }
    return foldHashes(bytes.subarray(start, start + count * HASH_BYTES));
  };
}

/** The tiles that `compute` reads in a tree of `size` leaves, each once, in the order of their first use. */
export function tilesReadBy(size: number, compute: (subtree: SubtreeHash) => void): Tile[] {
  const tiles = new Map<string, Tile>();
  const blank = new Uint8Array(TILE_WIDTH * HASH_BYTES);
  compute(
    hashesFromTiles(size, (tile) => {
      tiles.set(`${tile.level}/${tile.index}`, tile);
      return blank;
    }),
  );
  return [...tiles.values()];
}

/** The root of the complete subtree over hashes. @param bytes a power of two of hashes */
export function foldHashes(bytes: Uint8Array): Uint8Array {
  let hashes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.push(Uint8Array.from(bytes.subarray(at, at + HASH_BYTES)));
  }
  while (hashes.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < hashes.length; at += 2) {
      above.push(nodeHash(hashes[at]!, hashes[at + 1]!));
    }
    hashes = above;
  }
  return hashes[0] ?? new Uint8Array();
}
