/** Fetches bytes of a registry: from the cache if permitted, otherwise from its address. */
import { ClientError } from '../../errors.ts';
import { contentDigest, type Cache } from './cache.ts';
import { keepSmall } from './cache-upkeep.ts';
import type { Requests } from './requests.ts';
import type { Source } from './source.ts';

/** `offline`: only the cache and folders. */
export type NetworkMode = 'online' | 'offline';

/** Parses bytes as a document, or throws a `ClientError`. */
export type Check<Document> = (bytes: Uint8Array, url: string) => Document;

/** Throws a `ClientError` when a document contradicts the bytes that its address had before. */
type CheckEarlier<Document> = (
  document: Document,
  earlier: Uint8Array,
  url: string,
) => void | Promise<void>;

export interface DocumentOptions<Document> {
  /** Compares new bytes with those that the cache has of the same address. */
  readonly checkEarlier?: CheckEarlier<Document>;
  /** Whether it never changes: what the cache has is used without a request. */
  readonly isLasting?: boolean;
  /** Whether the host itself must answer, and no cache. */
  readonly isFresh?: boolean;
  /** Whether requests that are under way wait for it. */
  readonly isAwaited?: boolean;
  /** Throws a `ClientError` for bytes, or for none, that must not be used or kept. */
  readonly prove?: (bytes: Uint8Array | undefined, url: string) => Promise<void>;
}

interface Digested {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly maxBytes: number;
  /** Creates the error for bytes with another digest. */
  readonly wrong: (bytes: Uint8Array, url: string) => ClientError;
  readonly isFresh?: boolean;
  readonly isAwaited?: boolean;
}

export class Fetcher {
  readonly #source: Source;
  readonly #requests: Requests;
  readonly #cache: Cache | undefined;
  readonly #mode: NetworkMode;

  constructor(source: Source, requests: Requests, cache: Cache | undefined, mode: NetworkMode) {
    this.#source = source;
    this.#requests = requests;
    this.#cache = cache;
    this.#mode = mode;
  }

  /** The document at `path`, or `undefined` when it is missing. */
  async document<Document>(
    path: string,
    maxBytes: number,
    check: Check<Document | Promise<Document>>,
    options: DocumentOptions<Document> = {},
  ): Promise<Document | undefined> {
    const { checkEarlier, isLasting = false, isFresh = false, isAwaited, prove } = options;
    const source = this.#source;
    const url = source.url(path);
    const cached = await this.#cache?.document(source, path);
    if (cached !== undefined && (this.#mode === 'offline' || isLasting) && !isFresh) {
      try {
        await prove?.(cached.bytes, url);
        return await check(cached.bytes, url);
      } catch (error) {
        // Without network there is no other answer; otherwise the registry is asked.
        if (!this.#isReadable || !(error instanceof ClientError)) throw error;
      }
    }
    this.#requireSource(path);
    const { etag, lastModified } = cached?.validators ?? {};
    const isKnown = !isFresh && (etag ?? lastModified) !== undefined;
    const answer = await this.#requests.send(
      path,
      isKnown
        ? { maxBytes, isDigested: false, validators: cached!.validators }
        : { maxBytes, isDigested: false, isFresh },
      isAwaited,
    );
    const bytes =
      answer.kind === 'bytes' ? answer.bytes : answer.kind === 'same' ? cached!.bytes : undefined;
    await prove?.(bytes, url);
    if (bytes === undefined) return undefined;
    const document = await check(bytes, url);
    if (answer.kind === 'bytes' && !source.isFolder) {
      if (cached !== undefined) await checkEarlier?.(document, cached.bytes, url);
      await this.#cache?.keepDocument(source, path, answer);
    }
    return document;
  }

  /** The bytes with a digest, or `undefined` when the address does not have them. */
  async digested(wanted: Digested): Promise<Uint8Array | undefined> {
    const { path, sha256, maxBytes, wrong, isFresh, isAwaited } = wanted;
    const cached = await this.#cache?.blob(sha256);
    if (cached !== undefined) return cached;
    this.#requireSource(path);
    const request = { maxBytes, isDigested: true, isFresh };
    const answer = await this.#requests.send(path, request, isAwaited);
    if (answer.kind !== 'bytes') return undefined;
    const { bytes } = answer;
    if (contentDigest(bytes) !== sha256) throw wrong(bytes, this.#source.url(path));
    if (!this.#source.isFolder) await this.#cache?.keepBlob(sha256, bytes);
    return bytes;
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#requests.close();
    if (this.#cache !== undefined) await keepSmall(this.#cache.files, Date.now());
  }

  /** Whether the address may be read in this run: a folder without network too. */
  get #isReadable(): boolean {
    return this.#mode === 'online' || this.#source.isFolder;
  }

  #requireSource(path: string): void {
    if (this.#isReadable) return;
    const place = this.#cache === undefined ? 'there is no cache' : 'it is not in the cache';
    throw new ClientError(
      'ERR_NETWORK',
      `Cannot read ${this.#source.url(path)} with --offline: ${place}`,
      {
        hint: 'run the same command once without --offline, or name a folder that contains the index with --registry',
      },
    );
  }
}

/** The error for an unusable answer of an address. */
export function badAnswer(
  url: string,
  problem: string,
  hint = 'the registry is at fault; try again later',
): ClientError {
  return new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${url}: ${problem}`, { hint });
}
