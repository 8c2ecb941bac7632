/** Fetches bytes of a registry: from the cache if permitted, otherwise from the addresses. */
import { ClientError } from '../../errors.ts';
import { contentDigest, type Cache } from './cache.ts';
import { keepSmall } from './cache-upkeep.ts';
import type { Taken, Mirrors, Source } from './mirrors.ts';

/** `offline`: only the cache and folders; `prefer-offline`: these first. */
export type NetworkMode = 'online' | 'prefer-offline' | 'offline';

/** Parses bytes as a document, or throws a `ClientError`: then the next address is tried. */
export type Check<Document> = (bytes: Uint8Array, url: string) => Document;

/** Throws a `ClientError` when a document contradicts the bytes that its address had before. */
type CheckEarlier<Document> = (document: Document, earlier: Uint8Array, url: string) => void;

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
  readonly #sources: readonly Source[];
  readonly #mirrors: Mirrors;
  readonly #cache: Cache | undefined;
  readonly #mode: NetworkMode;

  /** @param sources all of them; `mirrors` has those that may be used */
  constructor(
    sources: readonly Source[],
    mirrors: Mirrors,
    cache: Cache | undefined,
    mode: NetworkMode,
  ) {
    this.#sources = sources;
    this.#mirrors = mirrors;
    this.#cache = cache;
    this.#mode = mode;
  }

  /**
   * The document at `path`, or `undefined` when it is missing. A missing document is an answer: the
   * addresses are mirrors, not a search path on which another person could publish a missing name.
   */
  async document<Document>(
    path: string,
    maxBytes: number,
    check: Check<Document>,
    options: DocumentOptions<Document> = {},
  ): Promise<Document | undefined> {
    const { checkEarlier, isLasting = false, isFresh = false, isAwaited, prove } = options;
    if ((this.#mode !== 'online' || isLasting) && !isFresh) {
      const cached = await this.#cachedDocument(path, check, prove);
      if (cached !== undefined) return cached.document;
    }
    this.#requireSources(path);
    const known = new Map<Source, Parameters<Cache['keepDocument']>[2]>();
    const seen = new Map<Source, Uint8Array>();
    return this.#mirrors.ask({
      path,
      isAwaited,
      requestFor: async (source) => {
        const cached = await this.#cache?.document(source, path);
        if (cached !== undefined) seen.set(source, cached.bytes);
        const { etag, lastModified } = cached?.validators ?? {};
        if (cached === undefined || isFresh || (etag ?? lastModified) === undefined) {
          return { maxBytes, isDigested: false, isFresh };
        }
        known.set(source, cached);
        return { maxBytes, isDigested: false, validators: cached.validators };
      },
      take: async (answer: Taken, source: Source): Promise<Document | undefined> => {
        const found =
          answer.kind === 'absent'
            ? undefined
            : answer.kind === 'same'
              ? known.get(source)!
              : answer;
        await prove?.(found?.bytes, source.url(path));
        if (found === undefined) return undefined;
        const document = check(found.bytes, source.url(path));
        if (answer.kind === 'bytes' && !source.isFolder) {
          const earlier = seen.get(source);
          if (earlier !== undefined) checkEarlier?.(document, earlier, source.url(path));
          await this.#cache?.keepDocument(source, path, answer);
        }
        return document;
      },
    });
  }

  /** The bytes with a digest, or `undefined` when no address has them. */
  async digested(wanted: Digested): Promise<Uint8Array | undefined> {
    const { path, sha256, maxBytes, wrong, isFresh, isAwaited } = wanted;
    const cached = await this.#cache?.blob(sha256);
    if (cached !== undefined) return cached;
    this.#requireSources(path);
    let absent = 0;
    return this.#mirrors.ask({
      path,
      isAwaited,
      requestFor: async () => ({ maxBytes, isDigested: true, isFresh }),
      take: async (answer: Taken, source: Source): Promise<Uint8Array | undefined> => {
        const url = source.url(path);
        if (answer.kind !== 'bytes') {
          absent += 1;
          // Another address may have it; only when all of them do not, it is missing.
          if (absent === this.#mirrors.sources.length) return undefined;
          throw badAnswer(url, 'it is missing');
        }
        if (contentDigest(answer.bytes) === sha256) {
          if (!source.isFolder) await this.#cache?.keepBlob(sha256, answer.bytes);
          return answer.bytes;
        }
        throw wrong(answer.bytes, url);
      },
    });
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#mirrors.close();
    if (this.#cache !== undefined) await keepSmall(this.#cache.files, Date.now());
  }

  async #cachedDocument<Document>(
    path: string,
    check: Check<Document>,
    prove: DocumentOptions<Document>['prove'],
  ): Promise<{ readonly document: Document } | undefined> {
    for (const source of this.#sources) {
      const cached = await this.#cache?.document(source, path);
      if (cached === undefined) continue;
      try {
        await prove?.(cached.bytes, source.url(path));
        return { document: check(cached.bytes, source.url(path)) };
      } catch (error) {
        // Offline there is no other source; otherwise the registry is tried.
        if (this.#mirrors.sources.length === 0 || !(error instanceof ClientError)) throw error;
      }
    }
    return undefined;
  }

  #requireSources(path: string): void {
    if (this.#mirrors.sources.length > 0) return;
    const place = this.#cache === undefined ? 'there is no cache' : 'it is not in the cache';
    throw new ClientError(
      'ERR_NETWORK',
      `Cannot read ${this.#sources[0]!.url(path)} with --offline: ${place}`,
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
