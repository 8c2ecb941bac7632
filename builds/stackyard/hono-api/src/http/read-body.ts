// The bytes of a request's body, of limited length, decompressed.

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Context } from 'hono';
import { HttpError } from './http-error.js';

type Bytes = Uint8Array<ArrayBuffer>;
type Decompress = (bytes: Bytes, options: ZlibOptions) => Promise<Bytes>;

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['br', promisify(brotliDecompress) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['gzip', promisify(gunzip) as Decompress],
]);

/**
 * The body, of at most `limit` bytes before and after decompression. What handlers read, such as a validator by
 * `c.req.json()`, is that body again.
 */
export async function readBody(c: Context, limit: number): Promise<Bytes> {
  const encoding = c.req.header('Content-Encoding')?.toLowerCase() ?? 'identity';
  const decompress = DECOMPRESS.get(encoding);
  if (decompress === undefined && encoding !== 'identity') throw new HttpError(415);
  const length = c.req.header('Content-Length');
  if (Number(length) > limit) throw new HttpError(413);
  // Node lets no more through than the header says.
  if (length !== undefined && decompress === undefined) return readAtOnce(c);
  const bytes = await readStream(c.req.raw.body, limit);
  const body = decompress === undefined ? bytes : await inflateTo(limit, bytes, decompress);
  replaceBody(c, body);
  return body;
}

async function readAtOnce(c: Context): Promise<Bytes> {
  try {
    return new Uint8Array(await c.req.arrayBuffer());
  } catch (error) {
    throw incomplete(error);
  }
}

async function readStream(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > limit) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw incomplete(error);
  }
  if (length > limit) throw new HttpError(413);
  return Buffer.concat(chunks);
}

async function inflateTo(limit: number, bytes: Bytes, decompress: Decompress): Promise<Bytes> {
  try {
    return await decompress(bytes, { maxOutputLength: limit });
  } catch (error) {
    throw new HttpError(error instanceof RangeError ? 413 : 400, undefined, { cause: error });
  }
}

function replaceBody(c: Context, body: Bytes): void {
  const { method, url } = c.req;
  const headers = new Headers(c.req.raw.headers);
  headers.delete('Content-Encoding');
  headers.delete('Transfer-Encoding');
  headers.set('Content-Length', String(body.length));
  c.req.raw = new Request(url, { method, headers, body });
}

/** The client went away before the end of its body. */
function incomplete(cause: unknown): HttpError {
  return new HttpError(400, undefined, { cause });
}
