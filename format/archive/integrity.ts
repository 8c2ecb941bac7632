/**
 * Integrity digests: `sha256-` and the base64 SHA-256 of the bytes, padded, as in
 * `sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { FormatError } from '../errors.ts';

export const INTEGRITY_PATTERN: RegExp = /^sha256-[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The integrity of `bytes`. */
export function integrityOf(bytes: Uint8Array): string {
  return formatIntegrity(sha256(bytes));
}

/**
 * Writes a SHA-256 digest as integrity.
 * @param digest 32 bytes
 */
export function formatIntegrity(digest: Uint8Array): string {
  if (digest.length !== 32)
    throw new RangeError(`Digest has ${digest.length} bytes: SHA-256 has 32`);
  return `sha256-${Buffer.from(digest).toString('base64')}`;
}

/** The 32 bytes of an integrity: the inverse of `formatIntegrity`. @throws {FormatError} `ERR_INTEGRITY` */
export function parseIntegrity(text: string): Uint8Array {
  if (!INTEGRITY_PATTERN.test(text)) {
    throw new FormatError('ERR_INTEGRITY', `Cannot read integrity ${JSON.stringify(text)}`, {
      hint: 'the form is "sha256-" and 44 characters of base64',
    });
  }
  return Uint8Array.from(Buffer.from(text.slice('sha256-'.length), 'base64'));
}

/** An integrity in lower-case hexadecimal, as file names use it. @throws {FormatError} `ERR_INTEGRITY` */
export function hexOfIntegrity(text: string): string {
  return Buffer.from(parseIntegrity(text)).toString('hex');
}

/** The SHA-256 of `bytes` in lower-case hexadecimal, as file names use it. */
export function sha256Hex(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex');
}
