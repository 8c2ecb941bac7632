/**
 * The code fences of a Markdown text, with the indentation of the list items that they are in. Fences in HTML
 * comments and raw HTML are not shown to people, so they are no fences. Pure; the text comes from a publisher.
 */

/** A fenced block of code. */
export interface Fence {
  /** What follows the marks of the opening line, trimmed. */
  readonly info: string;
  /** The content without the indentation of the fence, with LF; it ends with LF unless it is empty. */
  readonly text: string;
  /** Line of the opening marks, counted from 1. */
  readonly line: number;
  /** Line of the closing marks, or the last line before the end of the list item or text. */
  readonly endLine: number;
  /** False when the list item or the text ends before the closing marks. */
  readonly isClosed: boolean;
}

const OPENING = /^([ \t]*)(`{3,}|~{3,})(.*)$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])([ \t]+)(?=\S)/;
/** Raw HTML whose content Markdown does not read, with what ends it. */
const RAW: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
];
const MAX_DEPTH = 20;
/** No guide for people has more. */
const MAX_FENCES = 2_000;

/** The fences of `markdown` in their order. */
export function readFences(markdown: string): Fence[] {
  const lines = markdown.split(/\r\n|\n|\r/);
  const fences: Fence[] = [];
  let offsets: number[] = [];
  for (let at = 0; at < lines.length && fences.length < MAX_FENCES; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '') continue;
    offsets = offsets.filter((offset) => offset <= indentOf(line));
    const raw = RAW.find(([start]) => start.test(line));
    if (raw !== undefined) {
      while (at < lines.length - 1 && !raw[1].test(lines[at]!)) at += 1;
      continue;
    }
    let rest = line;
    for (let item = ITEM.exec(rest); item !== null; item = ITEM.exec(rest)) {
      // No list for people is nested more deeply; a line of markers would take too long.
      if (offsets.length >= MAX_DEPTH) break;
      // The marker becomes spaces: the column of what follows stays.
      offsets.push(item[0].length);
      rest = ' '.repeat(item[0].length) + rest.slice(item[0].length);
    }
    const [, indent = '', mark, info = ''] = OPENING.exec(rest) ?? [];
    const offset = offsets.at(-1) ?? 0;
    if (mark === undefined || indentOf(indent) > offset + 3) continue;
    if (mark.startsWith('`') && info.includes('`')) continue;
    const fence = readContent(lines, at, { width: indentOf(indent), offset, mark });
    fences.push({ info: info.trim(), ...fence });
    at = fence.endLine - 1;
  }
  return fences;
}

interface Opening {
  readonly width: number;
  readonly offset: number;
  readonly mark: string;
}

function readContent(
  lines: readonly string[],
  openedAt: number,
  { width, offset, mark }: Opening,
): Omit<Fence, 'info'> {
  const content: string[] = [];
  const end = (at: number, isClosed: boolean): Omit<Fence, 'info'> => {
    const text = content.map((line) => `${line}\n`).join('');
    return { text, line: openedAt + 1, endLine: at, isClosed };
  };
  for (let at = openedAt + 1; at < lines.length; at += 1) {
    const line = lines[at]!;
    const trimmed = line.trim();
    const isClosing =
      trimmed.startsWith(mark) &&
      trimmed.replaceAll(mark[0]!, '') === '' &&
      !/^\s{4}/.test(strip(line, width));
    if (isClosing) return end(at + 1, true);
    if (trimmed !== '' && indentOf(line) < offset) return end(at, false);
    content.push(strip(line, width));
  }
  return end(lines.length, false);
}

/** `line` without its first `width` columns of white space. */
function strip(line: string, width: number): string {
  let at = 0;
  for (let column = 0; column < width && /[ \t]/.test(line[at] ?? ''); at += 1) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
  }
  return line.slice(at);
}

/** Columns of white space in front of `line`; a tab goes to the next multiple of four. */
function indentOf(line: string): number {
  let column = 0;
  for (const char of line) {
    if (char === ' ') column += 1;
    else if (char === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}
