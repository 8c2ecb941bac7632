/**
 * The hashes of a Merkle tree, RFC 6962 section 2.1 (RFC 9162 section 2.1.1), with SHA-256:
 *
 *     empty tree   SHA-256()
 *     leaf         SHA-256(0x00 || entry)
 *     node         SHA-256(0x01 || left || right)
 */
import { sha256 } from '@noble/hashes/sha2.js';

/** Of every hash. */
export const HASH_BYTES = 32;

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array());

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

/** The hash of a leaf. @param entry the bytes that the leaf stands for */
export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256.create().update(LEAF_PREFIX).update(entry).digest();
}

/** The hash of an inner node. @param left, right hashes of 32 bytes */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(NODE_PREFIX).update(left).update(right).digest();
}

/** Whether two hashes are the same. Both are public: the time that it takes reveals nothing. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
