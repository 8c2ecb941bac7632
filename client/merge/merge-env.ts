/**
 * Three-way merge of a file of variables, such as `.env.example`. Builds append their variables to it, and a new version
 * of the file has more variables at the same place: by lines alone that is a conflict, though neither side loses any.
 */
import { parseEnv } from 'node:util';
import { lineEdits } from './line-edits.ts';
import { MERGE_TIMEOUT_MS, mergeText } from './merge-text.ts';
import type { MergeOptions, TextMerge } from './merge-text.ts';
import { splitLines } from './text-lines.ts';

/**
 * Merges as `mergeText` does; where that conflicts, variables that `ours` has after everything of `base` are put after
 * everything of `theirs`.
 */
export function mergeEnv(
  base: string,
  ours: string,
  theirs: string,
  options: MergeOptions = {},
): TextMerge {
  const merge = mergeText(base, ours, theirs, { ...options, favor: undefined });
  if (merge.kind === 'clean') return merge;
  const parts = splitAppended(base, ours, options.timeoutMs ?? MERGE_TIMEOUT_MS);
  const names = Object.keys(parseEnv(parts?.appended ?? ''));
  const theirNames = parseEnv(theirs);
  if (parts !== undefined && !names.some((name) => Object.hasOwn(theirNames, name))) {
    const before = mergeText(base, parts.before, theirs, options);
    if (before.kind === 'clean') return { kind: 'clean', text: join(before.text, parts.appended) };
  }
  return mergeText(base, ours, theirs, options);
}

/** `ours` before and from the lines that follow the last one of `base`, if there are any. */
function splitAppended(
  base: string,
  ours: string,
  timeoutMs: number,
): { readonly before: string; readonly appended: string } | undefined {
  const { lines } = splitLines(base);
  const own = splitLines(ours);
  const last = lineEdits(lines, own.lines, timeoutMs)?.at(-1);
  if (last === undefined || last.baseStart !== lines.length) return undefined;
  const rest = own.lines
    .slice(last.start)
    .map((line, n) => line + (own.ends[last.start + n] ?? ''));
  const appended = rest.join('');
  return { before: ours.slice(0, ours.length - appended.length), appended };
}

function join(text: string, appended: string): string {
  const isOpen = text !== '' && !text.endsWith('\n');
  return text + (isOpen ? '\n' : '') + appended;
}
