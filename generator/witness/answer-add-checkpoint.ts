/** The answers of a witness, C2SP tlog-witness: each rule of the specification in its order. */
import { StackyardError } from '../../format/errors.ts';
import { parseAddCheckpoint } from '../../format/log/add-checkpoint.ts';
import type { AddCheckpoint } from '../../format/log/add-checkpoint.ts';
import { parseCheckpoint } from '../../format/log/checkpoint.ts';
import type { Checkpoint } from '../../format/log/checkpoint.ts';
import { cosign } from '../../format/log/cosignature.ts';
import { EMPTY_ROOT } from '../../format/log/hash.ts';
import { formatNote, formatSignature, parseNote, signersOf } from '../../format/log/note.ts';
import type { Note } from '../../format/log/note.ts';
import type { NoteKey, NoteSigner } from '../../format/log/note-key.ts';
import { verifyConsistency } from '../../format/log/proof.ts';
import type { WitnessStore } from './witness-store.ts';

export interface Witness {
  readonly signer: NoteSigner;
  /** The keys of the logs that it confirms; the name of a key is the origin of its log. */
  readonly logs: readonly NoteKey[];
  readonly store: WitnessStore;
}

/** An answer over HTTP. */
export interface WitnessAnswer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

const PLAIN = 'text/plain; charset=utf-8';
/** Of an answer whose body is the size that the witness has. */
const SIZE_TYPE = 'text/x.tlog.size';

/** @param time seconds since 1970 */
export function answerAddCheckpoint(
  body: Uint8Array,
  { signer, logs, store }: Witness,
  time: number,
): WitnessAnswer {
  let read: { request: AddCheckpoint; note: Note; checkpoint: Checkpoint };
  try {
    const request = parseAddCheckpoint(body);
    const note = parseNote(new TextEncoder().encode(request.note));
    read = { request, note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return refusal(400, error.message);
  }
  const { request, note, checkpoint } = read;
  const { origin, size, root } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return refusal(404, 'This witness does not know the log');
  if (!keys.some((key) => isSigned(note, key))) {
    return refusal(403, 'No known key of the log has signed the checkpoint');
  }
  const { oldSize, proof } = request;
  if (oldSize > size) return refusal(400, 'The old size is larger than that of the checkpoint');
  return store.decide(origin, (kept) => {
    const latest = kept ?? { size: 0, root: EMPTY_ROOT };
    const conflict = { status: 409, body: `${latest.size}\n`, type: SIZE_TYPE };
    if (oldSize !== latest.size) return { answer: conflict };
    if (!verifyConsistency(latest, { size, root }, proof)) {
      return {
        answer: refusal(422, 'The proof does not lead from the old size to the checkpoint'),
      };
    }
    const cosignature = cosign(note.text, signer, time);
    const signatures = note.signatures.filter(({ name, id }) =>
      keys.some((key) => key.name === name && key.id === id),
    );
    return {
      keep: { size, root },
      note: formatNote({ text: note.text, signatures: [...signatures, cosignature] }),
      answer: { status: 200, body: formatSignature(cosignature), type: PLAIN },
    };
  });
}

/**
 * The answer to `GET /<origin hash>/checkpoint`: the newest checkpoint that was confirmed, with the signatures of the
 * log and of the witness.
 * @param originHash SHA-256 of the origin in hexadecimal, lower case
 */
export function answerCheckpoint(originHash: string, { store }: Witness): WitnessAnswer {
  const body = store.note(originHash);
  if (body === undefined)
    return refusal(404, 'This witness has confirmed no checkpoint of the log');
  return { status: 200, body, type: PLAIN };
}

function isSigned(note: Note, key: NoteKey): boolean {
  try {
    return signersOf(note, [key]).length > 0;
  } catch (error) {
    if (error instanceof StackyardError) return false;
    throw error;
  }
}

function refusal(status: number, problem: string): WitnessAnswer {
  return { status, body: `${problem}\n`, type: PLAIN };
}
