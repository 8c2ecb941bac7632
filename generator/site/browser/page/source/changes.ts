/** What changed in the files from one version to another, within bounds that hostile files cannot break. */
import { structuredPatch, type StructuredPatchHunk } from 'diff';
import type { TarballEntry } from '../../../../../format/archive/tar.ts';
import { compareText } from '../../../../../format/compare-text.ts';
import { withUnixLines } from '../../../visible-text.ts';
import { textOf } from './file-view.ts';

/** A file that differs. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: TarballEntry | undefined;
  readonly after: TarballEntry | undefined;
}

/** A line with its numbers; `@` is where lines are left out. */
interface DifferentLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** How it differs. */
export interface FileDifference {
  readonly added: number;
  readonly removed: number;
  /** Absent when they are not shown. */
  readonly lines?: readonly DifferentLine[];
  /** Why no lines are shown. */
  readonly note?: string;
}

/** A file with more is only named. */
const MAX_LINES = 5_000;
const MAX_CHARACTERS = 1_000_000;
/** Edits that are looked for: a bound of work. */
const MAX_EDITS = 2_000;

/** The files that differ, by path. */
export function changedFiles(
  before: readonly TarballEntry[],
  after: readonly TarballEntry[],
): ChangedFile[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort(compareText);
  return paths.flatMap((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a !== undefined && b !== undefined && isSame(a, b)) return [];
    const kind = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed';
    return [{ path, kind, before: a, after: b }];
  });
}

export function differenceOf({ before, after }: ChangedFile): FileDifference {
  const [a, b] = [comparableText(before), comparableText(after)];
  const none = { added: 0, removed: 0 };
  if (a === undefined || b === undefined) return { ...none, note: 'not text, or too long' };
  const patch = structuredPatch('', '', a, b, '', '', { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return { ...none, note: 'too many changes' };
  const lines = patch.hunks.flatMap(numbered);
  const added = lines.filter(({ sign }) => sign === '+').length;
  const removed = lines.filter(({ sign }) => sign === '-').length;
  if (lines.length > 0) return { added, removed, lines };
  const isEmpty = before === undefined || after === undefined;
  const isMode = before?.executable !== after?.executable;
  return { ...none, note: isEmpty ? 'empty' : isMode ? 'only its mode' : 'only line ends' };
}

function numbered({ oldStart, newStart, newLines, lines }: StructuredPatchHunk): DifferentLine[] {
  const end = newStart + Math.max(0, newLines - 1);
  let [before, after] = [oldStart, newStart];
  const shown = lines.flatMap((line): DifferentLine[] => {
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    if (sign === '+') return [{ sign, text, after: after++ }];
    if (sign === '-') return [{ sign, text, before: before++ }];
    return sign === ' ' ? [{ sign, text, before: before++, after: after++ }] : [];
  });
  return [{ sign: '@', text: `Lines ${newStart} to ${end}` }, ...shown];
}

function isSame(a: TarballEntry, b: TarballEntry): boolean {
  if (a.executable !== b.executable || a.bytes.length !== b.bytes.length) return false;
  return a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/** `""` for no file; `undefined` for one that is not compared. */
function comparableText(file: TarballEntry | undefined): string | undefined {
  if (file === undefined) return '';
  const text = textOf(file.bytes);
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const lines = withUnixLines(text).split('\n');
  return lines.length > MAX_LINES ? undefined : lines.join('\n');
}
