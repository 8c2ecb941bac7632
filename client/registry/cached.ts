/** Fetches bytes of a registry: from the cache if permitted, otherwise from its address. */
import { ClientError } from '../errors.ts';
import { contentDigest, type Cache, keepSmall } from './cache.ts';
import { type Requests, HttpSource } from './http.ts';
import {
  type Source,
  parseRegistryAddress,
  type NetworkLimits,
  type GitAddress,
  type Answer,
  type SourceRequest,
} from './source.ts';
import type { Credentials } from './credentials.ts';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RETIRED_FOLDER } from '../../format/index/layout.ts';

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
interface SourceOptions {
  readonly credentials: Credentials;
  readonly limits: NetworkLimits;
  readonly signal: AbortSignal;
  readonly mode: NetworkMode;
  /** Whether an address that cannot be used, such as a folder that is gone, fails only when it is read. */
  readonly isLenient: boolean;
}

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, unless it is lenient */
export function openSource(
  address: string,
  { credentials, limits, signal, isLenient, mode }: SourceOptions,
): Source {
  try {
    const { base, folder, git } = parseRegistryAddress(address);
    if (folder !== undefined) return new FolderSource(base, folder);
    if (git !== undefined) return new GitSource(base, git, mode, signal);
    return new HttpSource(base, credentials, limits, signal);
  } catch (error) {
    if (isLenient && error instanceof ClientError) return unusable(address, error);
    throw error;
  }
}

function unusable(base: string, { message, hint }: ClientError): Source {
  const error = new ClientError('ERR_NETWORK', message, hint === undefined ? {} : { hint });
  return {
    base,
    isFolder: false,
    secret: '',
    url: (path) => `${base}/${path}`,
    get: async () => ({ kind: 'failed', error, isFinal: true }),
    close: async () => {},
  };
}
/** A registry in a folder: an index as the generator writes it, for use without network and for tests. */
class FolderSource implements Source {
  readonly base: string;
  readonly isFolder = true;
  readonly secret = '';
  readonly #folder: string;

  constructor(base: string, folder: string) {
    this.base = base;
    this.#folder = folder;
  }

  url(path: string): string {
    return join(this.#folder, path);
  }

  async get(path: string, request: SourceRequest): Promise<Answer> {
    const answer = await this.#read(this.url(path), request);
    // The index may be that of a newer checkpoint meanwhile.
    return answer.kind === 'absent'
      ? this.#read(this.url(join(RETIRED_FOLDER, path)), request)
      : answer;
  }

  async #read(file: string, { maxBytes, onBytes }: SourceRequest): Promise<Answer> {
    try {
      // Checked first, because opening a pipe would block.
      const status = await stat(file);
      if (!status.isFile()) throw new Error('it is not a file');
      const { size } = status;
      if (size > maxBytes) throw new Error(`it has over ${maxBytes} bytes`);
      const handle = await open(file);
      try {
        const bytes = Buffer.alloc(size);
        const { bytesRead } = await handle.read(bytes, 0, size, 0);
        onBytes?.(bytesRead);
        return { kind: 'bytes', bytes: bytes.subarray(0, bytesRead), validators: {} };
      } finally {
        await handle.close();
      }
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
      const problem = cause instanceof Error ? cause.message : String(cause);
      const error = new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${file}: ${problem}`, {
        cause,
        hint: 'check the folder that --registry names',
      });
      return { kind: 'failed', error, isFinal: true };
    }
  }

  async close(): Promise<void> {}
}

/** A registry in a git repository, whose index is generated in the cache before it is read. */
class GitSource implements Source {
  readonly base: string;
  readonly isFolder = true;
  readonly secret = '';
  readonly #prepare: () => Promise<string>;
  #made: Promise<Source | ClientError> | undefined;

  constructor(base: string, git: GitAddress, mode: NetworkMode, signal: AbortSignal) {
    this.base = base;
    this.#prepare = async () => {
      // Most commands read no registry of this kind.
      const { GitIndex } = await import('./git.ts');
      return new GitIndex(base, git, mode, signal).prepare();
    };
  }

  url(path: string): string {
    return `${this.base} (${path})`;
  }

  async get(path: string, request: SourceRequest): Promise<Answer> {
    this.#made ??= this.#prepare().then(
      (folder) => new FolderSource(this.base, folder),
      (error: unknown) => {
        if (error instanceof ClientError) return error;
        throw error;
      },
    );
    const made = await this.#made;
    if (made instanceof ClientError) return { kind: 'failed', error: made, isFinal: true };
    return made.get(path, request);
  }

  async close(): Promise<void> {}
}
