/**
 * Finds text that was wired into a file: exactly as the lock records it, otherwise by its syntax, so that
 * formatting does not matter. The lock is untrusted: nothing is found that is not what it records. Pure.
 */
import type { WireInfo, WireAnchor } from '../../format/wiring/wire-info.ts';
import type { Code, Range } from './code.ts';
import { codeLanguageOf, isSameCode, openCode, sliceOf } from './open-code.ts';

/** What the lock records of a block. */
export interface WiredText {
  readonly verb: WireInfo['verb'];
  readonly file: string;
  readonly anchor?: string | undefined;
  /** As it was put in, with the separators around it. */
  readonly text: string;
}

interface FoundText {
  /** What a removal cuts out. */
  readonly cut: Range;
  /** The block itself. */
  readonly core: Range;
}

/** Where `entry` is in `text`; `undefined` where it was changed, or is there several times. */
export function findWired(text: string, entry: WiredText): FoundText | undefined {
  if (entry.verb === 'file') return findFile(text, entry);
  if (entry.verb === 'lines') return findExact(text, entry) ?? findLines(text, entry);
  if (entry.verb === 'append') return findElement(text, entry);
  return findExact(text, entry) ?? findStatements(text, entry);
}

/** The block of a recorded text, without what separates it from the rest. */
export function coreOf({ verb, text }: Pick<WiredText, 'verb' | 'text'>): Range {
  const isItem = verb === 'append';
  const [lead = ''] = (isItem ? /^[\s,]*/ : /^\s*/).exec(text) ?? [];
  const [tail = ''] = (isItem ? /[\s,]*$/ : /\s*$/).exec(text.slice(lead.length)) ?? [];
  return { start: lead.length, end: text.length - tail.length };
}

function findFile(text: string, { file, text: recorded }: WiredText): FoundText | undefined {
  const all = { start: 0, end: text.length };
  const isSame =
    text === recorded ||
    text.replaceAll('\r\n', '\n') === recorded.replaceAll('\r\n', '\n') ||
    (codeLanguageOf(file) !== 'text' && isSameCode(file, text, recorded));
  return isSame ? { cut: all, core: all } : undefined;
}

/** The recorded text where it is there once, as whole lines. */
function findExact(text: string, entry: WiredText): FoundText | undefined {
  const found = [entry.text, withLineEnd(entry.text, text)].flatMap((recorded) => {
    const all = occurrences(text, recorded).filter((at) => isWholeLines(text, at, recorded));
    return all.length === 1 ? [{ at: all[0]!, recorded }] : [];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const { start, end } = coreOf({ verb: entry.verb, text: first.recorded });
  return {
    cut: { start: first.at, end: first.at + first.recorded.length },
    core: { start: first.at + start, end: first.at + end },
  };
}

function withLineEnd(recorded: string, text: string): string {
  const lines = recorded.replaceAll('\r\n', '\n');
  return text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  if (part === '') return found;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

function isWholeLines(text: string, at: number, recorded: string): boolean {
  const end = at + recorded.length;
  // Half of a line end would stay.
  if (recorded.startsWith('\n') && text[at - 1] === '\r') return false;
  const beginsLine =
    /^\r?\n/.test(recorded) || at === 0 || text[at - 1] === '\n' || text[at - 1] === '\u{FEFF}';
  const endsLine =
    recorded.endsWith('\n') || end === text.length || /^\r?\n/.test(text.slice(end, end + 2));
  return beginsLine && endsLine;
}

/** Lines of text that stand together, whatever white space is at their ends. */
function findLines(text: string, { text: recorded }: WiredText): FoundText | undefined {
  const wanted = recorded
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  const lines = [...text.matchAll(/[^\n]*(?:\n|$)/g)].filter(([line]) => line !== '');
  const found = lines.flatMap((_, from) => {
    const run = lines.slice(from, from + wanted.length);
    const isSame =
      run.length === wanted.length && run.every(([line], at) => line.trimEnd() === wanted[at]);
    return isSame ? [run] : [];
  });
  const [run] = found;
  if (run === undefined || found.length > 1) return undefined;
  const [first, last] = [run[0]!, run.at(-1)!];
  const range = { start: first.index, end: last.index + last[0].length };
  return {
    cut: range,
    core: { start: range.start, end: last.index + last[0].trimEnd().length },
  };
}

/** Statements next to each other whose code is that of the recorded ones. */
function findStatements(text: string, { file, text: recorded }: WiredText): FoundText | undefined {
  const [code, block] = [openCode(file, text), openCode(file, trimmed(recorded))];
  const wanted = block?.blocks[0];
  if (code === undefined || block === undefined || wanted === undefined) return undefined;
  const runs = code.blocks.flatMap((statements) =>
    statements.flatMap((_, from) => {
      const run = statements.slice(from, from + wanted.length);
      const isSame =
        run.length === wanted.length &&
        run.every((one, at) => isSame1(code, one, block, wanted[at]!));
      return isSame ? [run] : [];
    }),
  );
  const [run] = runs;
  if (run === undefined || runs.length > 1) return undefined;
  const core = withComments(code, { start: run[0]!.start, end: run.at(-1)!.end }, block, wanted);
  if (core === undefined) return undefined;
  const cut = wholeLines(text, core);
  return cut === undefined ? undefined : { cut, core };
}

function trimmed(recorded: string): string {
  return recorded.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

function isSame1(code: Code, one: Range, block: Code, other: Range): boolean {
  return isSameCode(code.path, sliceOf(code.text, one), sliceOf(block.text, other));
}

/** `core` with the comments that the recorded block has around its statements. */
function withComments(
  code: Code,
  core: Range,
  block: Code,
  statements: readonly Range[],
): Range | undefined {
  const before = block.text.slice(0, statements[0]!.start).trim();
  const after = block.text.slice(statements.at(-1)!.end).replace(/^;/, '').trim();
  const lead = before === '' ? core.start : fuzzyEnd(code.text.slice(0, core.start), before);
  const tail = after === '' ? 0 : fuzzyStart(code.text.slice(core.end), after);
  return lead === undefined || tail === undefined
    ? undefined
    : { start: lead, end: core.end + tail };
}

/** Where `part` begins at the end of `text`, whatever white space is between its words. */
function fuzzyEnd(text: string, part: string): number | undefined {
  return new RegExp(`${fuzzy(part)}\\s*$`).exec(text)?.index;
}

function fuzzyStart(text: string, part: string): number | undefined {
  return new RegExp(`^[\\s;]*${fuzzy(part)}`).exec(text)?.[0].length;
}

function fuzzy(part: string): string {
  return part
    .split(/\s+/)
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('\\s+');
}

/** The lines of a range with the line end in front of them; `undefined` where other code is on them. */
function wholeLines(text: string, { start, end }: Range): Range | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const to = newline < 0 ? text.length : newline;
  const isAlone =
    /^[\s\u{FEFF}]*$/u.test(text.slice(from, start)) && /^[\s;]*$/.test(text.slice(end, to));
  if (!isAlone) return undefined;
  // The first line of a file has no line end in front of it, the others take theirs.
  if (from === 0) return { start: 0, end: Math.min(text.length, to + 1) };
  const isCrlf = text[from - 2] === '\r';
  return { start: from - (isCrlf ? 2 : 1), end: to - (text[to - 1] === '\r' ? 1 : 0) };
}

/** An element of the list that the anchor names. */
function findElement(text: string, entry: WiredText): FoundText | undefined {
  const code = openCode(entry.file, text);
  const anchor = parseAnchorText(entry.anchor);
  if (code === undefined || anchor === undefined) return undefined;
  const { start, end } = coreOf(entry);
  const wanted = entry.text.slice(start, end);
  const found = code
    .lists(anchor)
    .flatMap((list) =>
      list.elements.flatMap((element, at) =>
        isSameCode(code.path, inParentheses(sliceOf(text, element)), inParentheses(wanted))
          ? [{ list, element, at }]
          : [],
      ),
    );
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { list, element, at } = only;
  // Put in as the only one, it has no comma of its own: beside others it would leave a hole.
  const isAlone = list.elements.length === 1;
  const exact = [entry.text, withLineEnd(entry.text, text)].flatMap((recorded) => {
    if (!isAlone && !/^\s*,|,\s*$/.test(recorded)) return [];
    const from = element.start - coreOf({ verb: entry.verb, text: recorded }).start;
    const isThere = text.startsWith(recorded, from) && from + recorded.length <= list.end;
    return isThere && from >= list.start ? [{ start: from, end: from + recorded.length }] : [];
  });
  const [previous, next] = [list.elements[at - 1], list.elements[at + 1]];
  const cut =
    exact[0] ??
    (previous !== undefined
      ? { start: previous.end, end: element.end }
      : { start: element.start, end: next?.start ?? element.end });
  return { cut, core: element };
}

function inParentheses(text: string): string {
  return `(${text.trim()})`;
}

/** Anchors as the lock records them: `list:ROUTES`. Pure. */
const KINDS = ['routes', 'list', 'routers'] as const;

/** The inverse of `formatAnchor`; `undefined` for no anchor. */
export function parseAnchorText(text: string | undefined): WireAnchor | undefined {
  const [kind, name] = (text ?? '').split(':');
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) return undefined;
  return name === undefined ? { kind: known } : { kind: known, name };
}
