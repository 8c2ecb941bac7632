/** The checkpoint: name, size and root of the log, signed with the key of `STACKYARD_LOG_KEY`. */
import { formatCheckpoint, type Checkpoint } from '../../format/log/checkpoint.ts';
import {
  formatNote,
  formatSignature,
  parseNote,
  signNote,
  parseNoteSigner,
  type NoteSignature,
  type NoteSigner,
} from '../../format/log/note-key.ts';

/**
 * The keys of the environment: the log's key, and while it is replaced also the previous one, each on a line.
 * @throws {FormatError} `ERR_LOG_KEY`; the message does not have the key
 */
export function signersFrom(environment: string | undefined): NoteSigner[] {
  const lines = (environment ?? '').split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '').map(parseNoteSigner);
}

/**
 * The text of `log/checkpoint`. Signatures of others on the published checkpoint, such as those of witnesses, stay
 * while the log is the same.
 * @param published the whole notes that are published now
 */
export function signedCheckpoint(
  checkpoint: Checkpoint,
  signers: readonly NoteSigner[],
  published: readonly string[],
): string {
  const text = formatCheckpoint(checkpoint);
  const own = signers.map((signer) => signNote(text, signer));
  const others = published.flatMap((note) => signaturesOf(note, text));
  const lines = new Map(
    others
      .filter(({ name, id }) => !own.some((one) => one.name === name && one.id === id))
      .map((signature) => [formatSignature(signature), signature]),
  );
  return formatNote({ text, signatures: own.length === 0 ? [] : [...own, ...lines.values()] });
}

function signaturesOf(published: string, text: string): readonly NoteSignature[] {
  if (!published.startsWith(`${text}\n— `)) return [];
  const note = parseNote(new TextEncoder().encode(published));
  return note.text === text ? note.signatures : [];
}
