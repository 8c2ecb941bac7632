/**
 * Puts one value into TOML text. Several ways are tried, and each result is accepted only if a second
 * parser reads exactly the intended value and every line outside the edit is as it was.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseLoose, patch } from '@decimalturn/toml-patch';
import { parse } from 'smol-toml';
import { appendLines, lineEndOf } from './project-file.ts';

/** A value that an edit writes; arrays are those of dependencies, tables those of poetry. */
export type TomlValue = string | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export type TomlTable = Record<string, unknown>;

/** The value of TOML text without a byte order mark; integers as `bigint`. */
export function parseToml(body: string): TomlTable {
  return parse(body, { integersAsBigInt: true });
}

/** The table at `path`, or `undefined`. */
export function tableAt(root: TomlTable, path: readonly string[]): TomlTable | undefined {
  let table: TomlTable = root;
  for (const key of path) {
    const value: unknown = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!isTable(value)) return undefined;
    table = value;
  }
  return table;
}

/** `body` with `key = value` in the table at `path`, in place of the value there is; or `undefined`. */
export function trySetToml(
  body: string,
  path: readonly string[],
  key: string,
  value: TomlValue,
): string | undefined {
  const intended = parseToml(body);
  setAt(intended, path, key, value);
  const isNew = tableAt(parseToml(body), path)?.[key] === undefined;
  const ways = [
    ...(isNew ? [insertAtEndOfTable, insertBehindHeader, appendTable] : []),
    patchDocument,
  ];
  for (const way of ways) {
    const edited = tryWay(() => way(body, path, key, value));
    if (edited === undefined || !isValue(edited, intended)) continue;
    if (keepsLines(body, edited)) return edited;
  }
  return undefined;
}

type Way = (
  body: string,
  path: readonly string[],
  key: string,
  value: TomlValue,
) => string | undefined;

/** Whatever a parser or patcher says of a file that it cannot handle, another way may do. */
function tryWay(way: () => string | undefined): string | undefined {
  try {
    return way();
  } catch {
    return undefined;
  }
}

const insertAtEndOfTable: Way = (body, path, key, value) => {
  const lines = body.split('\n');
  const header = findHeader(lines, path);
  if (header < 0) return undefined;
  const next = lines.findIndex((line, index) => index > header && /^\s*\[/.test(line));
  let end = next < 0 ? lines.length : next;
  while (end > header + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
  return insertLine(body, lines, end, key, value);
};

const insertBehindHeader: Way = (body, path, key, value) => {
  const lines = body.split('\n');
  const header = findHeader(lines, path);
  return header < 0 ? undefined : insertLine(body, lines, header + 1, key, value);
};

const appendTable: Way = (body, path, key, value) => {
  if (tableAt(parseToml(body), path) !== undefined) return undefined;
  const gap = body === '' || /(?:^|\n)\r?\n$/.test(body) ? [] : [''];
  return appendLines(body, [
    ...gap,
    `[${path.map(formatKey).join('.')}]`,
    ...entryLines(body, key, value),
  ]);
};

const patchDocument: Way = (body, path, key, value) => {
  const root = parseLoose(body) as TomlTable;
  setAt(root, path, key, value);
  return patch(body, root);
};

/** The line of the header of a table; the names are ours and need no escape. */
function findHeader(lines: readonly string[], path: readonly string[]): number {
  const name = path.map((key) => `\\s*["']?${key}["']?\\s*`).join('\\.');
  const header = new RegExp(`^\\s*\\[${name}\\]\\s*(?:#.*)?$`);
  return lines.findIndex((line) => header.test(line));
}

function insertLine(
  body: string,
  lines: readonly string[],
  at: number,
  key: string,
  value: TomlValue,
): string {
  if (at >= lines.length) return appendLines(body, entryLines(body, key, value));
  const end = lineEndOf(body) === '\r\n' ? '\r' : '';
  const added = entryLines(body, key, value).map((line) => line + end);
  return [...lines.slice(0, at), ...added, ...lines.slice(at)].join('\n');
}

/** `key = value`, an array over several lines with one item each. */
function entryLines(body: string, key: string, value: TomlValue): string[] {
  if (!Array.isArray(value)) return [`${formatKey(key)} = ${formatValue(value)}`];
  const indent = /\[[ \t]*\r?\n([ \t]+)["']/.exec(body)?.[1] ?? '    ';
  const items = (value as readonly TomlValue[]).map((item) => `${indent}${formatValue(item)},`);
  return [`${formatKey(key)} = [`, ...items, ']'];
}

function formatValue(value: TomlValue): string {
  // Strings of JSON are basic strings of TOML: all of its escapes are among those of TOML.
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${(value as readonly TomlValue[]).map(formatValue).join(', ')}]`;
  }
  const entries = Object.entries(value).map(
    ([key, item]) => `${formatKey(key)} = ${formatValue(item)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

function setAt(root: TomlTable, path: readonly string[], key: string, value: TomlValue): void {
  let table = root;
  for (const step of path) {
    if (!Object.hasOwn(table, step)) define(table, step, {});
    table = table[step] as TomlTable;
  }
  define(table, key, value);
}

function define(table: TomlTable, key: string, value: unknown): void {
  Object.defineProperty(table, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isValue(body: string, intended: TomlTable): boolean {
  try {
    return isDeepStrictEqual(plain(parseToml(body)), plain(intended));
  } catch {
    return false;
  }
}

/** Tables without their prototypes, which differ between the parser's and ours. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isTable(value: unknown): value is TomlTable {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/**
 * Whether the lines in front of the first and behind the last change are equal, and all that stood
 * between them, comments included, still stands there but for commas, brackets and space.
 */
function keepsLines(before: string, after: string): boolean {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const rest = bare(now.slice(start, now.length - end).join(''));
  let from = 0;
  return old.slice(start, old.length - end).every((line) => {
    const at = rest.indexOf(bare(line), from);
    from = at + bare(line).length;
    return at >= 0;
  });
}

function bare(text: string): string {
  return text.replaceAll(/[\s,[\]]+/g, '');
}
