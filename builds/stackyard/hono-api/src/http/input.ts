// What comes with a request: JSON bodies of limited length, queries, schemas that check them, places in lists, and
// versions that the client has.

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { AppEnv } from './context.js';
import { HttpError } from './errors.js';

const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Middleware that parses JSON up to `limit` bytes and refuses what is not JSON. */
export function parseJson(limit: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const type = c.req.header('Content-Type');
    if (type !== undefined && hasBody(c) && JSON_TYPE.test(type)) {
      const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
      // RFC 8259 section 8.1: JSON between systems is UTF-8.
      if (charset !== 'utf-8') throw new HttpError(415);
      c.set('body', parse(await readBody(c, limit)));
    }
    await next();
  };
}

function hasBody({ req }: Context): boolean {
  return req.header('Content-Length') !== undefined || req.header('Transfer-Encoding') !== undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch (error) {
    // The parser's own message quotes the body, so it stays in `cause`.
    throw new HttpError(400, 'Invalid JSON body', { code: 'invalid_json', cause: error });
  }
}

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
async function readBody(c: Context, limit: number): Promise<Bytes> {
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

/** By name: a text, or a list where the name is there several times, so that a schema for one text refuses it. */
export function readQuery(c: Context): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries()).map(([name, values]) => {
    const [value = ''] = values;
    return [name, values.length === 1 ? value : values] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The value that `schema` makes of `input`. Throws a 400 with the issues, so use it for input of clients only: faults
 * in other data are ours.
 * @param root the name of the input in issues about the whole of it
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, root = 'body'): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => {
    return { path: path.map(String).join('.') || root, message };
  });
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new HttpError(400, `Invalid request: ${text}`, { code: 'invalid_request', issues, cause: result.error });
}

/** The place in a list where the next page begins, as text that clients send back and do not read:
 * the cursor for what comes after the entry with this id. */
export function cursorAfter(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** Reads a cursor from a query: the id of the last entry that the client has. */
export const Cursor = z
  .string()
  .refine((text) => isCursor(text), 'Expected the nextCursor of another page')
  .transform(readId);

function isCursor(text: string): boolean {
  const id = readId(text);
  return Number.isSafeInteger(id) && id > 0 && cursorAfter(id) === text;
}

function readId(text: string): number {
  return Number(Buffer.from(text, 'base64url').toString('latin1'));
}

/** The value of `ETag` for a version. */
export function entityTag(version: string | number): string {
  return `"${version}"`;
}

/** Whether the client has `tag` already, by `If-None-Match`: then answer `c.body(null, 304)`. */
export function hasEntityTag(c: Context, tag: string): boolean {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false;
  const known = listTags(c.req.header('If-None-Match'));
  // Weak tags match here, as RFC 9110 demands for reading.
  return known.some((one) => one === '*' || one.replace(/^W\//, '') === tag);
}

/** Throws a 412 where the request has `If-Match` and it does not name `tag`. */
export function checkIfMatch(c: Context, tag: string): void {
  const wanted = c.req.header('If-Match');
  if (wanted === undefined || wanted.trim() === '*') return;
  // Weak tags never match here, as RFC 9110 demands for changes.
  if (!listTags(wanted).includes(tag)) throw new HttpError(412, 'It was changed meanwhile: read it again');
}

function listTags(header = ''): string[] {
  return header.split(',').map((one) => one.trim());
}
