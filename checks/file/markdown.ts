/** The parts of a Markdown text that rules distinguish: code in fences and spans, HTML comments, the rest. */

export interface MarkdownPart {
  readonly kind: 'fence' | 'span' | 'comment';
  /** First word after the fence's marks, in lower case. */
  readonly language: string;
  readonly text: string;
  readonly start: number;
}

const FENCE =
  /^ {0,3}(?:>\s?)?(?:[-*+]\s|\d{1,3}[.)]\s)?\s{0,8}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30})/;
/** The limit of parts: no text for people has more. */
const MAX_PARTS = 5000;

/** Fences, spans and comments of `text`, in order, each with its unchanged text. */
export function markdownParts(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let open: { mark: string; language: string; start: number } | undefined;
  let lineStart = 0;
  while (lineStart < text.length && parts.length < MAX_PARTS) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 20_000));
    if (open !== undefined) {
      if (line.trim().startsWith(open.mark) && line.trim().replaceAll(open.mark[0]!, '') === '') {
        parts.push({
          kind: 'fence',
          language: open.language,
          text: text.slice(open.start, lineStart),
          start: open.start,
        });
        open = undefined;
      }
    } else {
      const [, mark, language = ''] = FENCE.exec(line) ?? [];
      if (mark !== undefined) open = { mark, language: language.toLowerCase(), start: lineEnd + 1 };
      else parts.push(...spans(line, lineStart));
    }
    lineStart = lineEnd + 1;
  }
  if (open !== undefined)
    parts.push({
      kind: 'fence',
      language: open.language,
      text: text.slice(open.start),
      start: open.start,
    });
  return [...parts, ...comments(text)].sort((a, b) => a.start - b.start);
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
