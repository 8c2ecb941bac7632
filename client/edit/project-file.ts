/**
 * Decoding, line ends, places and errors for all editors of the project's own files. The files belong to
 * the user: every byte that an edit does not concern is kept, byte order mark included.
 */
import { ClientError } from '../errors.ts';

/** A warning of an edit. */
export interface EditWarning {
  readonly code: string;
  readonly message: string;
}

const BOM = '\u{FEFF}';

/** The text in `bytes` with its byte order mark; `undefined` for none, and for what is no text in UTF-8. */
export function tryDecodeText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of a project file; a byte order mark is kept as U+FEFF at the start.
 * @throws {ClientError} `ERR_PROJECT_FILE` when it is not UTF-8
 */
export function decodeProjectFile(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ClientError('ERR_PROJECT_FILE', `Cannot read ${quote(name)}: it is not UTF-8`, {
      hint: 'save the file as UTF-8 and run the command again',
      cause,
    });
  }
}

/** The text of the file at `path` of a snapshot. @throws {ClientError} `ERR_PROJECT_FILE` */
export function readText(
  project: ReadonlyMap<string, Uint8Array>,
  path: string,
): string | undefined {
  const bytes = project.get(path);
  return bytes === undefined ? undefined : decodeProjectFile(bytes, path);
}

/** The byte order mark (empty or U+FEFF), and the rest. */
export function splitBom(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith(BOM)
    ? { bom: BOM, body: text.slice(BOM.length) }
    : { bom: '', body: text };
}

/** The most frequent line end of `text`; LF when there is none or a tie. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const withReturn = text.split('\r\n').length - 1;
  return withReturn * 2 > all ? '\r\n' : '\n';
}

/** An error at a place of a project file; line and column count from 1. */
export function placeError(
  file: string,
  place: { readonly line: number; readonly column: number },
  problem: string,
  hint: string,
): ClientError {
  return new ClientError(
    'ERR_PROJECT_FILE',
    `Cannot read ${quote(file)}, line ${place.line}, column ${place.column}: ${problem}`,
    { hint },
  );
}

/** The line and column of `offset` in `text`, counted from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `text` in double quotes, with control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/**
 * The lines of a project file, each with its own line end, so that inserted lines can be removed again
 * exactly, also in a file with mixed line ends or without a final one.
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

/** The project's own files that are edited for builds. */
export const PACKAGE_JSON = 'package.json';
/** A package.json that is made for builds; it is removed when nothing else is in it. */
export const NEW_PACKAGE_JSON = '{\n  "private": true\n}\n';
export const PYPROJECT = 'pyproject.toml';
export const REQUIREMENTS = 'requirements.txt';
export const DEV_REQUIREMENTS = 'requirements-dev.txt';
export const ENV_EXAMPLE = '.env.example';

/** The files of the project that builds may change in addition to their own. */
export const EDITED_FILES: readonly string[] = [
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
];

const HEADER =
  /^(?:\/\* (?:es|ox)lint-disable(?: [\w@/, -]+)? \*\/|\/\/ biome-ignore-all lint[^\n]*|# ruff: noqa[^\n]*)\n/;

/** The header of `text`: comments with which linters ignore what cannot be fixed; each line with its end, and what is left without it. A `#!` line stays in the body. */
export function splitHeader(text: string): { readonly header: string; readonly body: string } {
  const first = /^#![^\n]*\n/.exec(text)?.[0] ?? '';
  let header = '';
  let rest = text.slice(first.length);
  for (let found = HEADER.exec(rest); found !== null; found = HEADER.exec(rest)) {
    header += found[0];
    rest = rest.slice(found[0].length);
  }
  return { header, body: first + rest };
}

/** `body` with `header`, after a `#!` line. */
export function joinHeader(header: string, body: string): string {
  const first = /^#![^\n]*\n/.exec(body)?.[0] ?? '';
  return first + header + body.slice(first.length);
}
