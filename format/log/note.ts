/**
 * Signed notes, C2SP signed-note: a text, an empty line, and a line for each signature.
 *
 *     registry.example/log
 *     3
 *     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
 *
 *     — registry.example/log Az3grlgtzPICa5OS8npVmf1Myq/5…
 *
 * A note comes from a host that may be hostile: its text means nothing before a signature of a known key is verified.
 */
import { FormatError } from '../errors.ts';
import { signEd25519, verifyEd25519 } from './ed25519.ts';
import { encodeBase64, decodeBase64 } from './base64.ts';
import { type NoteKey, type NoteSigner, isKeyName } from './note-key.ts';

export const MAX_NOTE_BYTES = 1_000_000;
/** The specification demands that at least 16 are accepted. */
const MAX_NOTE_SIGNATURES = 100;

/** One signature line. */
export interface NoteSignature {
  readonly name: string;
  readonly id: number;
  /** What follows the key id. */
  readonly bytes: Uint8Array;
}

export interface Note {
  /** The signed text, with its last newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Whether a note has signatures; nothing is verified. */
export function isSigned(note: string): boolean {
  return note.includes('\n\n— ');
}

/** Writes a note: the inverse of `parseNote`. @throws {FormatError} `ERR_NOTE` for a text that no note can have */
export function formatNote({ text, signatures }: Note): string {
  requireText(text);
  return `${text}\n${signatures.map(formatSignature).join('')}`;
}

/** One line, with its newline: `— <name> <base64>`. */
export function formatSignature({ name, id, bytes }: NoteSignature): string {
  const idBytes = new Uint8Array(4);
  new DataView(idBytes.buffer).setUint32(0, id);
  return `— ${name} ${encodeBase64(Buffer.concat([idBytes, bytes]))}\n`;
}

/** Reads a note; no signature is verified. @throws {FormatError} `ERR_NOTE` */
export function parseNote(bytes: Uint8Array): Note {
  if (bytes.length > MAX_NOTE_BYTES) throw noteRefused(`it has more than ${MAX_NOTE_BYTES} bytes`);
  const whole = decodeText(bytes);
  const split = whole.lastIndexOf('\n\n');
  if (split < 0) throw noteRefused('no empty line separates text and signatures');
  const text = whole.slice(0, split + 1);
  requireText(text);
  return { text, signatures: parseSignatures(whole.slice(split + 2)) };
}

/** Reads signature lines, each with its newline. @throws {FormatError} `ERR_NOTE` */
function parseSignatures(lines: string): NoteSignature[] {
  if (!lines.endsWith('\n'))
    throw noteRefused('it has no signature line, or the last has no newline');
  const all = lines.slice(0, -1).split('\n');
  if (all.length > MAX_NOTE_SIGNATURES) {
    throw noteRefused(`it has more than ${MAX_NOTE_SIGNATURES} signatures`);
  }
  return all.map(parseSignature);
}

/** The signature of `signer` for `text`. */
export function signNote(text: string, signer: NoteSigner): NoteSignature {
  requireText(text);
  const bytes = signEd25519(signer.seed, new TextEncoder().encode(text));
  return { name: signer.name, id: signer.id, bytes };
}

/**
 * Which of the `keys` have signed the note. Signatures of other keys are ignored.
 * @param verify whether a signature with the name and id of `key` is its signature
 * @throws {FormatError} `ERR_NOTE_SIGNATURE` when a signature of a known key is wrong
 */
export function signersOf<Key extends NoteKey>(
  { text, signatures }: Note,
  keys: readonly Key[],
  verify: (text: string, signature: NoteSignature, key: Key) => boolean = isSignatureOf,
): Key[] {
  return keys.filter((key) => {
    const own = signatures.filter(({ name, id }) => name === key.name && id === key.id);
    if (own.every((signature) => verify(text, signature, key))) return own.length > 0;
    throw new FormatError(
      'ERR_NOTE_SIGNATURE',
      `The signature of "${key.name}" is not that of its key`,
    );
  });
}

function isSignatureOf(text: string, { bytes }: NoteSignature, key: NoteKey): boolean {
  return verifyEd25519(key.publicKey, new TextEncoder().encode(text), bytes);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw noteRefused('it is not UTF-8');
  }
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) {
    throw noteRefused(`${JSON.stringify(line.slice(0, 200))} is no signature line`);
  }
  const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return { name, id, bytes: bytes.subarray(4) };
}

function requireText(text: string): void {
  if (!text.endsWith('\n')) throw noteRefused('its text does not end with a newline');
  // eslint-disable-next-line no-control-regex
  if (!text.isWellFormed() || /[\u0000-\u0009\u000b-\u001f]/.test(text)) {
    throw noteRefused('its text has a control character');
  }
}

function noteRefused(problem: string): FormatError {
  return new FormatError('ERR_NOTE', `Cannot read the signed note: ${problem}`);
}
