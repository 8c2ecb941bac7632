/** Wraps a line at the width of the terminal. */
import { stripVTControlCharacters } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Below this width, wrapped lines are harder to read than those that the terminal breaks. */
const MIN_COLUMNS = 40;
/** Continuations stand below the text after a label that is at most this wide, otherwise two columns in. */
const MAX_INDENT = 16;

/**
 * The line in pieces of at most `columns` columns, broken between words; a word that is longer stays whole, so
 * that a path or an address can be copied. Colour codes take no room.
 * @param columns undefined: the output is no terminal, and the line stays as it is
 */
export function wrapLine(line: string, columns: number | undefined): string {
  if (columns === undefined || columns < MIN_COLUMNS || line.length <= columns) return line;
  return line
    .split('\n')
    .map((part) => wrapPart(part, columns))
    .join('\n');
}

function wrapPart(line: string, columns: number): string {
  const label = /^ *\S+ {2,}/.exec(line)?.[0] ?? '';
  const width = stripVTControlCharacters(label).length;
  const isLabelled = width > 0 && width <= MAX_INDENT;
  const lead = isLabelled ? label : /^ */.exec(line)![0];
  const indent = ' '.repeat(isLabelled ? width : lead.length + 2);
  const body = line.slice(lead.length);
  const [first = '', ...more] = wrapAnsi(body, columns - indent.length, { trim: true }).split('\n');
  return [lead + first, ...more.map((rest) => indent + rest)].join('\n');
}
