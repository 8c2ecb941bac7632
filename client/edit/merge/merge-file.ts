/**
 * Decides what an update does to one file, from the shipped bytes (`base`), those on disk (`ours`) and
 * the new ones (`theirs`); `undefined` is no file. Writes nothing: `client/install/` applies the result.
 *
 *     base  ours  theirs
 *     B     B     N       replace
 *     B     C     B       keep
 *     B     C     N       merged, or conflict: both-edited, binary, too-large
 *     B     -     B       keep: stays deleted
 *     B     -     N       conflict: deleted-by-user
 *     B     B     -       delete
 *     B     C     -       conflict: deleted-upstream-edited
 *     -     -     N       replace: nothing is lost
 *     -     C     N       conflict: added-by-both
 *     any   N     N       replace: the user has the new bytes already
 */
import { tryDecodeText } from '../project-file.ts';
import { type MergeOptions, mergeText, type TextMerge } from './merge-text.ts';

/** Larger texts are not merged: they are not edited by hand. */
export const MAX_MERGE_BYTES = 1024 * 1024;

type ConflictReason =
  | 'both-edited'
  | 'binary'
  | 'too-large'
  | 'deleted-by-user'
  | 'deleted-upstream-edited'
  | 'added-by-both';

export type FileMerge =
  /** All three are equal, or the file is missing on both sides. */
  | { readonly kind: 'unchanged' }
  /** The new bytes replace the file; it may have them already. */
  | { readonly kind: 'replace' }
  | { readonly kind: 'merged'; readonly bytes: Uint8Array }
  /** The user's state is kept, also a deletion. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'conflict';
      readonly reason: ConflictReason;
      /** For two edited texts: the merge with markers. */
      readonly marked?: { readonly bytes: Uint8Array; readonly conflicts: number };
    };

type MergeOfTexts = (
  base: string,
  ours: string,
  theirs: string,
  options: MergeOptions,
) => TextMerge;

/**
 * Decides about one file; all three may be hostile. Copies that differ in line ends only count as equal.
 * @param merge of two edited texts
 */
export function mergeFile(
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array | undefined,
  options: MergeOptions = {},
  merge: MergeOfTexts = mergeText,
): FileMerge {
  if (theirs === undefined) return mergeDeletion(base, ours);
  if (ours === undefined) {
    if (base === undefined) return { kind: 'replace' };
    return sameText(base, theirs) ? { kind: 'keep' } : conflict('deleted-by-user');
  }
  if (sameBytes(ours, theirs)) {
    return { kind: base !== undefined && sameBytes(base, ours) ? 'unchanged' : 'replace' };
  }
  if (base === undefined) {
    return sameText(ours, theirs) ? { kind: 'keep' } : conflict('added-by-both');
  }
  if (sameBytes(ours, base)) return { kind: 'replace' };
  if (sameBytes(theirs, base)) return { kind: 'keep' };
  return mergeEdits(base, ours, theirs, options, merge);
}

function mergeDeletion(base: Uint8Array | undefined, ours: Uint8Array | undefined): FileMerge {
  if (ours === undefined) return { kind: 'unchanged' };
  // It was not shipped, so it is the user's file.
  if (base === undefined) return { kind: 'keep' };
  return sameText(base, ours) ? { kind: 'delete' } : conflict('deleted-upstream-edited');
}

function mergeEdits(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  options: MergeOptions,
  mergeTexts: MergeOfTexts,
): FileMerge {
  if (Math.max(base.length, ours.length, theirs.length) > MAX_MERGE_BYTES) {
    return conflict('too-large');
  }
  const texts = [base, ours, theirs].map(tryDecodeText);
  const [baseText, ourText, theirText] = texts;
  if (baseText === undefined || ourText === undefined || theirText === undefined) {
    return conflict('binary');
  }
  const merge = mergeTexts(baseText, ourText, theirText, options);
  const bytes = new TextEncoder().encode(merge.text);
  if (merge.kind === 'conflict') {
    return { ...conflict('both-edited'), marked: { bytes, conflicts: merge.conflicts } };
  }
  if (merge.text === ourText) return { kind: 'keep' };
  return merge.text === theirText ? { kind: 'replace' } : { kind: 'merged', bytes };
}

function conflict(reason: ConflictReason): { kind: 'conflict'; reason: ConflictReason } {
  return { kind: 'conflict', reason };
}

/** Equal except for line ends, which a git checkout may have changed. */
function sameText(a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  const [aText, bText] = [tryDecodeText(a), tryDecodeText(b)];
  if (aText === undefined || bText === undefined) return false;
  return aText.replaceAll('\r\n', '\n') === bText.replaceAll('\r\n', '\n');
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
