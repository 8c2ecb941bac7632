/** Fetches bytes of a registry: from the cache if permitted, otherwise from its address. */
import { ClientError } from '../../errors.ts';
import { contentDigest, type Cache } from './cache.ts';
import { keepSmall } from './cache-upkeep.ts';
import type { Requests } from './requests.ts';
import type { Source } from './source.ts';

/** `offline`: only the cache and folders. */
export type NetworkMode = 'online' | 'offline';

interface Digested {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly maxBytes: number;
  /** Creates the error for bytes with another digest. */
  readonly wrong: (bytes: Uint8Array, url: string) => ClientError;
  /** Whether the cache does not keep them by their digest. */
  readonly isPassing?: boolean;
}

export class Fetcher {
  readonly #source: Source;
  readonly #requests: Requests;
  readonly #cache: Cache | undefined;
  readonly #mode: NetworkMode;
  /** Files that never change, which are kept once they are proved. */
  readonly #unproved = new Map<string, Uint8Array>();

  constructor(source: Source, requests: Requests, cache: Cache | undefined, mode: NetworkMode) {
    this.#source = source;
    this.#requests = requests;
    this.#cache = cache;
    this.#mode = mode;
  }

  /** The address of the registry. */
  get base(): string {
    return this.#source.base;
  }

  /** The full address of a path, for messages. */
  url(path: string): string {
    return this.#source.url(path);
  }

  /** The file at `path` as it is served now, or `undefined` when it is missing. */
  async file(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const source = this.#source;
    const cached = await this.#cache?.document(source, path);
    if (cached !== undefined && !this.#isReadable) return cached.bytes;
    this.#requireSource(path);
    const { etag, lastModified } = cached?.validators ?? {};
    const isKnown = (etag ?? lastModified) !== undefined;
    const answer = await this.#requests.send(path, {
      maxBytes,
      isDigested: false,
      ...(isKnown ? { validators: cached!.validators } : {}),
    });
    if (answer.kind === 'same') return cached!.bytes;
    if (answer.kind !== 'bytes') return undefined;
    if (!source.isFolder) await this.#cache?.keepDocument(source, path, answer);
    return answer.bytes;
  }

  /** A file that never changes, which the caller proves and keeps with `keepProved`; `undefined` when it is missing. */
  async lasting(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const cached = await this.#cache?.document(this.#source, path);
    if (cached !== undefined) return cached.bytes;
    this.#requireSource(path);
    const answer = await this.#requests.send(path, { maxBytes, isDigested: false });
    if (answer.kind !== 'bytes') return undefined;
    this.#unproved.set(path, answer.bytes);
    return answer.bytes;
  }

  /** Keeps what `lasting` read: all of it is proved. */
  async keepProved(): Promise<void> {
    for (const [path, bytes] of this.#unproved) await this.keep(path, bytes);
    this.#unproved.clear();
  }

  /** What is kept under a name. */
  async kept(name: string): Promise<Uint8Array | undefined> {
    return (await this.#cache?.document(this.#source, name))?.bytes;
  }

  /** Keeps bytes under a name, for this address alone. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#source.isFolder) return;
    await this.#cache?.keepDocument(this.#source, name, { bytes, validators: {} });
  }

  /** The bytes with a digest, or `undefined` when the address does not have them. */
  async digested(wanted: Digested): Promise<Uint8Array | undefined> {
    const { path, sha256, maxBytes, wrong, isPassing = false } = wanted;
    const cached = await this.#cache?.blob(sha256);
    if (cached !== undefined) return cached;
    this.#requireSource(path);
    const answer = await this.#requests.send(path, { maxBytes, isDigested: true });
    if (answer.kind !== 'bytes') return undefined;
    const { bytes } = answer;
    if (contentDigest(bytes) !== sha256) throw wrong(bytes, this.#source.url(path));
    if (!isPassing && !this.#source.isFolder) await this.#cache?.keepBlob(sha256, bytes);
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
    if (!this.#isReadable) throw this.notKept(path);
  }

  /** The error for what is not in the cache, where the address must not be read. */
  notKept(path: string): ClientError {
    const place = this.#cache === undefined ? 'there is no cache' : 'it is not in the cache';
    return new ClientError(
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
