/** Appends to a log: the tiles that a larger tree has, made from the right edge of the smaller one. */
import { HASH_BYTES } from './hash.ts';
import { treeRoot } from './proof.ts';
import { foldHashes, hashesFromTiles } from './tile-hashes.ts';
import type { ReadTile } from './tile-hashes.ts';
import { TILE_WIDTH, tilePath, tileWidth } from './tile.ts';
import type { Tile } from './tile.ts';

/** A larger tree. */
export interface Appended {
  readonly size: number;
  readonly root: Uint8Array;
  /** Tiles that the smaller tree has not, lowest level first. */
  readonly tiles: readonly { readonly tile: Tile; readonly bytes: Uint8Array }[];
}

/**
 * Adds leaves. The tiles do not depend on how the leaves are divided among calls, except partial tiles of the sizes
 * in between.
 * @param oldSize leaves of the tree so far
 * @param edge reads the last, partial tile of each level; no other tile is read
 * @param leaves hashes of the new leaves
 */
export function appendLeaves(
  oldSize: number,
  edge: ReadTile,
  leaves: readonly Uint8Array[],
): Appended {
  const size = oldSize + leaves.length;
  const made = new Map<string, { tile: Tile; bytes: Uint8Array }>();
  let added = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const before = Math.floor(oldSize / TILE_WIDTH ** level);
    const complete: Uint8Array[] = [];
    for (const { tile, bytes } of extendLevel(level, before, added, edge)) {
      made.set(tilePath(tile), { tile, bytes });
      if (tile.width === TILE_WIDTH) complete.push(foldHashes(bytes));
    }
    added = complete;
  }
  const read: ReadTile = (tile) => made.get(tilePath(tile))?.bytes ?? edge(tile);
  const root = treeRoot(size, hashesFromTiles(size, read));
  return { size, root, tiles: [...made.values()] };
}

/** The tiles of one level that change when hashes are added to the `before` that it has. */
function* extendLevel(
  level: number,
  before: number,
  added: readonly Uint8Array[],
  edge: ReadTile,
): Generator<{ tile: Tile; bytes: Uint8Array }> {
  const total = before + added.length;
  let next = 0;
  for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < total; index += 1) {
    const kept = Math.max(0, before - index * TILE_WIDTH);
    const width = tileWidth(total, 0, index);
    const bytes = new Uint8Array(width * HASH_BYTES);
    if (kept > 0) bytes.set(edge({ level, index, width: kept }).subarray(0, kept * HASH_BYTES));
    for (let at = kept; at < width; at += 1) bytes.set(added[next++]!, at * HASH_BYTES);
    yield { tile: { level, index, width }, bytes };
  }
}
