/** Text that is put into a file of code. Pure. */
import type { CodeStyle } from './code-style.ts';
import type { ListRange, Range } from './code.ts';

export interface Splice {
  readonly at: number;
  readonly text: string;
}

/** Why there is no splice, as a clause. */
type NoSplice = string;

export function applySplice(text: string, { at, text: added }: Splice): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** White space in front of what begins at `at`, if nothing else is in front of it on its line. */
export function indentAt(text: string, at: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return lead.trim() === '' ? lead : undefined;
}

/** `lines` of a block as new lines after the statement `after`. */
export function afterStatement(
  text: string,
  after: Range,
  lines: readonly string[],
  { lineEnd }: CodeStyle,
): Splice | NoSplice {
  const newline = text.indexOf('\n', after.end);
  const end = newline < 0 ? text.length : newline - (text[newline - 1] === '\r' ? 1 : 0);
  const rest = text.slice(after.end, end);
  // The last statement of a chain may be followed by a comment, but by no other statement.
  const isLast = /^[ \t]*;?[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*|#.*)?$/.test(rest);
  const indent = indentAt(text, after.start);
  if (!isLast || indent === undefined) return 'the place is in the middle of a line';
  const block = lines.map((line) => lineEnd + (line === '' ? '' : indent + line));
  return { at: end, text: block.join('') };
}

/** `lines` at the top of a file. */
export function atTop(at: number, lines: readonly string[], { lineEnd }: CodeStyle): Splice {
  return { at, text: lines.map((line) => line + lineEnd).join('') };
}

/** `lines` as a new last element of a list. */
export function asLastElement(
  text: string,
  list: ListRange,
  lines: readonly string[],
  { lineEnd, indent: unit = '  ' }: CodeStyle,
): Splice | NoSplice {
  const last = list.elements.at(-1);
  const tail = text.slice(last?.end ?? list.start, list.end);
  if (!/^[\s,]*$/.test(tail)) return 'the list has a comment at its end';
  if (last === undefined) {
    if (!tail.includes('\n')) return { at: list.start, text: lines.join(lineEnd) };
    const open = text.slice(text.lastIndexOf('\n', list.start - 1) + 1, list.start);
    const indent = /^[ \t]*/.exec(open)![0] + unit;
    return { at: list.start, text: `${lines.map((line) => lineEnd + indent + line).join('')},` };
  }
  const indent = indentAt(text, last.start);
  if (!tail.includes('\n') || indent === undefined) {
    return { at: last.end, text: `, ${lines.join(lineEnd + lineIndent(text, last.start))}` };
  }
  const block = lines.map((line) => lineEnd + indent + line).join('');
  const comma = tail.indexOf(',');
  if (comma < 0) return { at: last.end, text: `,${block}` };
  return { at: last.end + comma + 1, text: `${block},` };
}

/** The white space at the beginning of the line of `at`. */
function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];
}
