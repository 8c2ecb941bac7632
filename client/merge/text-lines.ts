/**
 * A text as lines, with what is not line content set apart: byte order mark, line ends, final newline.
 * Two copies of a file that differ in those alone have the same `lines`.
 */

/** Only these two end a line; a lone carriage return is content. */
export type LineEnd = '\n' | '\r\n';

export interface TextLines {
  /** The lines without their ends. */
  readonly lines: readonly string[];
  /** What ends `lines[i]`; the last one is `undefined` when the final newline is missing. */
  readonly ends: readonly (LineEnd | undefined)[];
  /** The end that most lines have; `undefined` when none has one. */
  readonly lineEnd: LineEnd | undefined;
  /** Lines end in both ways. */
  readonly mixed: boolean;
  /** True of an empty text, too. */
  readonly finalNewline: boolean;
  readonly byteOrderMark: boolean;
}

export const BYTE_ORDER_MARK = '\uFEFF';

/** Splits `text`, any string, into lines. */
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
