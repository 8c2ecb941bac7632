/** A registry over HTTP: requests that are repeated after a pause where it may answer later, and what their answers mean. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { field } from '../../format/document/canonical-json.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { REGISTRY_PATH, urlPath } from '../../format/index/layout.ts';
import { Authentication } from '../../format/index/registry-info.ts';
import { HEADERS_VARIABLE, isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import type { AddressCredentials } from './credentials.ts';
import { badAnswer, type Limit, type Source, type Validators } from './source.ts';

/** Time limits and retries of requests. */
export const NETWORK_LIMITS = {
  connectMs: 10_000,
  /** From the request to the first byte of the answer. */
  firstByteMs: 30_000,
  /** Between two parts of an answer. */
  idleMs: 30_000,
  /** Every transfer may take this long, plus the time for its bytes at `minBytesPerSecond`. */
  graceMs: 30_000,
  minBytesPerSecond: 8192,
  /** Attempts for one document. */
  tries: 3,
  /** Before the second attempt; doubled before each further one, with random variation. */
  backoffMs: 250,
  /** Longer pauses that a registry demands are not waited for. */
  maxRetryAfterMs: 30_000,
  /** Parallel requests. */
  parallel: 8,
};

export type NetworkLimits = Readonly<typeof NETWORK_LIMITS>;

const MAX_REDIRECTS = 5;
const HEADER = 'authorization';
/** Other validators (longer ones, or no valid header text) are not stored. */
const VALIDATOR = /^[\x20-\x7e]{1,256}$/;

/** A failure that another attempt may not meet. */
class Passing extends ClientError {
  retryAfterMs = 0;
}

export class HttpSource implements Source {
  readonly base: string;
  readonly isFolder = false;
  readonly #origin: string;
  readonly #credentials: AddressCredentials;
  #stated: Promise<Authentication | undefined> | undefined;
  readonly #limits: NetworkLimits;
  readonly #closing = new AbortController();
  /** Aborted by the caller or by `close`. */
  readonly #signal: AbortSignal;
  readonly #dispatcher: Dispatcher;

  constructor(
    base: string,
    credentials: AddressCredentials,
    limits: NetworkLimits,
    signal: AbortSignal,
  ) {
    const url = new URL(base);
    this.base = base;
    this.#origin = url.origin;
    this.#credentials = credentials;
    this.#limits = limits;
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
    const options = {
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.firstByteMs,
      bodyTimeout: limits.idleMs,
    };
    // Requests to this machine never go through a proxy, which would see them unencrypted.
    this.#dispatcher = isLoopback(url) ? new Agent(options) : new EnvHttpProxyAgent(options);
  }

  get secret(): string {
    // What a helper gave is this user's, as the cache is, and may be another one at each run.
    const { fixed } = this.#credentials;
    return Object.keys(fixed).length === 0 ? '' : JSON.stringify(fixed);
  }

  url(path: string): string {
    return `${this.base}/${urlPath(path)}`;
  }

  async read(path: string, limit: Limit): ReturnType<Source['read']> {
    for (let attempt = 1; ; attempt += 1) {
      this.#signal.throwIfAborted();
      try {
        return await this.#ask(this.url(path), limit);
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof Passing) || attempt >= this.#limits.tries) throw error;
        const pauseMs = backoff(this.#limits.backoffMs, attempt, Math.random());
        await sleep(Math.max(pauseMs, error.retryAfterMs), undefined, { signal: this.#signal });
      }
    }
  }

  /** Also ends requests that wait for their turn or for another attempt: nobody uses their answers. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#dispatcher.destroy();
  }

  async #ask(start: string, limit: Limit): ReturnType<Source['read']> {
    let url = start;
    for (let redirects = 0; ;) {
      const begun = Date.now();
      const secret = this.#credentials.headers;
      const headers = { ...conditions(limit.validators), ...secret };
      const response = await this.#request(url, headers).catch((cause: unknown) => {
        throw unreachable(url, cause);
      });
      const { statusCode: status, headers: answered } = response;
      if (status !== 200) drop(response.body);
      const sent = secret[HEADER];
      const wanted = [answered['www-authenticate'] ?? []].flat();
      const isRefused = status === 401 || (status === 403 && sent === undefined);
      if (isRefused && (await this.#renew(sent, wanted))) continue;
      if (status < 400 || status === 404) await this.#credentials.accept();
      if (status === 200) return this.#body(url, response, begun, limit);
      if (status === 404 || status === 410) return undefined;
      if (status === 304 && limit.validators !== undefined) return 'same';
      const isRedirect = status > 300 && status < 400 && status !== 304;
      if (!isRedirect || redirects >= MAX_REDIRECTS) {
        throw await this.#refusal(url, status, answered['retry-after']);
      }
      [url, redirects] = [this.#redirect(url, answered['location']), redirects + 1];
    }
  }

  #request(url: string, headers: Record<string, string>): Promise<Dispatcher.ResponseData> {
    const [dispatcher, signal] = [this.#dispatcher, this.#signal];
    const sent = { 'accept-encoding': 'identity', ...headers };
    return request(url, { dispatcher, signal, headers: sent });
  }

  async #renew(sent: string | undefined, wanted: readonly string[]): Promise<boolean> {
    this.#stated ??= this.#readStated();
    const scheme = (await this.#stated)?.scheme;
    return this.#credentials.renew(sent, { wanted, scheme });
  }

  /** What `registry.json` states about credentials, where the host shows it to everybody. */
  async #readStated(): Promise<Authentication | undefined> {
    try {
      const start = Date.now();
      const { statusCode, body } = await this.#request(this.url(REGISTRY_PATH), {});
      if (statusCode !== 200) {
        drop(body);
        return undefined;
      }
      const pace = { start, ...this.#limits };
      const bytes = await readBody(body, undefined, MAX_DOCUMENT_BYTES, pace);
      const stated = field(JSON.parse(Buffer.from(bytes).toString()), 'auth');
      return Authentication.safeParse(stated).data;
    } catch {
      return undefined;
    }
  }

  async #body(
    url: string,
    { headers, body }: Dispatcher.ResponseData,
    start: number,
    { maxBytes, isDigested, onBytes }: Limit,
  ): ReturnType<Source['read']> {
    const coding = headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity' && !isDigested) {
      drop(body);
      throw badAnswer(url, `it is encoded (${String(coding)}), which was not requested`);
    }
    try {
      const pace = { start, ...this.#limits };
      const bytes = await readBody(body, headers['content-length'], maxBytes, pace, onBytes);
      const [etag, lastModified] = [headers['etag'], headers['last-modified']].map(validator);
      return { bytes, validators: { etag, lastModified } };
    } catch (cause) {
      drop(body);
      if (cause instanceof TooLarge) throw badAnswer(url, `it has over ${maxBytes} bytes`);
      throw unreachable(url, cause);
    }
  }

  #redirect(from: string, location: string | string[] | undefined): string {
    const target =
      typeof location === 'string' && URL.canParse(location, from)
        ? new URL(location, from)
        : undefined;
    // The header of a private registry goes only to its origin.
    if (target?.origin === this.#origin && target.username === '') return target.href;
    throw badAnswer(
      from,
      `it redirects to ${target === undefined ? 'nowhere' : target.origin}`,
      'a registry may redirect within its own origin only; give its new address with --registry; where this is a page to log in at, its host takes no credential of a program',
    );
  }

  async #refusal(url: string, status: number, retryAfter: unknown): Promise<ClientError> {
    const problem = `the registry answers with status ${status}`;
    if (status === 401 || status === 403) {
      return badAnswer(url, problem, await this.#howToEnter(status));
    }
    const error = badAnswer(url, problem);
    if (status !== 408 && status !== 429 && status < 500) return error;
    const retryAfterMs = parseRetryAfter(retryAfter, Date.now()) ?? 0;
    if (retryAfterMs > this.#limits.maxRetryAfterMs) {
      const seconds = Math.ceil(retryAfterMs / 1000);
      return badAnswer(url, problem, `the registry asks to wait: try again in ${seconds} seconds`);
    }
    return Object.assign(new Passing(error.code, error.message, error), { retryAfterMs });
  }

  async #howToEnter(status: number): Promise<string> {
    const { fixed, headers, asked } = this.#credentials;
    const help = (await this.#stated)?.help;
    const page = help === undefined ? '' : `; how to get one: ${help}`;
    if (fixed[HEADER] !== undefined) {
      return `the header in ${HEADERS_VARIABLE} for ${this.#origin} is not accepted: renew it${page}`;
    }
    if (status === 403 && headers[HEADER] !== undefined) {
      return `the credential is known there and may not read it: ask the operators of the registry${page}`;
    }
    const { host } = new URL(this.base);
    return `set ${HEADERS_VARIABLE} to "${this.#origin} Authorization: Bearer ..." with your token, or put "machine ${host}" with login and password into ~/.netrc, or give git a credential for it ("git credential approve")${page} (asked: ${asked})`;
  }
}

function unreachable(url: string, cause: unknown): Passing {
  const problem = cause instanceof Error ? describe(cause) : String(cause);
  return new Passing('ERR_NETWORK', `Cannot reach ${url}: ${problem}`, {
    cause,
    hint: 'check the address (--registry) and your connection, then try again; --offline uses what is cached',
  });
}

function conditions({ etag, lastModified }: Validators = {}): Record<string, string> {
  if (etag !== undefined) return { 'if-none-match': etag };
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

function validator(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && VALIDATOR.test(value) ? value : undefined;
}

/** Aborts the transfer of an unneeded body; its error would have no listener. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

/** undici wraps the cause: the innermost code is the most specific. */
function describe(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  const inner =
    error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  const message = inner?.message ?? error.message;
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

/**
 * Milliseconds of a `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date.
 * @param now milliseconds since 1970; a date in the past means no pause
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) {
    return undefined;
  }
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/**
 * The pause after an attempt: doubled each time and varied at random, so that clients that failed together do
 * not retry together.
 * @param chance a random number from 0 to 1
 */
export function backoff(baseMs: number, attempt: number, chance: number): number {
  return baseMs * 2 ** (attempt - 1) * (0.5 + chance);
}

class TooLarge extends Error {}

/** The minimum speed of a transfer. */
type Pace = Pick<NetworkLimits, 'graceMs' | 'minBytesPerSecond'> & {
  /** When the request was sent, in milliseconds since 1970. */
  readonly start: number;
};

/**
 * Reads the body of an answer that may be endless or very slow.
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

/** Runs a limited number of tasks at once; the next starts as soon as one ends. */
export class Pool {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
