/**
 * Edits of TOML text that change no other byte. Each result is parsed and must have exactly the intended
 * value; otherwise the result is `undefined`.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseLoose, patch } from '@decimalturn/toml-patch';
import { tableAt, type TomlTable } from '../../../format/project/pyproject.ts';
import {
  endOfContent,
  insertLines,
  isBlank,
  joinFileLines,
  removeLines,
  splitFileLines,
} from '../file-lines.ts';
import { addToInlineTable, removeFromInlineTable } from './inline-table.ts';
import { appendItem, hasComment, removeItem } from './toml-array.ts';
import { findValue, scanArray, scanToml, type TomlStatement } from './toml-scan.ts';
import {
  arrayAt,
  dropEmpty,
  formatTomlKey,
  formatTomlValue,
  setAt,
  type TomlEntry,
  type TomlValue,
  verify,
} from './toml-value.ts';

/**
 * Adds `key = value` to the end of the table at `path`, which is created at the end of the text if it is
 * missing; an array is written with one line for each item.
 */
export function tryAddKey(
  body: string,
  path: readonly string[],
  key: string,
  value: TomlValue,
): string | undefined {
  const entry: TomlEntry = { path, key, value };
  const change = (root: TomlTable): void => setAt(root, entry);
  for (const way of [addBelowHeader, addDotted, addTable, addToInlineTable]) {
    const edited = verify(body, way(body, entry), change);
    if (edited !== undefined) return edited;
  }
  // A rewrite of the whole is accepted only if it can be undone.
  const patched = verify(body, tryPatch(body, entry), change);
  const isInvertible = patched !== undefined && tryRemoveKey(patched, path, key) === body;
  return isInvertible ? patched : undefined;
}

/** Appends `items` to the array at `path`. */
export function tryAppendItems(
  body: string,
  path: readonly string[],
  items: readonly string[],
): string | undefined {
  let edited = body;
  for (const item of items) {
    const span = findValue(edited, path);
    if (span === undefined || edited[span.start] !== '[') return undefined;
    edited = appendItem(edited, scanArray(edited, span.start), formatTomlValue(item));
  }
  return verify(body, edited, (root) => arrayAt(root, path)?.push(...items));
}

/** Removes the item at `index` of the array at `path`; not when a comment follows it. */
export function tryRemoveItem(
  body: string,
  path: readonly string[],
  index: number,
): string | undefined {
  const span = findValue(body, path);
  if (span === undefined || body[span.start] !== '[') return undefined;
  const array = scanArray(body, span.start);
  if (array.items[index] === undefined || hasComment(body, array, index)) return undefined;
  return verify(body, removeItem(body, array, index), (root) =>
    arrayAt(root, path)?.splice(index, 1),
  );
}

/** Replaces the item at `index` of the array at `path`. */
export function tryReplaceItem(
  body: string,
  path: readonly string[],
  index: number,
  item: string,
): string | undefined {
  const span = findValue(body, path);
  if (span === undefined || body[span.start] !== '[') return undefined;
  const place = scanArray(body, span.start).items[index];
  if (place === undefined) return undefined;
  const edited = body.slice(0, place.start) + formatTomlValue(item) + body.slice(place.end);
  return verify(body, edited, (root) => arrayAt(root, path)?.splice(index, 1, item));
}

/** Replaces the value of `key` in the table at `path`. */
export function tryReplaceValue(
  body: string,
  path: readonly string[],
  key: string,
  value: TomlValue,
): string | undefined {
  const span = findValue(body, [...path, key]);
  if (span === undefined) return undefined;
  const edited = body.slice(0, span.start) + formatTomlValue(value) + body.slice(span.end);
  return verify(body, edited, (root) => setAt(root, { path, key, value }));
}

/** Removes `key` from the table at `path`; not when a comment is in or after its value. */
export function tryRemoveKey(
  body: string,
  path: readonly string[],
  key: string,
): string | undefined {
  const full = [...path, key];
  const { headers, statements } = scanToml(body);
  const statement = statements.find((s) => isDeepStrictEqual(s.path, full));
  if (statement === undefined) return removeFromInlineTable(body, path, key);
  if (holdsComment(body, statement)) return undefined;
  const from = lineOf(body, statement.start);
  const lines = splitFileLines(body);
  const to = lineOf(body, statement.valueEnd) + 1;
  return verify(body, joinFileLines(removeLines(lines, from, to - from)), (root) => {
    const table = tableAt(root, path);
    if (table !== undefined) Reflect.deleteProperty(table, key);
    // A dotted key implicitly creates the table that contains it.
    if (statement.header.length < path.length) dropEmpty(root, path, headers);
  });
}

/** Removes the empty table at `path` and the empty line above it; not when it contains a comment. */
export function tryRemoveTable(body: string, path: readonly string[]): string | undefined {
  const { headers } = scanToml(body);
  const at = headers.findIndex((header) => isDeepStrictEqual(header.path, path));
  const header = headers[at];
  if (header === undefined) return undefined;
  const lines = splitFileLines(body);
  const from = lineOf(body, header.start);
  const next = headers[at + 1];
  const section = lines.slice(from + 1, next === undefined ? undefined : lineOf(body, next.start));
  const isHeaderAlone = lines[from]?.text === body.slice(header.start, header.end);
  if (!isHeaderAlone || !section.every(({ text }) => isBlank(text))) return undefined;
  const hasGap = lines[from - 1]?.text === '';
  const edited = hasGap ? removeLines(lines, from - 1, 2) : removeLines(lines, from, 1);
  return verify(body, joinFileLines(edited), (root) => {
    dropEmpty(root, path, headers.toSpliced(at, 1));
  });
}

function addBelowHeader(body: string, { path, key, value }: TomlEntry): string | undefined {
  const { headers, statements } = scanToml(body);
  const header = headers.find((h) => isDeepStrictEqual(h.path, path));
  if (header === undefined) return undefined;
  const next = headers.find(({ start }) => start > header.start)?.start ?? body.length;
  const last = statements.findLast(({ start }) => start > header.start && start < next);
  const at = lineOf(body, last?.valueEnd ?? header.end) + 1;
  const lines = splitFileLines(body);
  return joinFileLines(insertLines(lines, at, entryLines(body, formatTomlKey(key), value)));
}

/** If the table has no header: next to one of its keys, such as `project.name = "x"`. */
function addDotted(body: string, { path, key, value }: TomlEntry): string | undefined {
  const beside = scanToml(body).statements.findLast(
    ({ path: found, header }) =>
      header.length < path.length && path.every((step, index) => found[index] === step),
  );
  if (beside === undefined) return undefined;
  const dotted = [...path, key].slice(beside.header.length).map(formatTomlKey).join('.');
  const at = lineOf(body, beside.valueEnd) + 1;
  return joinFileLines(insertLines(splitFileLines(body), at, entryLines(body, dotted, value)));
}

function addTable(body: string, { path, key, value }: TomlEntry): string | undefined {
  const lines = splitFileLines(body);
  const at = endOfContent(lines);
  const header = `[${path.map(formatTomlKey).join('.')}]`;
  const entry = entryLines(body, formatTomlKey(key), value);
  return joinFileLines(insertLines(lines, at, [...(at === 0 ? [] : ['']), header, ...entry]));
}

/** If the patcher throws for a file, the file is not edited. */
function tryPatch(body: string, entry: TomlEntry): string | undefined {
  try {
    const root = parseLoose(body) as TomlTable;
    setAt(root, entry);
    return patch(body, root);
  } catch {
    return undefined;
  }
}

/** `key = value`; an array on several lines with one item each. */
function entryLines(body: string, key: string, value: TomlValue): string[] {
  if (!Array.isArray(value)) return [`${key} = ${formatTomlValue(value)}`];
  const indent = /\[[ \t]*\r?\n([ \t]+)["']/.exec(body)?.[1] ?? '    ';
  const items = (value as readonly TomlValue[]).map((item) => `${indent}${formatTomlValue(item)},`);
  return [`${key} = [`, ...items, ']'];
}

/** Whether a comment follows a value on its line, or is in an empty array. */
function holdsComment(body: string, { valueStart, valueEnd }: TomlStatement): boolean {
  const rest = body.slice(valueEnd).split('\n', 1)[0] ?? '';
  const isEmptyArray = body[valueStart] === '[' && scanArray(body, valueStart).items.length === 0;
  return rest.includes('#') || (isEmptyArray && body.slice(valueStart, valueEnd).includes('#'));
}

function lineOf(body: string, offset: number): number {
  return body.slice(0, offset).split('\n').length - 1;
}
