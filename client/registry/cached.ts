/** Reads a source through the cache of this user, a few files at once: from the cache where that is permitted, otherwise from its address. */
import { ClientError } from '../errors.ts';
import { type Cache, contentDigest, keepSmall } from './cache.ts';
import { Credentials } from './credentials.ts';
import { HttpSource, NETWORK_LIMITS, type NetworkLimits, Pool } from './http.ts';
import {
  folderSource,
  type GitAddress,
  type Limit,
  parseRegistryAddress,
  type Source,
} from './source.ts';

/** How an address is read. */
export interface SourceOptions {
  readonly limits?: Partial<NetworkLimits>;
  readonly cache?: Cache | undefined;
  readonly isOffline?: boolean;
  readonly credentials?: Credentials;
  /** Gets the progress of requests, for a progress bar. */
  readonly listener?: TransferListener | undefined;
  /** Whether an address that cannot be used, such as a folder that is gone, fails only when it is read. */
  readonly isLenient?: boolean;
}

export interface TransferListener {
  readonly begin: () => void;
  readonly bytes: (count: number) => void;
  readonly end: () => void;
}

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

export class CachedSource {
  readonly source: Source;
  readonly #cache: Cache | undefined;
  readonly #pool: Pool;
  readonly #listener: TransferListener | undefined;
  /** Whether the address may be read in this run: a folder without network too. */
  readonly #isReadable: boolean;
  /** Files that never change, which are kept once they are proved. */
  readonly #unproved = new Map<string, Uint8Array>();

  /** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, unless the options are lenient */
  constructor(address: string, signal: AbortSignal, options: SourceOptions) {
    const limits = { ...NETWORK_LIMITS, ...options.limits };
    this.source = openSource(address, signal, limits, options);
    [this.#cache, this.#listener] = [options.cache, options.listener];
    this.#pool = new Pool(limits.parallel);
    this.#isReadable = options.isOffline !== true || this.source.isFolder;
  }

  /** The file at `path` as it is served now, or `undefined` when it is missing. */
  async file(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const { source } = this;
    const cached = await this.#cache?.document(source, path);
    if (cached !== undefined && !this.#isReadable) return cached.bytes;
    const { etag, lastModified } = cached?.validators ?? {};
    const validators = (etag ?? lastModified) === undefined ? undefined : cached?.validators;
    const answer = await this.#read(path, { maxBytes, isDigested: false, validators });
    if (answer === 'same') return cached?.bytes;
    if (answer !== undefined && !source.isFolder) {
      await this.#cache?.keepDocument(source, path, answer);
    }
    return answer?.bytes;
  }

  /** A file that never changes, which the caller proves and keeps with `keepProved`; `undefined` when it is missing. */
  async lasting(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const cached = await this.kept(path);
    if (cached !== undefined) return cached;
    const bytes = await this.#bytes(path, { maxBytes, isDigested: false });
    if (bytes !== undefined) this.#unproved.set(path, bytes);
    return bytes;
  }

  /** Keeps what `lasting` read: all of it is proved. */
  async keepProved(): Promise<void> {
    for (const [path, bytes] of this.#unproved) await this.keep(path, bytes);
    this.#unproved.clear();
  }

  /** What is kept under a name. */
  async kept(name: string): Promise<Uint8Array | undefined> {
    return (await this.#cache?.document(this.source, name))?.bytes;
  }

  /** Keeps bytes under a name, for this address alone. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    if (this.source.isFolder) return;
    await this.#cache?.keepDocument(this.source, name, { bytes, validators: {} });
  }

  /** The bytes with a digest, or `undefined` when the address does not have them. */
  async digested(wanted: Digested): Promise<Uint8Array | undefined> {
    const { path, sha256, maxBytes, wrong, isPassing = false } = wanted;
    const cached = await this.#cache?.blob(sha256);
    if (cached !== undefined) return cached;
    const bytes = await this.#bytes(path, { maxBytes, isDigested: true });
    if (bytes === undefined) return undefined;
    if (contentDigest(bytes) !== sha256) throw wrong(bytes, this.source.url(path));
    if (!isPassing && !this.source.isFolder) await this.#cache?.keepBlob(sha256, bytes);
    return bytes;
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.source.close();
    if (this.#cache !== undefined) await keepSmall(this.#cache.files, Date.now());
  }

  /** The error for what is not in the cache, where the address must not be read. */
  notKept(path: string): ClientError {
    const place = this.#cache === undefined ? 'there is no cache' : 'it is not in the cache';
    const problem = `Cannot read ${this.source.url(path)} with --offline: ${place}`;
    return new ClientError('ERR_NETWORK', problem, {
      hint: 'run the same command once without --offline, or name a folder that contains the index with --registry',
    });
  }

  async #bytes(path: string, limit: Limit): Promise<Uint8Array | undefined> {
    const answer = await this.#read(path, limit);
    return answer === 'same' ? undefined : answer?.bytes;
  }

  async #read(path: string, limit: Limit): ReturnType<Source['read']> {
    if (!this.#isReadable) throw this.notKept(path);
    const onBytes = this.#listener?.bytes;
    this.#listener?.begin();
    try {
      return await this.#pool.run(() => this.source.read(path, { ...limit, onBytes }));
    } finally {
      this.#listener?.end();
    }
  }
}

function openSource(
  address: string,
  signal: AbortSignal,
  limits: NetworkLimits,
  { credentials = new Credentials(), isLenient = false, isOffline = false }: SourceOptions,
): Source {
  try {
    const { base, folder, git } = parseRegistryAddress(address);
    if (folder !== undefined) return folderSource(base, folder);
    if (git !== undefined) return gitSource(base, git, isOffline, signal);
    return new HttpSource(base, credentials.of(base), limits, signal);
  } catch (error) {
    if (!isLenient || !(error instanceof ClientError)) throw error;
    return lazySource(address, async () => {
      throw new ClientError('ERR_NETWORK', error.message, error);
    });
  }
}

/** A registry in a git repository, whose index is generated in the cache before it is read. */
function gitSource(base: string, git: GitAddress, isOffline: boolean, signal: AbortSignal): Source {
  return lazySource(base, async () => {
    // Most commands read no registry of this kind.
    const { GitIndex } = await import('./git.ts');
    return new GitIndex(base, git, isOffline, signal).prepare();
  });
}

/** A folder that is made, or fails, when it is first read. */
function lazySource(base: string, make: () => Promise<string>): Source {
  let made: Promise<Source> | undefined;
  return {
    base,
    isFolder: true,
    secret: '',
    url: (path) => `${base} (${path})`,
    read: async (path, limit) => {
      made ??= make().then((folder) => folderSource(base, folder));
      return (await made).read(path, limit);
    },
    close: async () => {},
  };
}
