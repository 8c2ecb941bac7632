/** Reads the checkpoint of a log, and verifies who signed it. */
import { type Checkpoint, parseCheckpoint } from '../../../format/log/checkpoint.ts';
import { isNoteKey, parseNoteKey } from '../../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../../format/log/note.ts';
import { logError, unsignedError } from './log-error.ts';

/**
 * @param text of the whole note
 * @param key public key in its text form
 * @throws {ClientError} `ERR_LOG` when `key` has not signed it; {FormatError} when it is no signed checkpoint
 */
export function readCheckpoint(text: string, key: string): Checkpoint {
  if (!isNoteKey(key)) throw logError(`its key ${JSON.stringify(key)} is none`);
  const note = parseNote(new TextEncoder().encode(text));
  const [signer] = signersOf(note, [parseNoteKey(key)]);
  if (signer === undefined) throw unsignedError(`its checkpoint is not signed by "${key}"`);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin === signer.name) return checkpoint;
  throw logError(`its checkpoint is of "${checkpoint.origin}", and its key of "${signer.name}"`);
}

/** Name and size of the log that a checkpoint states, which `readCheckpoint` accepted. */
export function statedCheckpoint(text: string): Pick<Checkpoint, 'origin' | 'size'> {
  const note = parseNote(new TextEncoder().encode(text));
  return parseCheckpoint(note.text);
}
