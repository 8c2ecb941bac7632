// Reads the JSON body of a request: strictly, from the bytes, whatever the content type says. When a parser of the
// host has read the body before, takes what that parser left.

import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { AccountError } from './account-error.js';

/** A request that a body parser may have seen. */
export type BodyRequest = IncomingMessage & { readonly body?: unknown };

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const FORM_TYPE = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;
const JSON_TYPE = /^\s*application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;

/**
 * The JSON value in the body, of at most `maxBytes` bytes before and after decompression. Throws `AccountError` with
 * code `invalid_json` or `payload_too_large`, and `Error` when the host has consumed the body without a trace.
 */
export async function readJsonBody(req: BodyRequest, maxBytes: number): Promise<unknown> {
  if (Number(req.headers['content-length']) > maxBytes) {
    req.resume();
    throw new AccountError('payload_too_large');
  }
  if (req.readableDidRead || req.readableEnded) return takeParsedBody(req, maxBytes);
  const bytes = await readBytes(req, maxBytes);
  return parseJson(decompress(bytes, req.headers['content-encoding'], maxBytes));
}

// Not by `for await`, which would close the connection when the body is too long.
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer | string) => {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      // The rest flows on into nothing, so that the client can finish sending and read the answer.
      if (length > maxBytes) reject(new AccountError('payload_too_large'));
      else chunks.push(bytes);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // The client went away in the middle: nobody reads the answer, but the request must come to an end.
    req.once('error', () => reject(new AccountError('invalid_json')));
    req.once('close', () => reject(new AccountError('invalid_json')));
    req.resume();
  });
}

// The synchronous functions: the asynchronous ones would wait in the thread pool behind password hashes.
function decompress(bytes: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
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

// The cause is left out: its message holds the beginning of the body, which may be a password.
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    throw new AccountError('invalid_json');
  }
}

function takeParsedBody(req: BodyRequest, maxBytes: number): unknown {
  const { body, headers } = req;
  const type = headers['content-type'] ?? '';
  // Parsers make `{}` of an empty body, and an object with text fields of a form.
  if (headers['content-length'] === '0' || FORM_TYPE.test(type)) throw new AccountError('invalid_json');
  if (body === undefined) {
    throw new Error(
      'Cannot read the request body: it was consumed before the account routes, without setting "req.body"',
    );
  }
  if (body instanceof Uint8Array) {
    if (body.length > maxBytes) throw new AccountError('payload_too_large');
    return parseJson(body);
  }
  return typeof body === 'string' ? takeParsedText(body, JSON_TYPE.test(type)) : body;
}

// A text is the body itself, from a text parser, or a JSON string, from a JSON parser that is not strict.
function takeParsedText(text: string, isJsonType: boolean): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (isJsonType && text !== '') return text;
    throw error;
  }
}
