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
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

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

/** Encodes `bytes` with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The bytes of `text`; `undefined` where it has other characters, wrong padding or bits that are not used. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return encodeBase64(bytes) === text ? bytes : undefined;
}

/** Ed25519 (RFC 8032) on raw keys of 32 bytes, by the cryptography of Node.js. */
const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** What stands before the seed in PKCS #8 and before the key in SPKI (RFC 8410 section 4 and 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key of a private key. @param seed 32 bytes */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  const spki = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' });
  return Uint8Array.from(spki.subarray(SPKI_PREFIX.length));
}

/** Signs `message`: 64 bytes, always the same for the same key and message. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return Uint8Array.from(sign(null, message, privateKey(seed)));
}

/** Whether `signature` is that of `key` for `message`. All three may come from an attacker. */
export function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const der = Buffer.concat([SPKI_PREFIX, key]);
    return verify(
      null,
      message,
      createPublicKey({ key: der, format: 'der', type: 'spki' }),
      signature,
    );
  } catch {
    // 32 bytes that are not point of the curve.
    return false;
  }
}

function privateKey(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`A seed has ${SEED_BYTES} bytes`);
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
