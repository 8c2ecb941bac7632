/**
 * Several files in one text, as in Go's txtar: a header line, then the content up to the next header.
 *
 *     -- package.json --
 *     { "name": "x" }
 *     -- bin/run (executable) --
 *     echo hi
 *
 * A path holds no white space. What a mark in parentheses means is left to the reader of the sections.
 */

export interface FileSection {
  readonly path: string;
  /** The marks of the header, as written: `(a, b)` is `['a', 'b']`. */
  readonly marks: readonly string[];
  /** The lines up to the next header, each with its line feed. */
  readonly body: string;
}

/** A line that a content must not contain, because it would be parsed as a header. */
export const HEADER_LINE = /^-- .*--$/;

const HEADER = /^-- (\S+)(?: \(([^()]+)\))? --$/;

/** @throws {SyntaxError} names the line that resembles a header but is invalid */
export function splitSections(text: string): { head: string; sections: FileSection[] } {
  const parts = text.split(/^(?=-- .*--$)/m);
  const head = HEADER_LINE.test(firstLine(parts[0] ?? '')) ? '' : (parts.shift() ?? '');
  return { head, sections: parts.map(parseSection) };
}

function parseSection(part: string): FileSection {
  const line = firstLine(part);
  const [, path, marks] = HEADER.exec(line) ?? [];
  if (path === undefined) throw new SyntaxError(`Not a file header: ${JSON.stringify(line)}`);
  return { path, marks: marks?.split(', ') ?? [], body: part.slice(line.length + 1) };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
