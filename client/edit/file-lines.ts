/**
 * The lines of a project file, each with its own line end, so that inserted lines can be removed again
 * exactly, also in a file with mixed line ends or without a final one. Pure.
 */

export interface FileLine {
  readonly text: string;
  /** Empty only for the last line of a file without a final line end. */
  readonly end: '' | '\n' | '\r\n';
}

export function splitFileLines(body: string): FileLine[] {
  const parts = body.split('\n');
  const last = parts.pop() ?? '';
  const lines: FileLine[] = parts.map((part) =>
    part.endsWith('\r') ? { text: part.slice(0, -1), end: '\r\n' } : { text: part, end: '\n' },
  );
  return last === '' ? lines : [...lines, { text: last, end: '' }];
}

/** The inverse of `splitFileLines`. */
export function joinFileLines(lines: readonly FileLine[]): string {
  return lines.map(({ text, end }) => text + end).join('');
}

/** Inserts `texts` at index `at`; if the last line has no end, the new last line has none either. */
export function insertLines(
  lines: readonly FileLine[],
  at: number,
  texts: readonly string[],
): FileLine[] {
  if (texts.length === 0) return [...lines];
  const end = usualEnd(lines);
  const before = lines.slice(0, at);
  const after = lines.slice(at);
  const added: FileLine[] = texts.map((text) => ({ text, end }));
  if (after.length === 0 && before.at(-1)?.end === '') {
    return [...withLastEnd(before, end), ...withLastEnd(added, '')];
  }
  return [...before, ...added, ...after];
}

/** The inverse of `insertLines`, also after other insertions and removals. */
export function removeLines(lines: readonly FileLine[], from: number, count: number): FileLine[] {
  const before = lines.slice(0, from);
  const after = lines.slice(from + count);
  const isUnended = after.length === 0 && lines.at(-1)?.end === '';
  return [...(isUnended ? withLastEnd(before, '') : before), ...after];
}

/** The index after the last line that is not blank. */
export function endOfContent(lines: readonly FileLine[]): number {
  return lines.findLastIndex(({ text }) => !isBlank(text)) + 1;
}

/** The index at which `texts` occur as consecutive lines, or -1. */
export function findRun(lines: readonly FileLine[], texts: readonly string[]): number {
  if (texts.length === 0) return -1;
  return lines.findIndex((_, at) => texts.every((text, index) => lines[at + index]?.text === text));
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The most frequent line end; LF when there is none or a tie. */
function usualEnd(lines: readonly FileLine[]): '\n' | '\r\n' {
  const withReturn = lines.filter(({ end }) => end === '\r\n').length;
  const without = lines.filter(({ end }) => end === '\n').length;
  return withReturn > without ? '\r\n' : '\n';
}

function withLastEnd(lines: readonly FileLine[], end: FileLine['end']): FileLine[] {
  return lines.map((line, index) => (index === lines.length - 1 ? { ...line, end } : line));
}
