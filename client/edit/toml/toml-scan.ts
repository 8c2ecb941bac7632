/**
 * Finds the places of the statements in TOML text. The text was parsed without errors before, and every
 * edit is parsed again: this scanner locates and does not validate.
 */
import { parse } from 'smol-toml';

interface TomlHeader {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

export interface TomlStatement {
  /** Path of the value, including that of its header. */
  readonly path: readonly string[];
  /** Path of the header above it; empty at the start of the file. */
  readonly header: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface TomlPlaces {
  readonly headers: readonly TomlHeader[];
  /** Statements outside of arrays of tables. */
  readonly statements: readonly TomlStatement[];
}

interface TomlItem {
  readonly start: number;
  readonly end: number;
  /** Offset of the comma after it. */
  readonly comma: number | undefined;
}

/** An array, or an inline table whose items are its pairs. */
export interface TomlArray {
  readonly open: number;
  readonly close: number;
  readonly items: readonly TomlItem[];
}

/** The places of all headers and statements of `body`. */
export function scanToml(body: string): TomlPlaces {
  const headers: TomlHeader[] = [];
  const statements: TomlStatement[] = [];
  let header: readonly string[] = [];
  let isInArray = false;
  let at = skipSpace(body, 0);
  while (at < body.length) {
    const start = at;
    if (body[at] === '[') {
      isInArray = body[at + 1] === '[';
      const key = readKey(body, at + (isInArray ? 2 : 1));
      header = key.path;
      at = key.end + (isInArray ? 2 : 1);
      headers.push({ path: header, start, end: at });
    } else {
      const { path, valueStart, valueEnd } = readPair(body, at);
      at = valueEnd;
      if (!isInArray) {
        statements.push({ path: [...header, ...path], header, start, valueStart, valueEnd });
      }
    }
    at = skipSpace(body, at);
  }
  return { headers, statements };
}

/** The span of the value at `path`, also within inline tables. */
export function findValue(
  body: string,
  path: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  for (const { path: found, valueStart, valueEnd } of scanToml(body).statements) {
    const span = descend(body, path, found, valueStart, valueEnd);
    if (span !== undefined) return span;
  }
  return undefined;
}

/** The items of the array that starts at `open`. */
export function scanArray(body: string, open: number): TomlArray {
  const items: TomlItem[] = [];
  let at = skipSpace(body, open + 1);
  while (at < body.length && body[at] !== ']') {
    const end = valueEndOf(body, at);
    const behind = skipSpace(body, end);
    const comma = body[behind] === ',' ? behind : undefined;
    items.push({ start: at, end, comma });
    at = skipSpace(body, comma === undefined ? behind : comma + 1);
  }
  return { open, close: at, items };
}

/** The pairs of the inline table that starts at `open`, each with the path of its key. */
export function scanInlineTable(
  body: string,
  open: number,
): { readonly table: TomlArray; readonly paths: readonly (readonly string[])[] } {
  const items: TomlItem[] = [];
  const paths: string[][] = [];
  let at = skipSpace(body, open + 1);
  while (at < body.length && body[at] !== '}') {
    const { path, valueEnd } = readPair(body, at);
    const behind = skipSpace(body, valueEnd);
    const comma = body[behind] === ',' ? behind : undefined;
    items.push({ start: at, end: valueEnd, comma });
    paths.push(path);
    at = skipSpace(body, comma === undefined ? behind : comma + 1);
  }
  return { table: { open, close: at, items }, paths };
}

function descend(
  body: string,
  path: readonly string[],
  found: readonly string[],
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  if (!found.every((key, index) => key === path[index])) return undefined;
  if (found.length === path.length) return { start, end };
  if (body[start] !== '{') return undefined;
  let at = skipSpace(body, start + 1);
  while (at < end && body[at] !== '}') {
    const pair = readPair(body, at);
    const full = [...found, ...pair.path];
    const span = descend(body, path, full, pair.valueStart, pair.valueEnd);
    if (span !== undefined) return span;
    at = skipSpace(body, pair.valueEnd);
    if (body[at] === ',') at = skipSpace(body, at + 1);
  }
  return undefined;
}

function readPair(
  body: string,
  at: number,
): { path: string[]; valueStart: number; valueEnd: number } {
  const { path, end } = readKey(body, at);
  const valueStart = skipBlanks(body, end + 1);
  return { path, valueStart, valueEnd: valueEndOf(body, valueStart) };
}

/** A dotted key, with `end` at the character after it. */
function readKey(body: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = skipBlanks(body, from);
  for (;;) {
    const start = at;
    at = isQuote(body[at]) ? stringEndOf(body, at) : bareEndOf(body, at, /[\s.=\]]/);
    const raw = body.slice(start, at);
    path.push(isQuote(raw[0]) ? (Object.keys(parse(`${raw} = 0`))[0] ?? '') : raw);
    at = skipBlanks(body, at);
    if (body[at] !== '.') return { path, end: at };
    at = skipBlanks(body, at + 1);
  }
}

function valueEndOf(body: string, start: number): number {
  const mark = body[start];
  if (isQuote(mark)) return stringEndOf(body, start);
  if (mark === '[') return scanArray(body, start).close + 1;
  if (mark !== '{') {
    const end = bareEndOf(body, start, /[,\]}\r\n#]/);
    return start + body.slice(start, end).trimEnd().length;
  }
  let at = skipSpace(body, start + 1);
  while (at < body.length && body[at] !== '}') {
    at = skipSpace(body, readPair(body, at).valueEnd);
    if (body[at] === ',') at = skipSpace(body, at + 1);
  }
  return at + 1;
}

function stringEndOf(body: string, start: number): number {
  const mark = body[start] ?? '';
  const isLong = body.startsWith(mark.repeat(3), start);
  const close = isLong ? mark.repeat(3) : mark;
  let at = start + close.length;
  while (at < body.length && !body.startsWith(close, at)) {
    at += mark === '"' && body[at] === '\\' ? 2 : 1;
  }
  at += close.length;
  // Up to two more quotes may precede the closing three.
  while (isLong && body[at] === mark && at < body.length) at += 1;
  return at;
}

function bareEndOf(body: string, start: number, stop: RegExp): number {
  let at = start;
  while (at < body.length && !stop.test(body[at] ?? '')) at += 1;
  return Math.max(at, start + 1);
}

/** The offset after blanks, line ends and comments. */
function skipSpace(body: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < body.length && /[ \t\r\n]/.test(body[at] ?? '')) at += 1;
    if (body[at] !== '#') return at;
    const end = body.indexOf('\n', at);
    at = end < 0 ? body.length : end;
  }
}

function skipBlanks(body: string, from: number): number {
  let at = from;
  while (body[at] === ' ' || body[at] === '\t') at += 1;
  return at;
}

function isQuote(mark: string | undefined): boolean {
  return mark === '"' || mark === "'";
}
