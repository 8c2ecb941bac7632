/**
 * What the editors of a project's own files share: decoding, line ends, places and errors. The files
 * belong to the user; every byte that an edit is not about stays as it is, byte order mark included.
 */
import { ClientError } from '../errors.ts';

/** Something that the user should know and that stops nothing. */
export interface EditWarning {
  readonly code: string;
  readonly message: string;
}

const BOM = '\u{FEFF}';

/**
 * The text of a project file; a byte order mark stays as U+FEFF at the front.
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

/** The mark at the front, empty or U+FEFF, and what follows it. */
export function splitBom(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith(BOM)
    ? { bom: BOM, body: text.slice(BOM.length) }
    : { bom: '', body: text };
}

/** The line end that most lines of `text` have; LF when there is none or a tie. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const withReturn = text.split('\r\n').length - 1;
  return withReturn * 2 > all ? '\r\n' : '\n';
}

/** An error about one place of a project file, both counted from 1. */
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

/** Where `offset` lies in `text`, both counted from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `text` in double quotes, with control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
