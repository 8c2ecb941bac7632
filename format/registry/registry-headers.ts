/**
 * Headers for private registries, from the variable STACKYARD_HEADERS: one per line, after the origin.
 *
 *     https://registry.example.org Authorization: Bearer 0123
 *
 * It is one variable, because a variable per registry would need the address in its name, where "a-b" and
 * "a.b" would be the same. The values are secrets: no message quotes a line.
 */
import { StackyardError } from '../errors.ts';

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

  /** @throws {StackyardError} `ERR_USAGE`, which names the line and quotes nothing of it */
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
      headers[name.toLowerCase()] = value;
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

function unreadable(at: number, problem: string): StackyardError {
  return new StackyardError(
    'ERR_USAGE',
    `Cannot read ${HEADERS_VARIABLE}, line ${at + 1}: ${problem}`,
    {
      hint: `write "<origin> <header>: <value>", such as "https://registry.example.org Authorization: Bearer ..."`,
    },
  );
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether `url` is on this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname);
}
