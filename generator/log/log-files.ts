/** Which files a log of some size has in the index. */
import { LOG_FOLDER } from '../../format/index/layout.ts';
import type { LogPath } from '../../format/log/tile.ts';
import { TILE_WIDTH, bundlePath, tilePath, tileWidth } from '../../format/log/tile.ts';
import type { Tile } from '../../format/log/tile.ts';

/** How many files they are, with the checkpoint. */
export function countLogFiles(size: number): number {
  let count = 1;
  for (let level = 0, unit = 1; unit <= size; level += 1, unit *= TILE_WIDTH) {
    const hashes = Math.floor(size / unit);
    const tiles = Math.floor(hashes / TILE_WIDTH) + (hashes % TILE_WIDTH);
    count += level === 0 ? 2 * tiles : tiles;
  }
  return count;
}

/** Whether a log of `size` entries has this file. */
export function isLogFile(size: number, path: LogPath): boolean {
  if (path.kind === 'checkpoint') return true;
  return isInLog(size, path.kind === 'tile' ? path.tile : { level: 0, ...path.bundle });
}

/**
 * The folders of narrower tiles that a log has no more since it grew: their tiles are full now.
 * @returns paths in the index
 */
export function outgrownFolders(oldSize: number, size: number): string[] {
  const folders: string[] = [];
  for (let level = 0, unit = TILE_WIDTH; unit <= size; level += 1, unit *= TILE_WIDTH) {
    for (let index = Math.floor(oldSize / unit); index < Math.floor(size / unit); index += 1) {
      const place = { index, width: TILE_WIDTH };
      folders.push(`${LOG_FOLDER}/${tilePath({ level, ...place })}.p`);
      if (level === 0) folders.push(`${LOG_FOLDER}/${bundlePath(place)}.p`);
    }
  }
  return folders;
}

/** A full tile, or any width of the last tile of its level. */
function isInLog(size: number, { level, index, width }: Tile): boolean {
  const has = tileWidth(size, level, index);
  return has === TILE_WIDTH ? width === TILE_WIDTH : width <= has;
}
