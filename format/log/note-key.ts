/**
 * Keys of signed notes, C2SP signed-note, in the text forms of Go's `sumdb/note`:
 *
 *     registry.example/log+5a1d0f3c+AQ…                    a public key, with which a note is verified
 *     PRIVATE+KEY+registry.example/log+5a1d0f3c+AQ…        the private key to it
 *
 * Name, key id in hexadecimal, and base64 of a byte for the kind of signature with the key after it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { FormatError } from '../errors.ts';
import { SEED_BYTES, PUBLIC_KEY_BYTES, publicKeyOf } from './ed25519.ts';
import { encodeBase64, decodeBase64 } from './base64.ts';

// oxlint-disable-next-line no-control-regex
const KEY_NAME = /^[^\p{White_Space}\u0000-\u001f+]+$/u;

/** The byte of a signature by a log (`note`) and of one by a witness, which has a time (`cosignature`). */
const SIGNATURE_KINDS = { note: 1, cosignature: 4 } as const;
type SignatureKind = keyof typeof SIGNATURE_KINDS;

/** A public key. */
export interface NoteKey {
  readonly name: string;
  /** Four bytes as a number. It identifies, it proves nothing. */
  readonly id: number;
  readonly kind: SignatureKind;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** A private key and its public key. */
export interface NoteSigner extends NoteKey {
  /** 32 bytes, secret. */
  readonly seed: Uint8Array;
}

/**
 * The public key with this name.
 * @throws {FormatError} `ERR_LOG_KEY` for a name that keys cannot have
 */
function noteKey(name: string, kind: SignatureKind, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name)) {
    throw refused(`the name ${JSON.stringify(name)} is empty or has a space or "+"`);
  }
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw refused('an Ed25519 key has 32 bytes');
  return { name, id: keyId(name, SIGNATURE_KINDS[kind], publicKey), kind, publicKey };
}

/** The private key with this name. @param seed 32 random bytes @throws {FormatError} `ERR_LOG_KEY` */
export function noteSigner(name: string, kind: SignatureKind, seed: Uint8Array): NoteSigner {
  if (seed.length !== SEED_BYTES) throw refused('an Ed25519 seed has 32 bytes');
  return { ...noteKey(name, kind, publicKeyOf(seed)), seed };
}

/** Whether keys can have this name: not empty, no Unicode space, no `+`, no control character of ASCII below U+0020. */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && KEY_NAME.test(name);
}

export function formatNoteKey({ name, id, kind, publicKey }: NoteKey): string {
  return `${name}+${hexadecimal(id)}+${encodeTyped(kind, publicKey)}`;
}

/** The secret text form of a private key. */
export function formatNoteSigner({ name, id, kind, seed }: NoteSigner): string {
  return `PRIVATE+KEY+${name}+${hexadecimal(id)}+${encodeTyped(kind, seed)}`;
}

/** The inverse of `formatNoteKey`. @throws {FormatError} `ERR_LOG_KEY` */
export function parseNoteKey(text: string): NoteKey {
  const match = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text);
  if (match === null) {
    throw refused('it has not the form "<name>+<8 hexadecimal digits>+<base64>"');
  }
  const [, name = '', id = '', encoded = ''] = match;
  const { kind, bytes } = decodeTyped(encoded);
  return requireId(noteKey(name, kind, bytes), id);
}

/** Whether `text` is a public key. */
export function isNoteKey(text: string): boolean {
  try {
    parseNoteKey(text);
    return true;
  } catch {
    return false;
  }
}

/** The inverse of `formatNoteSigner`; the text is in no message. @throws {FormatError} `ERR_LOG_KEY` */
export function parseNoteSigner(text: string): NoteSigner {
  const match = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text);
  if (match === null) {
    throw refused('it has not the form "PRIVATE+KEY+<name>+<8 hexadecimal digits>+<base64>"');
  }
  const [, name = '', id = '', encoded = ''] = match;
  const { kind, bytes } = decodeTyped(encoded);
  return requireId(noteSigner(name, kind, bytes), id);
}

/** The first four bytes of SHA-256(name || 0x0A || kind || key), as a number. */
function keyId(name: string, kind: number, publicKey: Uint8Array): number {
  const digest = sha256
    .create()
    .update(new TextEncoder().encode(`${name}\n`))
    .update(Uint8Array.of(kind))
    .update(publicKey)
    .digest();
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}

function requireId<Key extends NoteKey>(key: Key, id: string): Key {
  if (hexadecimal(key.id) === id) return key;
  throw refused(`its id is ${id}, but name and key have the id ${hexadecimal(key.id)}`);
}

function encodeTyped(kind: SignatureKind, bytes: Uint8Array): string {
  return encodeBase64(Buffer.concat([Uint8Array.of(SIGNATURE_KINDS[kind]), bytes]));
}

function decodeTyped(encoded: string): { kind: SignatureKind; bytes: Uint8Array } {
  const typed = decodeBase64(encoded);
  const kind = typed?.[0] === SIGNATURE_KINDS.note ? 'note' : 'cosignature';
  if (typed === undefined || typed[0] !== SIGNATURE_KINDS[kind]) {
    throw refused('its base64 is no key for Ed25519 signatures or cosignatures');
  }
  return { kind, bytes: typed.subarray(1) };
}

function hexadecimal(id: number): string {
  return id.toString(16).padStart(8, '0');
}

function refused(problem: string): FormatError {
  return new FormatError('ERR_LOG_KEY', `Cannot read the key: ${problem}`, {
    hint: '"stackyard-registry log:key" prints a new pair of keys',
  });
}
