/** A registry over HTTP: sends one request and interprets its answer. Retries: `requests.ts`. */
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { REGISTRY_PATH, urlPath } from '../../format/index/layout.ts';
import { ClientError } from '../errors.ts';
import type { NetworkLimits, Answer, SourceRequest, Source, Validators } from './source.ts';
import { Authentication } from '../../format/index/registry-info.ts';
import { HEADERS_VARIABLE, isLoopback } from '../../format/registry/registry-headers.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { field } from '../../format/document/canonical-json.ts';
import type { Credentials } from './credentials.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_REDIRECTS = 5;
const HEADER = 'authorization';
/** Other validators (longer ones, or no valid header text) are not stored. */
const VALIDATOR = /^[\x20-\x7e]{1,256}$/;

export class HttpSource implements Source {
  readonly base: string;
  readonly isFolder = false;
  readonly #origin: string;
  readonly #credentials: Credentials;
  #stated: Promise<Authentication | undefined> | undefined;
  readonly #limits: NetworkLimits;
  readonly #signal: AbortSignal;
  readonly #dispatcher: Dispatcher;

  constructor(base: string, credentials: Credentials, limits: NetworkLimits, signal: AbortSignal) {
    const url = new URL(base);
    this.base = base;
    this.#origin = url.origin;
    this.#credentials = credentials;
    this.#limits = limits;
    this.#signal = signal;
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
    const fixed = this.#credentials.fixed(this.base);
    return Object.keys(fixed).length === 0 ? '' : JSON.stringify(fixed);
  }

  url(path: string): string {
    return `${this.base}/${urlPath(path)}`;
  }

  async get(path: string, wanted: SourceRequest): Promise<Answer> {
    let url = this.url(path);
    for (let redirects = 0; ;) {
      let response: Dispatcher.ResponseData;
      const start = Date.now();
      const secret = this.#credentials.of(this.base);
      try {
        response = await this.#request(url, {
          ...conditions(wanted.validators),
          ...secret,
        });
      } catch (cause) {
        return this.#unreachable(url, cause);
      }
      const { statusCode: status, headers, body } = response;
      const sent = secret[HEADER];
      if (status === 401 || (status === 403 && sent === undefined)) {
        drop(body);
        const wants = headers['www-authenticate'] ?? [];
        if (await this.#renew(sent, [wants].flat())) continue;
        return await this.#refusal(url, status, undefined);
      }
      if (status < 400 || status === 404) await this.#credentials.accept(this.base);
      if (status === 200) return this.#read(url, response, start, wanted);
      drop(body);
      if (status === 404 || status === 410) return { kind: 'absent' };
      if (status === 304 && wanted.validators !== undefined) return { kind: 'same' };
      if (status > 300 && status < 400 && status !== 304 && redirects < MAX_REDIRECTS) {
        const target = this.#redirect(url, headers['location']);
        if (typeof target !== 'string') return target;
        [url, redirects] = [target, redirects + 1];
        continue;
      }
      return this.#refusal(url, status, headers['retry-after']);
    }
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  #request(url: string, headers: Record<string, string>): Promise<Dispatcher.ResponseData> {
    const [dispatcher, signal] = [this.#dispatcher, this.#signal];
    const sent = { 'accept-encoding': 'identity', ...headers };
    return request(url, { dispatcher, signal, headers: sent });
  }

  async #renew(sent: string | undefined, wanted: readonly string[]): Promise<boolean> {
    this.#stated ??= this.#readStated();
    const scheme = (await this.#stated)?.scheme;
    return this.#credentials.renew(this.base, sent, { wanted, scheme });
  }

  /** What `registry.json` states about credentials, where the host shows it to everybody. */
  async #readStated(): Promise<Authentication | undefined> {
    try {
      const response = await this.#request(this.url(REGISTRY_PATH), {});
      if (response.statusCode !== 200) {
        drop(response.body);
        return undefined;
      }
      const pace = { start: Date.now(), ...this.#limits };
      const bytes = await readBody(response.body, undefined, MAX_DOCUMENT_BYTES, pace);
      const stated = field(JSON.parse(Buffer.from(bytes).toString()), 'auth');
      return Authentication.safeParse(stated).data;
    } catch {
      return undefined;
    }
  }

  async #read(
    url: string,
    { headers, body }: Dispatcher.ResponseData,
    start: number,
    { maxBytes, isDigested, onBytes }: SourceRequest,
  ): Promise<Answer> {
    const coding = headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity' && !isDigested) {
      drop(body);
      return failed(url, `it is encoded (${String(coding)}), which was not requested`);
    }
    try {
      const { graceMs, minBytesPerSecond } = this.#limits;
      const pace = { start, graceMs, minBytesPerSecond };
      const bytes = await readBody(body, headers['content-length'], maxBytes, pace, onBytes);
      const [etag, lastModified] = [headers['etag'], headers['last-modified']].map(validator);
      return { kind: 'bytes', bytes, validators: { etag, lastModified } };
    } catch (cause) {
      drop(body);
      if (cause instanceof TooLarge) return failed(url, `it has over ${maxBytes} bytes`);
      return this.#unreachable(url, cause);
    }
  }

  #redirect(from: string, location: string | string[] | undefined): string | Answer {
    const target =
      typeof location === 'string' && URL.canParse(location, from)
        ? new URL(location, from)
        : undefined;
    // The header of a private registry goes only to its origin.
    if (target?.origin === this.#origin && target.username === '') return target.href;
    return failed(
      from,
      `it redirects to ${target === undefined ? 'nowhere' : target.origin}`,
      'a registry may redirect within its own origin only; give its new address with --registry; where this is a page to log in at, its host takes no credential of a program',
    );
  }

  async #refusal(url: string, status: number, retryAfter: unknown): Promise<Answer> {
    const problem = `the registry answers with status ${status}`;
    if (status === 401 || status === 403)
      return failed(url, problem, await this.#howToEnter(status));
    if (status !== 408 && status !== 429 && status < 500) return failed(url, problem);
    const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
    if (retryAfterMs !== undefined && retryAfterMs > this.#limits.maxRetryAfterMs) {
      const seconds = Math.ceil(retryAfterMs / 1000);
      return failed(url, problem, `the registry asks to wait: try again in ${seconds} seconds`);
    }
    return { ...failed(url, problem), isFinal: false, retryAfterMs };
  }

  async #howToEnter(status: number): Promise<string> {
    const { [HEADER]: fixed } = this.#credentials.fixed(this.base);
    const help = (await this.#stated)?.help;
    const page = help === undefined ? '' : `; how to get one: ${help}`;
    if (fixed !== undefined) {
      return `the header in ${HEADERS_VARIABLE} for ${this.#origin} is not accepted: renew it${page}`;
    }
    if (status === 403 && this.#credentials.of(this.base)[HEADER] !== undefined) {
      return `the credential is known there and may not read it: ask the operators of the registry${page}`;
    }
    const asked = this.#credentials.asked(this.base);
    const { host } = new URL(this.base);
    return `set ${HEADERS_VARIABLE} to "${this.#origin} Authorization: Bearer ..." with your token, or put "machine ${host}" with login and password into ~/.netrc, or give git a credential for it ("git credential approve")${page} (asked: ${asked})`;
  }

  #unreachable(url: string, cause: unknown): Answer {
    const problem = cause instanceof Error ? describe(cause) : String(cause);
    const error = new ClientError('ERR_NETWORK', `Cannot reach ${url}: ${problem}`, {
      cause,
      hint: 'check the address (--registry) and your connection, then try again; --offline uses what is cached',
    });
    return { kind: 'failed', error, isFinal: false };
  }
}

function failed(
  url: string,
  problem: string,
  hint = 'the registry is at fault; try again later',
): Extract<Answer, { kind: 'failed' }> {
  const error = new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${url}: ${problem}`, { hint });
  return { kind: 'failed', error, isFinal: true };
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
/** Gets the progress of requests, for a progress bar. */
export interface TransferListener {
  readonly begin: () => void;
  readonly bytes: (count: number) => void;
  readonly end: () => void;
}

/** An answer that is not a failure. */
export type Taken = Exclude<Answer, { kind: 'failed' }>;

export class Requests {
  readonly #source: Source;
  readonly #limits: NetworkLimits;
  readonly #closing = new AbortController();
  /** Aborted by the caller or by `close`. */
  readonly #signal: AbortSignal;
  readonly #listener: TransferListener | undefined;
  readonly #pool: Pool;

  constructor(
    source: Source,
    limits: NetworkLimits,
    signal: AbortSignal,
    listener: TransferListener | undefined,
  ) {
    this.#source = source;
    this.#limits = limits;
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
    this.#listener = listener;
    this.#pool = new Pool(limits.parallel);
  }

  /** @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
  async send(path: string, request: Omit<SourceRequest, 'onBytes'>): Promise<Taken> {
    this.#listener?.begin();
    try {
      return await this.#pool.run(() => this.#attempts(path, request));
    } finally {
      this.#listener?.end();
    }
  }

  /** Aborts requests that wait for their turn or for another attempt: nobody uses their answers. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#source.close();
  }

  async #attempts(path: string, request: SourceRequest): Promise<Taken> {
    const onBytes = this.#listener?.bytes;
    for (let attempt = 1; ; attempt += 1) {
      this.#signal.throwIfAborted();
      const answer = await this.#source.get(path, { ...request, onBytes });
      if (answer.kind !== 'failed') return answer;
      this.#signal.throwIfAborted();
      if (answer.isFinal || attempt >= this.#limits.tries) throw answer.error;
      const pauseMs = backoff(this.#limits.backoffMs, attempt, Math.random());
      await sleep(Math.max(pauseMs, answer.retryAfterMs ?? 0), undefined, { signal: this.#signal });
    }
  }
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
