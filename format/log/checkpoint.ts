/**
 * Checkpoints, C2SP tlog-checkpoint: the state of a log in three lines, signed as a note by the log and by witnesses.
 *
 *     registry.example
 *     20852163
 *     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
 */
import { FormatError } from '../errors.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { HASH_BYTES } from './hash.ts';
import { isTreeSize, tryParseTreeSize } from './tree-size.ts';

/** A state of a log. */
export interface Checkpoint {
  /** The log's name; ours is that of the registry. */
  readonly origin: string;
  /** Number of entries. */
  readonly size: number;
  /** Root of the tree over them, 32 bytes. */
  readonly root: Uint8Array;
  /** Lines after the third one: a log that nobody signs names its map there (`map.ts`). */
  readonly extensions?: readonly string[];
}

/** The text to sign. @throws {FormatError} `ERR_CHECKPOINT` */
export function formatCheckpoint({ origin, size, root, extensions = [] }: Checkpoint): string {
  if (!isTreeSize(size)) throw refused(`${size} is no size`);
  if (root.length !== HASH_BYTES) throw refused(`its root has ${root.length} bytes`);
  const lines = [origin, String(size), encodeBase64(root), ...extensions];
  if (lines.some((line) => line === '' || line.includes('\n'))) throw refused('a line is empty');
  return `${lines.join('\n')}\n`;
}

/** Reads the text of a note as a checkpoint: the inverse of `formatCheckpoint`. @throws {FormatError} `ERR_CHECKPOINT` */
export function parseCheckpoint(text: string): Checkpoint {
  if (!text.endsWith('\n')) throw refused('its last line has no newline');
  const [origin = '', sizeText = '', rootText = '', ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '' || extensions.includes('')) throw refused('a line is empty');
  const size = tryParseTreeSize(sizeText);
  if (size === undefined) {
    throw refused(`line 2 is ${JSON.stringify(sizeText.slice(0, 40))}, not a size below 2^53`);
  }
  const root = decodeBase64(rootText);
  if (root?.length !== HASH_BYTES) throw refused('line 3 is not the base64 of 32 bytes');
  return { origin, size, root, ...(extensions.length === 0 ? {} : { extensions }) };
}

/**
 * Reads the checkpoint of a note without a look at its signatures.
 * @throws {FormatError} `ERR_CHECKPOINT`
 */
export function parseUnverifiedNote(note: string): Checkpoint {
  return parseCheckpoint(note.slice(0, note.lastIndexOf('\n\n') + 1));
}

function refused(problem: string): FormatError {
  return new FormatError('ERR_CHECKPOINT', `Cannot read the checkpoint: ${problem}`);
}
