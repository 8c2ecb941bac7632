// What a file is by its first bytes, and what of its name is kept. What the client says about its type counts nowhere.

/** How many bytes `detectType` looks at. */
export const HEAD_BYTES = 4096;

/** At an offset, bytes as text of one byte for each character; `.` is any byte. */
type Pattern = readonly [type: string, offset: number, bytes: string];

const PATTERNS: readonly Pattern[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 0, 'RIFF....WEBP'],
  ['image/avif', 4, 'ftypavif'],
  ['application/pdf', 0, '%PDF-'],
  ['audio/wav', 0, 'RIFF....WAVE'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['video/webm', 0, '\x1aE\xdf\xa3'],
  ['video/quicktime', 4, 'ftypqt  '],
  ['video/mp4', 4, 'ftyp'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/zip', 0, 'PK\x05\x06'],
  ['application/gzip', 0, '\x1f\x8b\x08'],
];

const TEXTS = ['text/plain', 'text/html', 'image/svg+xml', 'application/xml'];

/** All types that are told apart. What is none of them is `application/octet-stream`. */
export const KNOWN_TYPES: readonly string[] = [
  ...new Set([...PATTERNS.map(([type]) => type), ...TEXTS, 'application/octet-stream']),
];

/** Browsers show these and run nothing in them. All others are offered as downloads. */
export function isInline(type: string): boolean {
  return type === 'text/plain' || (/^(?:image|audio|video)\//.test(type) && type !== 'image/svg+xml');
}

/** The type of a file that begins with `head`, of which `isWhole` says whether it is all of the file. */
export function detectType(head: Uint8Array, isWhole: boolean): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES));
  const text = bytes.toString('latin1');
  const found = PATTERNS.find(([, offset, pattern]) => fits(text, offset, pattern));
  if (found) return found[0];
  // Frames of MPEG audio without a tag: eleven bits, a version and layer 3.
  if (bytes[0] === 0xff && [0xfb, 0xf3, 0xf2, 0xfa].includes(bytes[1] ?? 0)) return 'audio/mpeg';
  return detectText(bytes, isWhole);
}

function fits(text: string, offset: number, pattern: string): boolean {
  if (text.length < offset + pattern.length) return false;
  for (let index = 0; index < pattern.length; index++) {
    if (pattern[index] !== '.' && pattern[index] !== text[offset + index]) return false;
  }
  return true;
}

function detectText(bytes: Uint8Array, isWhole: boolean): string {
  let text: string;
  try {
    // A letter that the end of the head cuts in two is no fault.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole || bytes.length === HEAD_BYTES });
  } catch {
    return 'application/octet-stream';
  }
  if (/\p{Cc}/u.test(text.replace(/[\t\n\v\f\r]/g, ''))) return 'application/octet-stream';
  if (!/^\s*<[!?/a-z]/i.test(text)) return 'text/plain';
  if (/<svg[\s>:]/i.test(text)) return 'image/svg+xml';
  return /^\s*<\?xml/i.test(text) && !/<html/i.test(text) ? 'application/xml' : 'text/html';
}

const MAX_NAME_BYTES = 200;
/**
 * A name of a user as it is kept and shown: without folders, control characters and marks that turn the direction of
 * text, and of at most 200 bytes, with its ending. It is text only: no path is ever made of it.
 */
export function cleanName(name: string): string {
  const text = name
    .normalize('NFC')
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/^.*[/\\]/su, '')
    .trim();
  if (/^\.*$/.test(text)) return 'file';
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(text)?.[0] ?? '';
  let kept = '';
  for (const letter of text.slice(0, text.length - ending.length)) {
    if (Buffer.byteLength(kept + letter + ending) > MAX_NAME_BYTES) break;
    kept += letter;
  }
  return kept + ending;
}

/** `Content-Disposition` (RFC 6266) with the name in ASCII for old clients, and in full as RFC 8187 writes it. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const escape = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  const full = encodeURIComponent(name).replace(/['()*]/g, escape);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`;
}
