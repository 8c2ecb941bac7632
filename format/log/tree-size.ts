/**
 * Sizes of trees and indexes of leaves: numbers from 0 to 2^53 - 1. They are divided and multiplied, never shifted,
 * because JavaScript shifts 32 bits.
 */

/** The largest tree: every size and index up to it is exact. */
export const MAX_TREE_SIZE: number = Number.MAX_SAFE_INTEGER;

/** Whether `value` is the size of a tree. */
export function isTreeSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * The size of the left part of a tree, RFC 9162 section 2.1.1: the largest power of two below `size`.
 * @param size at least 2
 */
export function leftSize(size: number): number {
  let power = 2 ** Math.floor(Math.log2(size));
  // The logarithm of a large number rounds, up as well as down.
  while (power >= size) power /= 2;
  while (power * 2 < size) power *= 2;
  return power;
}

/**
 * Reads a size as checkpoints write it: ASCII decimal digits, no leading zero.
 * @returns `undefined` for anything else, and for a size above 2^53 - 1
 */
export function tryParseTreeSize(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const size = Number(text);
  return isTreeSize(size) ? size : undefined;
}
