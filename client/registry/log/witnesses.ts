/** The witnesses whom a user demands: they confirm that everybody is shown the same log. */
import { cosignaturesOf } from '../../../format/log/cosignature.ts';
import { parseNote } from '../../../format/log/note.ts';
import { parseNoteKey } from '../../../format/log/note-key.ts';
import type { LogPolicy } from '../../../format/project/lock.ts';
import { logError } from './log-error.ts';

/**
 * Requires that enough of the named witnesses signed the checkpoint.
 * @param text of the whole note
 * @throws {ClientError} `ERR_LOG`
 */
export function requireWitnesses(text: string, witnesses: LogPolicy['witnesses']): void {
  if (witnesses === undefined) return;
  const keys = [...new Set(witnesses.keys)];
  const note = parseNote(new TextEncoder().encode(text));
  const { length: confirmed } = cosignaturesOf(note, keys.map(parseNoteKey));
  const { count } = witnesses;
  if (confirmed >= count) return;
  throw logError(
    `of its ${keys.length} witnesses ${confirmed} confirmed this state, and ${count} must`,
  );
}
