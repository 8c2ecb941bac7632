/** Whether the log of an index begins with another one: a client that saw that one refuses everything else. */
import { hashesFromTiles } from '../../format/log/append.ts';
import type { Checkpoint } from '../../format/log/checkpoint.ts';
import { HASH_BYTES, isSameHash } from '../../format/log/hash.ts';
import { treeRoot } from '../../format/log/proof.ts';
import { tilePath, tileWidth } from '../../format/log/tile.ts';

/**
 * @param before the checkpoint that clients have seen, with at most as many entries
 * @param size entries of the log of the index
 * @param read a file below the folder of the log; `undefined` where there is none
 */
export function continuesLog(
  before: Pick<Checkpoint, 'size' | 'root'>,
  size: number,
  read: (path: string) => Uint8Array | undefined,
): boolean {
  let isWhole = true;
  const hashes = hashesFromTiles(before.size, ({ level, index, width }) => {
    const bytes = read(tilePath({ level, index, width: tileWidth(size, level, index) }));
    isWhole &&= bytes !== undefined && bytes.length >= width * HASH_BYTES;
    return isWhole ? bytes!.subarray(0, width * HASH_BYTES) : new Uint8Array(width * HASH_BYTES);
  });
  return isSameHash(treeRoot(before.size, hashes), before.root) && isWhole;
}
