// Reads JSON from the bytes of a body: strictly, and whatever the content type says.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { AccountError } from './account-error.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value in `bytes`, which have the content encoding `encoding`. Throws `AccountError`: `invalid_json`, or
 * `payload_too_large` where they have more than `maxBytes` bytes before or after decompression.
 */
export function decodeJsonBody(bytes: Uint8Array, encoding: string | undefined, maxBytes: number): unknown {
  if (bytes.length > maxBytes) throw new AccountError('payload_too_large');
  return parseJson(decompress(bytes, encoding, maxBytes));
}

// The cause is left out: its message holds the beginning of the body, which may be a password.
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    throw new AccountError('invalid_json');
  }
}

// The synchronous functions: the asynchronous ones would wait in the thread pool behind password hashes.
function decompress(bytes: Uint8Array, encoding: string | undefined, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes };
  try {
    switch (encoding?.trim().toLowerCase() ?? 'identity') {
      case 'identity':
      case '':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options);
      case 'deflate':
        return inflateSync(bytes, options);
      case 'br':
        return brotliDecompressSync(bytes, options);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new AccountError('payload_too_large', { cause: error });
  }
  throw new AccountError('invalid_json');
}
