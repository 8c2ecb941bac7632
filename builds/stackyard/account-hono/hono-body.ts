// Reads the JSON body of a request of Hono, by the standard API of requests. Where the host has read the body by `c.req`
// before, takes what Hono remembers of it.

import type { Context } from 'hono';
import { AccountError } from './account-error.js';
import { decodeJsonBody } from './json-bytes.js';

/** What a stranger may have us read and wait for before a 413: beyond either the answer goes out, and may be lost. */
export interface DropLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const DEFAULT_LIMITS: DropLimits = { maxBytes: 16_777_216, maxMs: 5_000 };

/**
 * The JSON value in the body, of at most `maxBytes` bytes before and after decompression. Throws `AccountError` with
 * code `invalid_json` or `payload_too_large`, and `Error` when the host has consumed the body by other means.
 */
export async function readJsonBody(c: Context, maxBytes: number, limits = DEFAULT_LIMITS): Promise<unknown> {
  const bytes = await readBytes(c, maxBytes, limits);
  return decodeJsonBody(bytes, c.req.header('Content-Encoding'), maxBytes);
}

async function readBytes(c: Context, maxBytes: number, limits: DropLimits): Promise<Uint8Array> {
  const { raw, bodyCache } = c.req;
  const length = c.req.header('Content-Length');
  if (Object.keys(bodyCache).length > 0) return readAtOnce(c);
  if (raw.bodyUsed || raw.body?.locked) {
    throw new Error('Cannot read the request body: it was consumed before the account routes, and not by "c.req"');
  }
  // A server lets no more through than the header says.
  if (length !== undefined && Number(length) <= maxBytes) return readAtOnce(c);
  return raw.body === null ? new Uint8Array() : readStream(raw.body.getReader(), maxBytes, limits);
}

async function readAtOnce(c: Context): Promise<Uint8Array> {
  try {
    return new Uint8Array(await c.req.arrayBuffer());
  } catch {
    // The client went away in the middle: nobody reads the answer, but the request must come to an end.
    throw new AccountError('invalid_json');
  }
}

async function readStream(reader: Reader, maxBytes: number, limits: DropLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await readChunk(reader); chunk !== undefined; chunk = await readChunk(reader)) {
    length += chunk.length;
    if (length > maxBytes) {
      await dropRest(reader, limits);
      throw new AccountError('payload_too_large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readChunk(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read();
    return value;
  } catch {
    throw new AccountError('invalid_json');
  }
}

// Lets the client finish sending a body that nobody wants, before it gets the answer. Servers close the connection soon
// after they have answered a request whose body was not read. The system then resets it, and an answer that the client
// has not read yet is lost.
async function dropRest(reader: Reader, { maxBytes, maxMs }: DropLimits): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([drop(reader, maxBytes), late]);
  clearTimeout(timer);
}

async function drop(reader: Reader, maxBytes: number): Promise<void> {
  let bytes = 0;
  for (let chunk = await readChunk(reader); chunk !== undefined && bytes <= maxBytes; chunk = await readChunk(reader)) {
    bytes += chunk.length;
  }
}
