/**
 * Brings wired text to the block of another version. The base is the text of the lock: where it is still there it is
 * replaced, where the user edited it both edits are merged in its region. Pure.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { LockedWiring } from '../../format/project/lock.ts';
import type { WireBlock } from '../../format/wiring/wiring.ts';
import { mergeText } from '../edit/merge/merge-text.ts';
import { coreOf, findWired } from './find-wired.ts';
import { codeLanguageOf, dedent, isSameCode, openCode } from './open-code.ts';
import { type BuildContext, findTarget, placeBlock, renderFor } from './place-block.ts';
import type { Placed } from './place-file.ts';
import type { ProjectTexts } from './project-texts.ts';
import { indentAt } from './splice.ts';

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export type Updated =
  | Placed
  | { readonly kind: 'replaced'; readonly file: string; readonly text: string }
  /** It is the same block: whatever the user has stays. */
  | {
      readonly kind: 'unchanged';
      readonly file: string;
      readonly text: string;
      readonly wasKept: boolean;
    }
  /** The user removed it. */
  | { readonly kind: 'gone'; readonly file: string; readonly text: string }
  | { readonly kind: 'conflict'; readonly file: string; readonly why: string };

interface UpdateInput {
  readonly context: BuildContext;
  readonly isRepeated: boolean;
  readonly onConflict: 'fail' | 'ours';
  /** What the build imports into a file. */
  readonly namesIn: (file: string) => ReadonlySet<string>;
}

/** @param old what the lock has of the block */
export function updateBlock(
  block: WireBlock,
  old: LockedWiring,
  texts: ProjectTexts,
  { context, isRepeated, onConflict, namesIn }: UpdateInput,
): Updated {
  const { file, text: recorded } = old;
  const wasKept = old.action === 'kept';
  const unchanged = { kind: 'unchanged', file, text: recorded, wasKept } as const;
  const text = texts.get(file);
  const found = text === undefined ? undefined : findWired(text, old);
  // A file that is there was edited: it is the user's, and is not made again.
  const isAbsent = found === undefined && (text === undefined || old.verb !== 'file');
  if (isRepeated && !wasKept && isAbsent) {
    // To put it in beside an edited one would mount the same twice.
    const isEdited = old.verb === 'insert' && isUsed(file, text ?? '', namesIn(file));
    return isEdited ? unchanged : placeBlock(block, texts, context);
  }
  if (text === undefined) return { kind: 'gone', file, text: recorded };
  if (old.verb === 'lines') return updateLines(block, old, texts, context, unchanged);
  const next = linesFor(block, old, texts, context, text);
  if (next === undefined) {
    const isSame = old.block === integrityOf(Buffer.from(block.text));
    return isSame ? unchanged : { kind: 'conflict', file, why: 'its place is not clear any more' };
  }
  const { start, end } = old.verb === 'file' ? { start: 0, end: recorded.length } : coreOf(old);
  const core = recorded.slice(start, end);
  const code = next.join('\n');
  if (isEqual(old, core, code)) return unchanged;
  if (wasKept) return placeBlock(block, texts, context);
  if (found === undefined) {
    const merged = mergeRegion(old, text, core, code);
    if (merged === undefined) {
      return onConflict === 'ours'
        ? unchanged
        : { kind: 'conflict', file, why: 'you and the new version changed it' };
    }
    texts.set(file, merged);
    return { kind: 'replaced', file, text: recordedAs(recorded, { start, end }, code) };
  }
  const indent = indentAt(text, found.core.start) ?? '';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const placed = old.verb === 'file' ? withEnd(code) : next.join(lineEnd + indent);
  const inFile = placed.replaceAll(/\r?\n/g, lineEnd);
  texts.set(file, text.slice(0, found.core.start) + inFile + text.slice(found.core.end));
  return { kind: 'replaced', file, text: recordedAs(recorded, { start, end }, inFile) };
}

/** Whether code of a file uses one of `names` outside of its imports. */
function isUsed(file: string, text: string, names: ReadonlySet<string>): boolean {
  const code = openCode(file, text);
  if (code === undefined) return false;
  const statements = (code.blocks[0] ?? []).filter(
    ({ start }) => !code.imports.some((one) => one.start === start),
  );
  const words = statements.flatMap(({ start, end }) => text.slice(start, end).match(WORD) ?? []);
  return words.some((word) => names.has(word));
}

/** Lines of a text file: those that both versions have stay. */
function updateLines(
  block: WireBlock,
  old: LockedWiring,
  texts: ProjectTexts,
  context: BuildContext,
  unchanged: Extract<Updated, { kind: 'unchanged' }>,
): Updated {
  if (old.block === integrityOf(Buffer.from(block.text))) return unchanged;
  const text = texts.get(old.file) ?? '';
  const found = findWired(text, old);
  if (found !== undefined)
    texts.set(old.file, text.slice(0, found.cut.start) + text.slice(found.cut.end));
  return placeBlock(block, texts, context);
}

function linesFor(
  block: WireBlock,
  old: LockedWiring,
  texts: ProjectTexts,
  context: BuildContext,
  text: string,
): string[] | undefined {
  const target = findTarget(block, texts);
  if ('why' in target || target.file !== old.file) return undefined;
  return renderFor(block, target, context, block.verb === 'file' ? '' : text);
}

function recordedAs(recorded: string, core: { start: number; end: number }, code: string): string {
  return recorded.slice(0, core.start) + code + recorded.slice(core.end);
}

function withEnd(code: string): string {
  return code.endsWith('\n') ? code : `${code}\n`;
}

function isEqual({ verb, file }: LockedWiring, core: string, code: string): boolean {
  const [a, b] = [dedent(core), dedent(code)];
  if (a === b) return true;
  if (codeLanguageOf(file) === 'text') return false;
  return verb === 'append' ? isSameCode(file, `(${core})`, `(${code})`) : isSameCode(file, a, b);
}

/**
 * Merges the edits of the user with those of the new version: in a whole file, or between the first and the last line
 * of a block where each of them is in the file once.
 */
function mergeRegion(
  old: LockedWiring,
  text: string,
  core: string,
  code: string,
): string | undefined {
  if (old.verb === 'file') return merge(core, text, withEnd(code));
  if (old.verb !== 'insert' && old.verb !== 'import') return undefined;
  const base = dedent(core).split('\n');
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => (line.trim() === base[0]!.trim() ? [at] : []));
  const [first = -1] = starts;
  const indent = /^[ \t]*/.exec(lines[first] ?? '')![0];
  // The nearest line that can end the block.
  const last = lines.findIndex(
    (line, at) => at > first && line.trimEnd() === indent + base.at(-1)!,
  );
  const isClear = starts.length === 1 && last > first && last - first <= base.length * 3;
  if (base.length < 2 || !isClear) return undefined;
  const region = lines.slice(first, last + 1).join('\n');
  const merged = merge(base.join('\n'), dedent(region), code);
  if (merged === undefined) return undefined;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const placed = merged.split(/\r?\n/).map((line) => (line === '' ? '' : indent + line));
  const tail = lines.slice(last + 1);
  const head = lines
    .slice(0, first)
    .map((line) => `${line}\n`)
    .join('');
  const isOpen = lines[last]!.endsWith('\r') && tail.length > 0 ? '\r' : '';
  return head + placed.join(lineEnd) + isOpen + tail.map((line) => `\n${line}`).join('');
}

function merge(base: string, ours: string, theirs: string): string | undefined {
  const merged = mergeText(base, ours, theirs);
  return merged.kind === 'clean' ? merged.text : undefined;
}
