/**
 * Cosignatures of witnesses, C2SP tlog-cosignature, type Ed25519. The signature line holds eight bytes of time, in
 * seconds since 1970, and an Ed25519 signature over the checkpoint with that time before it:
 *
 *     cosignature/v1
 *     time 1679315147
 *     registry.example
 *     20852163
 *     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
 */
import { SIGNATURE_BYTES, signEd25519, verifyEd25519 } from './ed25519.ts';
import type { NoteKey, NoteSigner } from './note-key.ts';
import { signersOf, type Note, type NoteSignature } from './note.ts';

const TIME_BYTES = 8;

/** A verified statement of a witness: at `time` it knew no newer state of the log. */
interface Cosignature {
  readonly key: NoteKey;
  /** Seconds since 1970. */
  readonly time: number;
}

/**
 * The signature line of a witness.
 * @param text of the checkpoint
 * @param time seconds since 1970
 */
export function cosign(text: string, witness: NoteSigner, time: number): NoteSignature {
  if (!Number.isSafeInteger(time) || time < 0) throw new RangeError(`${time} is no time`);
  const bytes = new Uint8Array(TIME_BYTES + SIGNATURE_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  bytes.set(signEd25519(witness.seed, signedMessage(text, time)), TIME_BYTES);
  return { name: witness.name, id: witness.id, bytes };
}

/**
 * The cosignatures of `witnesses` that the note has. Of several by one witness, the newest counts.
 * @throws {FormatError} `ERR_NOTE_SIGNATURE` when one of them is wrong
 */
export function cosignaturesOf(note: Note, witnesses: readonly NoteKey[]): Cosignature[] {
  return signersOf(note, witnesses, isCosignatureOf).map((key) => {
    const own = note.signatures.filter(({ name, id }) => name === key.name && id === key.id);
    return { key, time: Math.max(...own.map(({ bytes }) => timeOf(bytes) ?? 0)) };
  });
}

function isCosignatureOf(text: string, { bytes }: NoteSignature, key: NoteKey): boolean {
  const time = timeOf(bytes);
  if (time === undefined) return false;
  return verifyEd25519(key.publicKey, signedMessage(text, time), bytes.subarray(TIME_BYTES));
}

/** `undefined` for what has another length, and for a time above 2^53 - 1 seconds. */
function timeOf(bytes: Uint8Array): number | undefined {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(time) ? time : undefined;
}

function signedMessage(text: string, time: number): Uint8Array {
  return new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${text}`);
}
