/** What changed in the files from one version to the next, within bounds that hostile files cannot break. */
import { structuredPatch } from 'diff';
import { withUnixLines } from '../code/code-text.ts';
import { compareText } from '../../../format/compare-text.ts';
import { textOf } from '../source/source-file.ts';
import type { SourceFile } from '../source/source-file.ts';

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly added: number;
  readonly removed: number;
  /** Lines that begin with `+`, `-`, a space or `@`; absent when they are not shown. */
  readonly lines?: readonly string[];
  /** Why no lines are shown. */
  readonly note?: string;
}

/** A file with more, or with a longer line, is only named. */
const MAX_LINES = 5_000;
const MAX_LINE = 2_000;
/** Edits that are looked for: a bound of work that, unlike one of time, gives the same on every machine. */
const MAX_EDITS = 2_000;
/** Lines that the page of one version shows. */
const MAX_SHOWN = 4_000;

/** The changes, by path. */
export function fileChanges(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): readonly FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort(compareText);
  let left = MAX_SHOWN;
  return paths.flatMap((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a !== undefined && b !== undefined && Buffer.compare(a.bytes, b.bytes) === 0) return [];
    const change = fileChange(path, a, b, left);
    left -= change.lines?.length ?? 0;
    return [change];
  });
}

function fileChange(
  path: string,
  before: SourceFile | undefined,
  after: SourceFile | undefined,
  left: number,
): FileChange {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const [a, b] = [comparableText(before), comparableText(after)];
  const unseen = { path, kind, added: 0, removed: 0 } as const;
  if (a === undefined || b === undefined) return { ...unseen, note: 'not text, or too long' };
  const patch = structuredPatch('', '', a, b, '', '', { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return { ...unseen, note: 'too many changes' };
  const lines = patch.hunks.flatMap((hunk) => [
    `@ Lines ${hunk.newStart} to ${hunk.newStart + Math.max(0, hunk.newLines - 1)}`,
    ...hunk.lines.filter((line) => !line.startsWith('\\')),
  ]);
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  const counted = { path, kind, added, removed } as const;
  if (lines.length > left) return { ...counted, note: 'not shown: the page is long' };
  return lines.length === 0 ? { ...counted, note: 'only line ends' } : { ...counted, lines };
}

/** `""` for no file; `undefined` for one that is not compared. */
function comparableText(file: SourceFile | undefined): string | undefined {
  if (file === undefined) return '';
  const text = textOf(file);
  if (text === undefined || text.length > MAX_LINES * 200) return undefined;
  const lines = withUnixLines(text).split('\n');
  const isShort = lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE);
  return isShort ? lines.join('\n') : undefined;
}
