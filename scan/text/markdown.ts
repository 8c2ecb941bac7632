/** The parts of a Markdown text that rules distinguish: blocks of code, code spans, HTML comments, the rest. */
import { readMarkdown } from '../../format/wiring/markdown.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { once } from '../once.ts';

interface MarkdownPart {
  readonly kind: 'fence' | 'span' | 'comment';
  /** First word after the fence's marks, in lower case. */
  readonly language: string;
  readonly text: string;
  readonly start: number;
}

/** The limit of parts: no text for people has more. */
const MAX_PARTS = 10_000;
/** What is behind them is read as one block of code. */
const MAX_CHARACTERS = 1_000_000;

/** Blocks of code, spans and comments of a file, in order, each with its unchanged text. */
export const markdownParts: (file: ScannedFile) => readonly MarkdownPart[] = once((file) =>
  // Agents read a text that is not UTF-8 as well.
  readParts(file.text ?? Buffer.from(file.bytes).toString('latin1')),
);

/** The same of a text. Code in HTML is a part too: agents read what no page shows. */
export function readParts(whole: string): readonly MarkdownPart[] {
  const text = whole.slice(0, MAX_CHARACTERS);
  const starts = [
    0,
    ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length),
  ];
  const startOf = (line: number): number => starts[line - 1] ?? text.length;
  const { fences, indented } = readMarkdown(text);
  const parts: MarkdownPart[] = [];
  const isCode = new Set<number>();
  const add = (
    language: string,
    line: number,
    endLine: number,
    first: number,
    last: number,
  ): void => {
    for (let at = line; at <= endLine; at += 1) isCode.add(at);
    const start = startOf(first);
    parts.push({ kind: 'fence', language, text: text.slice(start, startOf(last)), start });
  };
  for (const { info, line, endLine, isClosed } of fences.slice(0, MAX_PARTS)) {
    const [language = ''] = /^[\w+#.-]{0,30}/.exec(info) ?? [];
    add(language.toLowerCase(), line, endLine, line + 1, isClosed ? endLine : endLine + 1);
  }
  for (const { line, endLine } of indented.slice(0, MAX_PARTS)) {
    add('', line, endLine, line, endLine + 1);
  }
  for (const [at, start] of starts.entries()) {
    if (parts.length >= MAX_PARTS * 2) break;
    if (!isCode.has(at + 1))
      parts.push(...spans(text.slice(start, Math.min(startOf(at + 2), start + 20_000)), start));
  }
  parts.push(...comments(text));
  if (whole.length > text.length) {
    parts.push({ kind: 'fence', language: '', text: whole.slice(text.length), start: text.length });
  }
  return parts.sort((a, b) => a.start - b.start);
}

function spans(line: string, offset: number): MarkdownPart[] {
  if (!line.includes('`')) return [];
  const found: MarkdownPart[] = [];
  let at = line.indexOf('`');
  while (at !== -1) {
    let start = at;
    while (line[start] === '`') start += 1;
    const end = line.indexOf(line.slice(at, start), start);
    if (end === -1) return found;
    found.push({ kind: 'span', language: '', text: line.slice(start, end), start: offset + start });
    at = line.indexOf('`', end + start - at);
  }
  return found;
}

/** `<!-- ... -->`, and `[//]: # (...)`, which is not rendered either. */
function comments(text: string): MarkdownPart[] {
  const found: MarkdownPart[] = [];
  let at = text.indexOf('<!--');
  while (at !== -1 && found.length < MAX_PARTS) {
    const close = text.indexOf('-->', at + 4);
    const end = close === -1 ? text.length : close;
    found.push({ kind: 'comment', language: '', text: text.slice(at + 4, end), start: at + 4 });
    at = text.indexOf('<!--', end);
  }
  for (const match of text.matchAll(
    /^\[[^\]\n]{1,40}\]:[ \t]*(?:#|<>)[ \t]+[("'](.{0,2000})[)"'][ \t]*$/gm,
  )) {
    if (found.length >= MAX_PARTS) break;
    found.push({ kind: 'comment', language: '', text: match[1]!, start: match.index });
  }
  return found;
}
