/**
 * Appends items to an array in TOML text and removes them again exactly: commas, comments, indentation
 * and a trailing comma are kept as the user wrote them.
 */
import { lineEndOf } from '../project-file.ts';
import type { TomlArray } from './toml-scan.ts';

/** Appends `item`, TOML text, to `array` in `body`. */
export function appendItem(body: string, array: TomlArray, item: string): string {
  const { open, close, items } = array;
  const isOverLines = body.slice(open, close).includes('\n');
  const last = items.at(-1);
  const end = lineEndOf(body);
  if (last === undefined) {
    if (!isOverLines) return splice(body, open + 1, open + 1, item);
    const at = endOfLine(body, open + 1);
    return splice(body, at, at, `${end}${marginOf(body, open)}    ${item},`);
  }
  const hasComma = last.comma !== undefined;
  const anchor = last.comma === undefined ? last.end : last.comma + 1;
  if (!isOverLines) return splice(body, anchor, anchor, hasComma ? ` ${item},` : `, ${item}`);
  const lineEnd = endOfLine(body, anchor);
  // A comment after the last item stays with that item.
  const at =
    lineEnd < close && /^[ \t]*(?:#.*)?$/.test(body.slice(anchor, lineEnd)) ? lineEnd : anchor;
  const line = `${end}${indentOf(body, array)}${item}${hasComma ? ',' : ''}`;
  const edited = splice(body, at, at, line);
  return hasComma ? edited : splice(edited, last.end, last.end, ',');
}

/** Removes the item at `index` of `array`: the inverse of `appendItem`, in any order. */
export function removeItem(body: string, array: TomlArray, index: number): string {
  const { items } = array;
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  const before = items[index - 1];
  const after = items[index + 1];
  const end = item.comma === undefined ? item.end : item.comma + 1;
  if (standsAlone(body, array, index)) {
    const lineStart = body.lastIndexOf('\n', item.start);
    const from = body[lineStart - 1] === '\r' ? lineStart - 1 : lineStart;
    const edited = splice(body, from, end, '');
    const isComma = item.comma === undefined && before?.comma !== undefined;
    return isComma ? splice(edited, before.comma, before.comma + 1, '') : edited;
  }
  if (before !== undefined) {
    const from = item.comma === undefined ? before.end : (before.comma ?? before.end - 1) + 1;
    return splice(body, from, end, '');
  }
  return splice(body, item.start, after === undefined ? end : after.start, '');
}

/** Whether a comment follows the item on its line: then the line also belongs to the user. */
export function hasComment(body: string, array: TomlArray, index: number): boolean {
  const { end = 0, comma = end } = array.items[index] ?? {};
  const rest = body.slice(comma, Math.min(endOfLine(body, comma), array.close));
  return standsAlone(body, array, index, /^,?[ \t]*#/) || /^,?[ \t]*#/.test(rest);
}

/** Whether the item is alone on its line, except for the closing bracket of the array. */
function standsAlone(
  body: string,
  { open, close, items }: TomlArray,
  index: number,
  rest: RegExp = /^[ \t]*$/,
): boolean {
  const { start = 0, end = 0, comma } = items[index] ?? {};
  const lineStart = body.lastIndexOf('\n', start) + 1;
  if (lineStart <= open || body.slice(lineStart, start).trim() !== '') return false;
  const behind = comma === undefined ? end : comma + 1;
  return rest.test(body.slice(behind, Math.min(endOfLine(body, behind), close)));
}

function indentOf(body: string, { open, items }: TomlArray): string {
  for (const { start } of items.toReversed()) {
    const lineStart = body.lastIndexOf('\n', start) + 1;
    const indent = body.slice(lineStart, start);
    if (lineStart > open && indent.trim() === '') return indent;
  }
  return `${marginOf(body, open)}    `;
}

/** The blanks at the start of the line that contains `at`. */
function marginOf(body: string, at: number): string {
  return /^[ \t]*/.exec(body.slice(body.lastIndexOf('\n', at) + 1, at))?.[0] ?? '';
}

/** The end of the line that contains `at`, before its line end. */
function endOfLine(body: string, at: number): number {
  const newline = body.indexOf('\n', at);
  if (newline < 0) return body.length;
  return newline > at && body[newline - 1] === '\r' ? newline - 1 : newline;
}

function splice(body: string, from: number, to: number, text: string): string {
  return body.slice(0, from) + text + body.slice(to);
}
