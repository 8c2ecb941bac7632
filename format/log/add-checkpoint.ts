/**
 * The request to a witness, C2SP tlog-witness `add-checkpoint`: the size that the witness knows, a consistency proof
 * from it, an empty line, and the checkpoint.
 *
 *     old 20852014
 *     PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
 *
 *     registry.example/log
 *     20852163
 *     …
 */
import { FormatError } from '../errors.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { HASH_BYTES } from './hash.ts';
import { MAX_NOTE_BYTES } from './note.ts';
import { tryParseTreeSize } from './tree-size.ts';

/** What a proof of a tree below 2^63 has at most. */
const MAX_PROOF_LINES = 63;
/** No request is larger. */
export const MAX_ADD_CHECKPOINT_BYTES: number = MAX_NOTE_BYTES + 64 * 64;

export interface AddCheckpoint {
  readonly oldSize: number;
  /** Hashes of 32 bytes. */
  readonly proof: readonly Uint8Array[];
  /** The checkpoint, a whole signed note. */
  readonly note: string;
}

export function formatAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return `${[`old ${oldSize}`, ...proof.map(encodeBase64)].join('\n')}\n\n${note}`;
}

/** The inverse of `formatAddCheckpoint`; the note is not read. @throws {FormatError} `ERR_CHECKPOINT` */
export function parseAddCheckpoint(bytes: Uint8Array): AddCheckpoint {
  const text = decodeText(bytes);
  const end = text.indexOf('\n\n');
  if (end < 0) throw refused('no empty line separates proof and checkpoint');
  const [first = '', ...lines] = text.slice(0, end).split('\n');
  const oldSize = first.startsWith('old ') ? tryParseTreeSize(first.slice(4)) : undefined;
  if (oldSize === undefined) throw refused('its first line is not "old" and a size');
  if (lines.length > MAX_PROOF_LINES) throw refused(`its proof has ${lines.length} lines`);
  const proof = lines.map((line) => {
    const hash = decodeBase64(line);
    if (hash?.length === HASH_BYTES) return hash;
    throw refused('a line of its proof is not the base64 of 32 bytes');
  });
  return { oldSize, proof, note: text.slice(end + 2) };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('it is not UTF-8');
  }
}

function refused(problem: string): FormatError {
  return new FormatError('ERR_CHECKPOINT', `Cannot read the request to a witness: ${problem}`);
}
