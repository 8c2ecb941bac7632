/**
 * Stages the log: tiles, entry bundles and the checkpoint. Of a tile that is not full, the index keeps every width
 * that it had, because a client may have the checkpoint of that size; when it is full, these go.
 */
import { formatBundle } from '../../format/log/entry-bundle.ts';
import { HASH_BYTES, leafHash } from '../../format/log/hash.ts';
import { treeRoot } from '../../format/log/proof.ts';
import { foldHashes, hashesFromTiles } from '../../format/log/tile-hashes.ts';
import { TILE_WIDTH, bundlePath, tilePath } from '../../format/log/tile.ts';
import type { Tile } from '../../format/log/tile.ts';
import { LOG_FOLDER } from '../../format/index/layout.ts';
import type { LogTable } from '../state/log-table.ts';

/** Gives a file to the stage. */
type AddFile = (path: string, content: Uint8Array) => void;

/** Stages the tiles and bundles that the log has beyond its first `oldSize` entries. */
export function writeTiles(log: LogTable, oldSize: number, add: AddFile): void {
  const size = log.size();
  let [from, to] = [oldSize, size];
  for (let level = 0; from < to; level += 1) {
    for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index += 1) {
      const start = index * TILE_WIDTH;
      const width = Math.min(TILE_WIDTH, to - start);
      const isFull = width === TILE_WIDTH;
      const entries = level === 0 ? log.entries(start, start + width) : [];
      const hashes = level === 0 ? entries.map(leafHash) : log.hashes(level, start, start + width);
      const tile = Buffer.concat(hashes);
      if (isFull) log.addHash(level + 1, index, foldHashes(tile));
      const narrowest = isFull ? width : Math.max(1, from - start + 1);
      for (let w = narrowest; w <= width; w += 1) {
        add(below(tilePath({ level, index, width: w })), tile.subarray(0, w * HASH_BYTES));
        if (level > 0) continue;
        add(below(bundlePath({ index, width: w })), formatBundle(entries.slice(0, w)));
      }
    }
    [from, to] = [Math.floor(from / TILE_WIDTH), Math.floor(to / TILE_WIDTH)];
  }
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

function below(path: string): string {
  return `${LOG_FOLDER}/${path}`;
}
