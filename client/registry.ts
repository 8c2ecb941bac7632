/** The only file that talks to the network: reads the documents and tarballs of one registry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvHttpProxyAgent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { MAX_TARBALL_BYTES } from '../format/build-files.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../format/document.ts';
import { FormatError } from '../format/errors.ts';
import { Head } from '../format/head.ts';
import { integrityOf } from '../format/integrity.ts';
import { headPath, recordPath, tarballPath, urlPath, versionRecordPath } from '../format/layout.ts';
import { PackageRecord } from '../format/record.ts';
import { ClientError } from './errors.ts';

/** Limits of a request; every answer of a registry is untrusted. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** To the first byte of the answer, and between two pieces of it. */
  readonly idleMs: number;
  readonly tries: number;
  /** Before the second try; doubled before each further one. */
  readonly backoffMs: number;
}

const LIMITS: NetworkLimits = { connectMs: 10_000, idleMs: 30_000, tries: 3, backoffMs: 250 };
const MAX_REDIRECTS = 5;
const MAX_RETRY_AFTER_MS = 10_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export class Registry {
  /** Address of the index, without `/` at the end. */
  readonly base: string;
  readonly #signal: AbortSignal;
  readonly #limits: NetworkLimits;
  readonly #dispatcher: Dispatcher;

  /** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
  constructor(base: string, signal: AbortSignal, limits: Partial<NetworkLimits> = {}) {
    this.base = checkBase(base);
    this.#signal = signal;
    this.#limits = { ...LIMITS, ...limits };
    this.#dispatcher = new EnvHttpProxyAgent({
      connect: { timeout: this.#limits.connectMs },
      headersTimeout: this.#limits.idleMs,
      bodyTimeout: this.#limits.idleMs,
    });
  }

  /** The head of a build, or `undefined` when the registry has no such build. */
  async head(id: string): Promise<Head | undefined> {
    const head = await this.#document(Head, headPath(id));
    if (head !== undefined && head.id !== id)
      throw this.#badAnswer(headPath(id), `it is of "${head.id}"`);
    return head;
  }

  /** The package record that shows `version`, by default the latest one. */
  async record(id: string, version?: string): Promise<PackageRecord | undefined> {
    const path = version === undefined ? recordPath(id) : versionRecordPath(id, version);
    const record = await this.#document(PackageRecord, path);
    if (record !== undefined && record.id !== id)
      throw this.#badAnswer(path, `it is of "${record.id}"`);
    return record;
  }

  /**
   * The bytes of a tarball, which have the digest that is asked for.
   * @throws {ClientError} `ERR_INTEGRITY`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
   */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    const path = tarballPath(id, version);
    const bytes = await this.#fetch(path, MAX_TARBALL_BYTES);
    if (bytes === undefined) throw this.#badAnswer(path, 'the head names it and it is not there');
    const found = integrityOf(bytes);
    if (found === integrity) return bytes;
    throw new ClientError(
      'ERR_INTEGRITY',
      `Cannot use "${id}" ${version}: the tarball from ${this.#url(path)} is ${found}, not ${integrity}`,
      {
        hint: 'the download was altered or cut; try again, and tell the registry if it happens again',
      },
    );
  }

  /** Ends at once, whatever is still on its way. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #document<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
  ): Promise<z.infer<Schema> | undefined> {
    const bytes = await this.#fetch(path, MAX_DOCUMENT_BYTES);
    if (bytes === undefined) return undefined;
    try {
      return parseDocument(schema, bytes, this.#url(path));
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw new ClientError('ERR_REGISTRY_ANSWER', cause.message, {
        cause,
        hint: `check that ${this.base} is the address of a Stackyard index`,
      });
    }
  }

  /** The bytes at `path`, or `undefined` where there is nothing. Retries what may pass. */
  async #fetch(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    let wait = this.#limits.backoffMs;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(path, maxBytes);
      if (answer.kind === 'bytes') return answer.bytes;
      if (answer.kind === 'absent') return undefined;
      this.#signal.throwIfAborted();
      if (attempt >= this.#limits.tries) throw answer.error;
      const pause = Math.min(answer.retryAfterMs ?? wait, MAX_RETRY_AFTER_MS);
      await sleep(pause, undefined, { signal: this.#signal });
      wait *= 2;
    }
  }

  async #try(path: string, maxBytes: number): Promise<Answer> {
    let url = this.#url(path);
    for (let redirects = 0; ; redirects += 1) {
      let response: Dispatcher.ResponseData;
      try {
        response = await request(url, { dispatcher: this.#dispatcher, signal: this.#signal });
      } catch (cause) {
        return { kind: 'failed', error: this.#unreachable(url, cause) };
      }
      const { statusCode: status, headers, body } = response;
      if (status === 200) {
        try {
          return {
            kind: 'bytes',
            bytes: await readBody(body, headers['content-length'], maxBytes),
          };
        } catch (cause) {
          drop(body);
          if (cause instanceof TooLarge)
            throw this.#badAnswer(path, `it has over ${maxBytes} bytes`);
          return { kind: 'failed', error: this.#unreachable(url, cause) };
        }
      }
      drop(body);
      if (status === 404 || status === 410) return { kind: 'absent' };
      if (status >= 300 && status < 400 && redirects < MAX_REDIRECTS) {
        url = this.#redirect(url, headers['location']);
        continue;
      }
      const error = this.#badAnswer(path, `the registry answers with status ${status}`);
      if (status !== 429 && status < 500) throw error;
      return { kind: 'failed', error, retryAfterMs: retryAfter(headers['retry-after']) };
    }
  }

  #redirect(from: string, location: string | string[] | undefined): string {
    const target = typeof location === 'string' ? new URL(location, from) : undefined;
    if (target !== undefined && target.origin === new URL(from).origin) return target.href;
    throw new ClientError(
      'ERR_REGISTRY_ANSWER',
      `Cannot read ${from}: it redirects to ${target === undefined ? 'nowhere' : target.origin}`,
      {
        hint: 'a registry may redirect within its own origin only; give its new address with --registry',
      },
    );
  }

  #url(path: string): string {
    return `${this.base}/${urlPath(path)}`;
  }

  #badAnswer(path: string, problem: string): ClientError {
    return new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${this.#url(path)}: ${problem}`, {
      hint: 'the registry is at fault; try again later',
    });
  }

  #unreachable(url: string, cause: unknown): ClientError {
    const problem = cause instanceof Error ? describe(cause) : String(cause);
    return new ClientError('ERR_NETWORK', `Cannot reach ${url}: ${problem}`, {
      cause,
      hint: 'check the address (--registry) and your connection, then try again',
    });
  }
}

/** Lets `use` read the registry at `address`, and closes the connections at its end. */
export async function withRegistry<Result>(
  address: string,
  signal: AbortSignal,
  use: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const registry = new Registry(address, signal);
  try {
    return await use(registry);
  } finally {
    await registry.close();
  }
}

type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      readonly retryAfterMs?: number | undefined;
    };

/** Ends the transfer of a body that is not wanted; its error would have no listener. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

class TooLarge extends Error {}

function checkBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ClientError('ERR_USAGE', `Registry ${JSON.stringify(text)} is no address`, {
      hint: 'give one such as --registry https://registry.example.org',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ClientError('ERR_USAGE', 'The registry address holds a user name or password', {
      hint: 'give the address without them',
    });
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new ClientError('ERR_INSECURE_URL', `Registry ${text} is not encrypted`, {
      hint: 'use https; http is allowed on this machine only, such as http://127.0.0.1:4173',
    });
  }
  return url.href.replace(/\/+$/, '');
}

async function readBody(
  body: AsyncIterable<Buffer>,
  length: string | string[] | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  if (typeof length === 'string' && Number(length) > maxBytes) throw new TooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Milliseconds of a `Retry-After` in seconds (RFC 9110, section 10.2.3); dates are not followed. */
function retryAfter(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}

/** undici wraps the reason: the innermost code says most. */
function describe(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  const inner =
    error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  const message = inner?.message ?? error.message;
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}
