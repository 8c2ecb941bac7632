/**
 * Headers for private registries, from the variable STACKYARD_HEADERS: one per line, after the origin.
 *
 *     https://registry.example.org Authorization: Bearer 0123
 *
 * It is one variable, because a variable per registry would need the address in its name, where "a-b" and
 * "a.b" would be the same. The values are secrets: no message quotes a line.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ClientError } from '../../errors.ts';
import { lowerCase } from '../../../format/unicode.ts';

export const HEADERS_VARIABLE = 'STACKYARD_HEADERS';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const MAX_VALUE_LENGTH = 8192;
/** Headers that the connection, the cache or the parsing of answers depend on. */
const REFUSED =
  /^(?:host|connection|upgrade|te|trailer|expect|keep-alive|content-.*|transfer-encoding|proxy-.*|accept-encoding|range|if-.*)$/i;

export class RegistryHeaders {
  // Private, so that printing or serialising an object that contains this shows no secret.
  readonly #byOrigin = new Map<string, Record<string, string>>();

  /** @throws {ClientError} `ERR_USAGE`, which names the line and quotes nothing of it */
  constructor(text: string) {
    for (const [at, raw] of text.split(/\r?\n/).entries()) {
      const line = raw.trim();
      if (line === '') continue;
      const space = line.search(/\s/);
      const colon = line.indexOf(':', Math.max(space, 0));
      if (space === -1 || colon === -1) throw unreadable(at, 'it does not have three parts');
      const origin = readOrigin(line.slice(0, space), at);
      const name = line.slice(space, colon).trim();
      const value = line.slice(colon + 1).trim();
      if (!TOKEN.test(name)) throw unreadable(at, 'the text before the colon is not a header name');
      if (REFUSED.test(name)) throw unreadable(at, 'its header may not be set');
      if (value === '' || value.length > MAX_VALUE_LENGTH || /[^\x20-\x7e]/.test(value)) {
        throw unreadable(at, `the value must be 1 to ${MAX_VALUE_LENGTH} ASCII characters`);
      }
      const headers = this.#byOrigin.get(origin) ?? {};
      headers[lowerCase(name)] = value;
      this.#byOrigin.set(origin, headers);
    }
  }

  /** The headers to send to `origin`, and to no other origin. */
  of(origin: string): Readonly<Record<string, string>> {
    return this.#byOrigin.get(origin) ?? {};
  }
}

function readOrigin(text: string, at: number): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (url === undefined || !isSafe) {
    throw unreadable(at, 'it does not begin with an https address');
  }
  if (`${url.origin}/` !== url.href) {
    throw unreadable(at, 'its address has more than scheme, host and port');
  }
  return url.origin;
}

function unreadable(at: number, problem: string): ClientError {
  return new ClientError(
    'ERR_USAGE',
    `Cannot read ${HEADERS_VARIABLE}, line ${at + 1}: ${problem}`,
    {
      hint: `write "<origin> <header>: <value>", such as "https://registry.example.org Authorization: Bearer ..."`,
    },
  );
}

/** The address of a registry: HTTPS, HTTP on this machine, or a folder that contains an index. */
interface RegistryAddress {
  /** Without `/` at the end; a folder as a `file:` address. */
  readonly base: string;
  /** The folder; `undefined` for HTTP. */
  readonly folder: string | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A scheme has at least two letters: `C:\index` is a folder. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
export function parseRegistryAddress(text: string): RegistryAddress {
  if (!SCHEME.test(text)) return folderAddress(text, resolve(text));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.search !== '' || url.hash !== '') throw noAddress(text);
  if (url.username !== '' || url.password !== '') {
    throw new ClientError('ERR_USAGE', 'The registry address contains a user name or password', {
      hint: 'give the address without them, and the header to send in STACKYARD_HEADERS',
    });
  }
  if (url.protocol === 'file:') {
    if (url.hostname !== '') throw noAddress(text);
    return folderAddress(text, fileURLToPath(url));
  }
  if (!['http:', 'https:'].includes(url.protocol)) throw noAddress(text);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('ERR_INSECURE_URL', `Registry ${text} is not encrypted`, {
      hint: 'use https; http is allowed on this machine only, such as http://127.0.0.1:4173',
    });
  }
  return { base: withoutSlash(url.href), folder: undefined };
}

/** Whether `url` is on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname);
}

function folderAddress(text: string, folder: string): RegistryAddress {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw noAddress(text);
  return { base: withoutSlash(pathToFileURL(folder).href), folder };
}

function withoutSlash(href: string): string {
  let end = href.length;
  while (href[end - 1] === '/') end -= 1;
  return href.slice(0, end);
}

function noAddress(text: string): ClientError {
  return new ClientError('ERR_USAGE', `Registry ${JSON.stringify(text)} is not an address`, {
    hint: 'give one such as --registry https://registry.example.org, or a folder that contains an index',
  });
}

/** Reads the body of an answer that may be endless or very slow. */
export class TooLarge extends Error {}

/** The minimum speed of a transfer. */
interface Pace {
  /** When the request was sent, in milliseconds since 1970. */
  readonly start: number;
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

/**
 * @param length the `Content-Length`, if there is one
 * @throws {TooLarge} at the first byte beyond the limit, or immediately when `length` is too large
 * @throws {Error} when the transfer is slower than `pace`, which an idle timer would not notice
 */
export async function readBody(
  body: AsyncIterable<Buffer>,
  length: string | string[] | undefined,
  maxBytes: number,
  pace: Pace,
  onBytes?: (count: number) => void,
): Promise<Uint8Array> {
  if (typeof length === 'string' && Number(length) > maxBytes) throw new TooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    const allowedMs = pace.graceMs + (size / pace.minBytesPerSecond) * 1000;
    if (Date.now() - pace.start > allowedMs) {
      throw new Error(`the transfer is too slow: ${size} bytes in ${Math.round(allowedMs)} ms`);
    }
    chunks.push(chunk);
    onBytes?.(chunk.length);
  }
  return Buffer.concat(chunks);
}
