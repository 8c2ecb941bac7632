/** `mergeFile` for a file of a build: package.json by its entries, and what both brought shown whole. */
import type { FileMerge } from '../merge/merge-file.ts';
import { mergeFile } from '../merge/merge-file.ts';
import { mergeJson } from '../edit/json/merge-json.ts';
import type { MergeOptions } from '../merge/merge-text.ts';

/** @param path of the file; its name tells how to merge it */
export function mergeShipped(
  path: string,
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array,
  options: MergeOptions,
): FileMerge {
  const isEdited = base !== undefined && ours !== undefined && Buffer.compare(base, ours) !== 0;
  if (isEdited && /(?:^|\/)package\.json$/.test(path)) {
    const merge = mergeManifest(base, ours, theirs, options);
    if (merge !== undefined) return merge;
  }
  const merge = mergeFile(base, ours, theirs, options);
  if (merge.kind !== 'conflict' || merge.reason !== 'added-by-both') return merge;
  // Against nothing, all of both sides differs: that is what the markers shall show.
  const marked = mergeFile(new Uint8Array(), ours, theirs, { ...options, favor: undefined });
  return marked.kind === 'conflict' && marked.marked !== undefined
    ? { ...merge, marked: marked.marked }
    : merge;
}

/** `undefined` where keys clash or a side is no JSON: the lines are merged then. */
function mergeManifest(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  { favor }: MergeOptions,
): FileMerge | undefined {
  const texts = [base, ours, theirs].map((bytes) => Buffer.from(bytes).toString('utf8'));
  const [before = '', own = '', after = ''] = texts;
  const merge = mergeJson(before, own, after, favor);
  if (merge?.kind !== 'clean') return undefined;
  return merge.text === own ? { kind: 'keep' } : { kind: 'merged', bytes: Buffer.from(merge.text) };
}
