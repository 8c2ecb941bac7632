/** Base64 in its one canonical spelling, with padding. */

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
