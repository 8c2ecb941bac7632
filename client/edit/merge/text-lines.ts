/**
 * A text as lines, separate from its byte order mark, line ends and final newline. Two copies of a file
 * that differ only in those have the same `lines`.
 */

/** Only these end a line; a single carriage return is content. */
export type LineEnd = '\n' | '\r\n';

export interface TextLines {
  readonly lines: readonly string[];
  /** The end of `lines[i]`; `undefined` for the last line without a final newline. */
  readonly ends: readonly (LineEnd | undefined)[];
  /** The most frequent line end; `undefined` for a text of one line. */
  readonly lineEnd: LineEnd | undefined;
  /** Whether both kinds of line ends occur. */
  readonly mixed: boolean;
  /** Also true for an empty text. */
  readonly finalNewline: boolean;
  readonly byteOrderMark: boolean;
}

export const BYTE_ORDER_MARK = '\uFEFF';

/** Splits any string into lines. */
export function splitLines(text: string): TextLines {
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  const lines: string[] = [];
  const ends: (LineEnd | undefined)[] = [];
  let carriageReturns = 0;
  let newlines = 0;
  let from = byteOrderMark ? 1 : 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    if (newline === -1) {
      lines.push(text.slice(from));
      ends.push(undefined);
      break;
    }
    newlines++;
    const carriageReturn = newline > from && text[newline - 1] === '\r';
    if (carriageReturn) carriageReturns++;
    lines.push(text.slice(from, carriageReturn ? newline - 1 : newline));
    ends.push(carriageReturn ? '\r\n' : '\n');
    from = newline + 1;
  }
  return {
    lines,
    ends,
    lineEnd: newlines === 0 ? undefined : carriageReturns * 2 > newlines ? '\r\n' : '\n',
    mixed: carriageReturns > 0 && carriageReturns < newlines,
    finalNewline: lines.length === 0 || ends.at(-1) !== undefined,
    byteOrderMark,
  };
}
