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
import { encodeBase64 } from '../../format/log/base64.ts';

interface AddCheckpoint {
  readonly oldSize: number;
  /** Hashes of 32 bytes. */
  readonly proof: readonly Uint8Array[];
  /** The checkpoint, a whole signed note. */
  readonly note: string;
}

/** Writes the body of the request. */
export function formatAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return `${[`old ${oldSize}`, ...proof.map(encodeBase64)].join('\n')}\n\n${note}`;
}
