/** For tests: trees whose hashes are computed straight from the definition, without tiles. */
import { type SubtreeHash } from '../../format/log/proof.ts';
import { EMPTY_ROOT, leafHash, nodeHash } from '../../format/log/hash.ts';

/** The eight entries that the tests of Certificate Transparency use, as hexadecimal. */
export const CT_ENTRIES: readonly string[] = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];

/** Hashes of `size` different entries. */
export function madeLeaves(size: number): Uint8Array[] {
  return Array.from({ length: size }, (_, at) => leafHash(new TextEncoder().encode(`entry ${at}`)));
}

/** RFC 6962 section 2.1: `MTH(D[n])`, word for word. */
export function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leaves[0]!;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return nodeHash(definedRoot(leaves.slice(0, left)), definedRoot(leaves.slice(left)));
}

/** Hashes of complete subtrees, kept once they are computed. */
export function subtreesOf(leaves: readonly Uint8Array[]): SubtreeHash {
  const known = new Map<string, Uint8Array>();
  const subtree: SubtreeHash = (height, index) => {
    if (height === 0) return leaves[index]!;
    const key = `${height}/${index}`;
    const hash =
      known.get(key) ??
      nodeHash(subtree(height - 1, 2 * index), subtree(height - 1, 2 * index + 1));
    known.set(key, hash);
    return hash;
  };
  return subtree;
}
