/**
 * Proofs about Merkle trees, made from the hashes of complete subtrees and verified without them.
 * RFC 9162 section 2.1.3 (inclusion) and 2.1.4 (consistency), the same as RFC 6962 section 2.1.1 and 2.1.2.
 */
import { isTreeSize, leftSize } from './tree-size.ts';
import { HASH_BYTES, EMPTY_ROOT, nodeHash, isSameHash } from './hash.ts';

/** The hash of the complete subtree over the leaves `[index * 2^height, (index + 1) * 2^height)`. */
export type SubtreeHash = (height: number, index: number) => Uint8Array;

/** The root of the tree over the first `size` leaves. */
export function treeRoot(size: number, subtree: SubtreeHash): Uint8Array {
  requireSize(size);
  return size === 0 ? EMPTY_ROOT : rangeHash(0, size, subtree);
}

/**
 * The hashes that lead from a leaf to the root, from the leaf up.
 * @param index of the leaf, below `size`
 * @throws {RangeError} for a leaf that the tree does not have
 */
export function inclusionProof(index: number, size: number, subtree: SubtreeHash): Uint8Array[] {
  requireSize(size);
  if (!isTreeSize(index) || index >= size) {
    throw new RangeError(`Leaf ${index} is not part of a tree with ${size} leaves`);
  }
  const proof: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftSize(end - start);
    if (index < middle) {
      proof.push(rangeHash(middle, end, subtree));
      end = middle;
    } else {
      proof.push(rangeHash(start, middle, subtree));
      start = middle;
    }
  }
  return proof.reverse();
}

/**
 * The hashes that show that the tree with `newSize` leaves begins with that of `oldSize` leaves.
 * @returns no hashes for equal sizes and for an empty old tree
 * @throws {RangeError} when the old tree is larger
 */
export function consistencyProof(
  oldSize: number,
  newSize: number,
  subtree: SubtreeHash,
): Uint8Array[] {
  requireSize(oldSize);
  requireSize(newSize);
  if (oldSize > newSize) {
    throw new RangeError(`A tree with ${newSize} leaves cannot continue one with ${oldSize}`);
  }
  if (oldSize === 0 || oldSize === newSize) return [];
  const proof: Uint8Array[] = [];
  let [start, end, isKnown] = [0, newSize, true];
  while (end !== oldSize) {
    const middle = start + leftSize(end - start);
    if (oldSize <= middle) {
      proof.push(rangeHash(middle, end, subtree));
      end = middle;
    } else {
      proof.push(rangeHash(start, middle, subtree));
      start = middle;
      isKnown = false;
    }
  }
  if (!isKnown) proof.push(rangeHash(start, end, subtree));
  return proof.reverse();
}

/** Whether `proof` leads from the leaf to `root`, RFC 9162 section 2.1.3.2. All of it may come from an attacker. */
export function verifyInclusion(
  leaf: { readonly hash: Uint8Array; readonly index: number },
  tree: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isTreeSize(tree.size) || !isTreeSize(leaf.index) || leaf.index >= tree.size) return false;
  if (!areHashes([leaf.hash, tree.root, ...proof])) return false;
  let [at, last, hash] = [leaf.index, tree.size - 1, leaf.hash];
  for (const step of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(step, hash);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = nodeHash(hash, step);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSameHash(hash, tree.root);
}

/** Whether `proof` shows that `newTree` begins with `oldTree`, RFC 9162 section 2.1.4.2. All of it may come from an attacker. */
export function verifyConsistency(
  oldTree: { readonly size: number; readonly root: Uint8Array },
  newTree: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isTreeSize(oldTree.size) || !isTreeSize(newTree.size)) return false;
  // There is one empty tree.
  if ([oldTree, newTree].some(({ size, root }) => size === 0 && !isSameHash(root, EMPTY_ROOT))) {
    return false;
  }
  if (oldTree.size === newTree.size) {
    return proof.length === 0 && isSameHash(oldTree.root, newTree.root);
  }
  if (oldTree.size > newTree.size || !areHashes([oldTree.root, newTree.root, ...proof])) {
    return false;
  }
  if (oldTree.size === 0) return proof.length === 0;
  let [at, last] = [oldTree.size - 1, newTree.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  // A complete old tree is a node of the new one: the proof begins with its root, which is known.
  const [first, ...steps] = at === 0 ? [oldTree.root, ...proof] : proof;
  if (first === undefined) return false;
  let [oldHash, newHash] = [first, first];
  for (const step of steps) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      oldHash = nodeHash(step, oldHash);
      newHash = nodeHash(step, newHash);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newHash = nodeHash(newHash, step);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSameHash(oldHash, oldTree.root) && isSameHash(newHash, newTree.root);
}

/** The hash over the leaves `[start, end)`; `start` is a multiple of the size of its left part. */
function rangeHash(start: number, end: number, subtree: SubtreeHash): Uint8Array {
  const size = end - start;
  const height = Math.round(Math.log2(size));
  if (2 ** height === size) return subtree(height, start / size);
  const middle = start + leftSize(size);
  return nodeHash(rangeHash(start, middle, subtree), rangeHash(middle, end, subtree));
}

function requireSize(size: number): void {
  if (!isTreeSize(size)) throw new RangeError(`${size} is no size of a tree`);
}

function areHashes(values: readonly Uint8Array[]): boolean {
  return values.every((value) => value.length === HASH_BYTES);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
