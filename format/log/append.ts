/** Appends to a log: the tiles that a larger tree has, made from the right edge of the smaller one. */
import { treeRoot, type SubtreeHash } from './proof.ts';
import { HASH_BYTES, nodeHash } from './hash.ts';
import { TILE_WIDTH, tilePath, tileWidth, TILE_HEIGHT, type Tile } from './tile.ts';

/** A larger tree. */
interface Appended {
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

/** The bytes of a tile: `width` hashes one after the other. */
type ReadTile = (tile: Tile) => Uint8Array;

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
