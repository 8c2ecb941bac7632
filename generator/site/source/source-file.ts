/** One file of a version as its pages show it. */
import { rawPath } from '../../../format/index/site-path.ts';

export interface SourceFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Bytes of a text that is also served as plain text; what is larger is in the tarball. */
const MAX_RAW_BYTES = 1_000_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a file; `undefined` for one that is not UTF-8 or holds a NUL. */
export function textOf({ bytes }: SourceFile): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where the text of a file is served; `undefined` for one that is not. */
export function servedText(
  id: string,
  version: string,
  file: SourceFile,
  text: string | undefined,
): string | undefined {
  if (text === undefined || file.bytes.length > MAX_RAW_BYTES) return undefined;
  return rawPath(id, version, file.path);
}
