/** The root of a tree whose last leaves are known: proves all of them with one computation. */
import { nodeHash } from './hash.ts';
import { treeRoot } from './proof.ts';
import type { SubtreeHash } from './proof.ts';

/**
 * @param size of the tree
 * @param tail hashes of its last leaves
 * @param subtree hashes of the part before them; it is called for no subtree that has one of them
 */
export function rootWithTail(
  size: number,
  tail: readonly Uint8Array[],
  subtree: SubtreeHash,
): Uint8Array {
  const from = size - tail.length;
  const mixed: SubtreeHash = (height, index) => {
    const start = index * 2 ** height;
    if (start + 2 ** height <= from) return subtree(height, index);
    if (height === 0) return tail[start - from]!;
    return nodeHash(mixed(height - 1, 2 * index), mixed(height - 1, 2 * index + 1));
  };
  return treeRoot(size, mixed);
}
