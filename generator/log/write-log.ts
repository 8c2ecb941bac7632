/** Stages the log: tiles, entry bundles and the checkpoint. */
import { formatBundle } from '../../format/log/entry-bundle.ts';
import { leafHash } from '../../format/log/hash.ts';
import { treeRoot } from '../../format/log/proof.ts';
import { foldHashes, hashesFromTiles } from '../../format/log/tile-hashes.ts';
import { TILE_WIDTH, tilePath } from '../../format/log/tile.ts';
import type { Tile } from '../../format/log/tile.ts';
import type { LogTable } from '../state/log-table.ts';
import { partialTiles, tileFiles } from './log-files.ts';

/** Gives a file to the stage. */
type AddFile = (path: string, content: Uint8Array) => void;

/**
 * Stages the tiles and bundles that the log has beyond its first `oldSize` entries.
 * @returns paths of those that it has no more: their tile is full, or no checkpoint needs their width
 */
export function writeTiles(log: LogTable, oldSize: number, add: AddFile): string[] {
  const size = log.size();
  const addTile = (tile: Tile): void => {
    const bytes = tileBytes(log, tile);
    const [path, bundle] = tileFiles(tile);
    add(path!, bytes);
    const from = tile.index * TILE_WIDTH;
    if (bundle !== undefined) add(bundle, formatBundle(log.entries(from, from + tile.width)));
    if (tile.width === TILE_WIDTH) log.addHash(tile.level + 1, tile.index, foldHashes(bytes));
  };
  for (let level = 0, unit = TILE_WIDTH; unit <= size; level += 1, unit *= TILE_WIDTH) {
    for (let index = Math.floor(oldSize / unit); index < Math.floor(size / unit); index += 1) {
      addTile({ level, index, width: TILE_WIDTH });
    }
  }
  const [before, after] = [oldSize, size].map((one) => {
    return new Map(partialTiles(log, one).map((tile) => [tilePath(tile), tile]));
  });
  for (const [path, tile] of after!) if (!before!.has(path)) addTile(tile);
  return [...before!].flatMap(([path, tile]) => (after!.has(path) ? [] : tileFiles(tile)));
}

/** The root over the first `size` entries, whose tiles were written. */
export function rootOf(log: LogTable, size: number): Uint8Array {
  return treeRoot(
    size,
    hashesFromTiles(size, (tile) => tileBytes(log, tile)),
  );
}

function tileBytes(log: LogTable, { level, index, width }: Tile): Uint8Array {
  const from = index * TILE_WIDTH;
  const hashes =
    level === 0
      ? log.entries(from, from + width).map(leafHash)
      : log.hashes(level, from, from + width);
  return Buffer.concat(hashes);
}
