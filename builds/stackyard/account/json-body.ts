// Reads the JSON body of a request of Node. Where a parser of the host has read the body before, takes what that parser
// has put on the request.

import type { IncomingMessage } from 'node:http';
import { AccountError } from './account-error.js';
import { decodeJsonBody } from './json-bytes.js';

/** A request that a body parser may have seen. */
export type BodyRequest = IncomingMessage & { readonly body?: unknown };

const FORM_TYPE = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;
const JSON_TYPE = /^\s*application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;

/**
 * The JSON value in the body, of at most `maxBytes` bytes before and after decompression. Throws `AccountError` with
 * code `invalid_json` or `payload_too_large`, and `Error` when the host has consumed the body and not set `req.body`.
 */
export async function readJsonBody(req: BodyRequest, maxBytes: number): Promise<unknown> {
  if (Number(req.headers['content-length']) > maxBytes) {
    req.resume();
    throw new AccountError('payload_too_large');
  }
  if (req.readableDidRead || req.readableEnded) return takeParsedBody(req, maxBytes);
  const bytes = await readBytes(req, maxBytes);
  return decodeJsonBody(bytes, req.headers['content-encoding'], maxBytes);
}

// Not by `for await`, which would close the connection when the body is too long.
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer | string) => {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      // The rest is read and dropped, so that the client can finish sending and read the answer.
      if (length > maxBytes) reject(new AccountError('payload_too_large'));
      else chunks.push(bytes);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // The client went away in the middle: nobody reads the answer, but the promise must settle.
    req.once('error', () => reject(new AccountError('invalid_json')));
    req.once('close', () => reject(new AccountError('invalid_json')));
    req.resume();
  });
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
  if (body instanceof Uint8Array) return decodeJsonBody(body, undefined, maxBytes);
  return typeof body === 'string' ? takeParsedText(body, JSON_TYPE.test(type)) : body;
}

// A text is the body itself, from a text parser, or a JSON string, from a JSON parser that is not strict.
function takeParsedText(text: string, isJsonType: boolean): unknown {
  try {
    return decodeJsonBody(Buffer.from(text), undefined, Infinity);
  } catch (error) {
    if (isJsonType && text !== '') return text;
    throw error;
  }
}
