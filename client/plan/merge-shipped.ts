/**
 * Merges a file of a build: package.json by its entries, .env.example by its variables, everything else by lines. The name, version and
 * description that a project gave itself are no edit.
 */
import type { FileMerge } from '../merge/merge-file.ts';
import { mergeFile } from '../merge/merge-file.ts';
import { hasIdentity, readIdentity, withIdentity } from './project-identity.ts';
import { mergeJson } from '../edit/json/merge-json.ts';
import { mergeEnv } from '../merge/merge-env.ts';
import { mergeText } from '../merge/merge-text.ts';
import type { MergeOptions } from '../merge/merge-text.ts';

/** @param path of the file; its name selects the kind of merge */
export function mergeShipped(
  path: string,
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array,
  options: MergeOptions,
): FileMerge {
  if (base === undefined || ours === undefined || !hasIdentity(path)) {
    return mergeSides(path, base, ours, theirs, options);
  }
  const identity = readIdentity(path, Buffer.from(ours).toString('utf8'));
  const adopt = (bytes: Uint8Array): Uint8Array => {
    const text = Buffer.from(bytes).toString('utf8');
    const adopted = withIdentity(path, text, identity);
    return adopted === text ? bytes : Buffer.from(adopted);
  };
  const [before, after] = [adopt(base), adopt(theirs)];
  const merge = mergeSides(path, before, ours, after, options);
  // "replace" stands for the bytes of the build, which have another name.
  const isRenamed = after !== theirs;
  if (!isRenamed || merge.kind !== 'replace') return merge;
  const isSame = Buffer.compare(after, ours) === 0;
  return isSame ? { kind: 'keep' } : { kind: 'merged', bytes: after };
}

function mergeSides(
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
  const isEnv = /(?:^|\/)\.env\.example$/.test(path);
  const merge = mergeFile(base, ours, theirs, options, isEnv ? mergeEnv : mergeText);
  if (merge.kind !== 'conflict' || merge.reason !== 'added-by-both') return merge;
  // Compared with an empty base, both sides differ completely: the markers show both files.
  const marked = mergeFile(new Uint8Array(), ours, theirs, { ...options, favor: undefined });
  return marked.kind === 'conflict' && marked.marked !== undefined
    ? { ...merge, marked: marked.marked }
    : merge;
}

/** `undefined` when keys conflict or a side is not a JSON object: then the lines are merged. */
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
