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

/** Text with LF as its line ends; anything else as it is. */
export function withLf(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0) || !bytes.includes(13)) return bytes;
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
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
