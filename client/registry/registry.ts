/** Reads one registry: its documents, parsed, and its tarballs, verified. */
import type { z } from 'zod';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { Catalog, CatalogShard } from '../../format/index/catalog.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { Head } from '../../format/index/head.ts';
import { integrityOf, parseIntegrity } from '../../format/archive/integrity.ts';
import {
  CATALOG_PATH,
  REGISTRY_PATH,
  headPath,
  recordPath,
  shardPath,
  tarballPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import { PackageRecord } from '../../format/index/record.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { ClientError } from '../errors.ts';
import type { Cache } from './network/cache.ts';
import type { NetworkMode } from './network/fetcher.ts';
import { Fetcher, badAnswer } from './network/fetcher.ts';
import { FolderSource } from './network/folder-source.ts';
import { HttpSource } from './network/http-source.ts';
import type { TransferListener } from './network/mirrors.ts';
import { Mirrors } from './network/mirrors.ts';
import type { NetworkLimits } from './network/network-limits.ts';
import { NETWORK_LIMITS } from './network/network-limits.ts';
import { parseRegistryAddress } from './network/registry-address.ts';
import { RegistryHeaders } from './network/registry-headers.ts';
import type { Source } from './network/source.ts';

const ALTERED =
  'the download was altered or cut, or a login page answers instead; try again, and report it to the registry if it happens again';

/** An installed version, whose digest no address may change. */
export interface Pin {
  readonly version: string;
  readonly integrity: string;
}

export interface RegistryOptions {
  readonly limits?: Partial<NetworkLimits>;
  readonly cache?: Cache | undefined;
  readonly mode?: NetworkMode;
  readonly headers?: RegistryHeaders;
  /** By build id. */
  readonly pins?: ReadonlyMap<string, Pin>;
  readonly listener?: TransferListener | undefined;
}

export class Registry {
  /** The first address, without `/` at the end. */
  readonly base: string;
  readonly #isFolder: boolean;
  readonly #fetcher: Fetcher;
  readonly #pins: ReadonlyMap<string, Pin>;
  /** Each document is read once per run, so that all readers get the same one. */
  readonly #documents = new Map<string, Promise<unknown>>();

  /**
   * @param addresses of the same registry, at least one
   * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
   */
  constructor(addresses: readonly string[], signal: AbortSignal, options: RegistryOptions = {}) {
    const { cache, mode = 'online', headers = new RegistryHeaders(''), listener } = options;
    const limits = { ...NETWORK_LIMITS, ...options.limits };
    const sources = addresses.map(parseRegistryAddress).map(({ base, folder }): Source => {
      if (folder !== undefined) return new FolderSource(base, folder);
      return new HttpSource(base, headers, limits, signal);
    });
    const [first] = sources;
    if (first === undefined) throw new RangeError('A registry has at least one address');
    this.base = first.base;
    this.#isFolder = first.isFolder;
    this.#pins = options.pins ?? new Map();
    const usable = mode === 'offline' ? sources.filter((source) => source.isFolder) : sources;
    const mirrors = new Mirrors(usable, limits, signal, listener);
    this.#fetcher = new Fetcher(sources, mirrors, cache, mode);
  }

  /**
   * The registry's name in a lock: the first address. A folder exists on this machine only, so its name is
   * the one that the lock already has, otherwise the public address in its index.
   */
  async lockName(locked: string | undefined): Promise<string> {
    if (!this.#isFolder) return this.base;
    if (locked !== undefined) return locked;
    const info = await this.info();
    const published = info?.base_url ?? '';
    return published.startsWith('https:') ? parseRegistryAddress(published).base : this.base;
  }

  /** The registry's own description; `undefined` if it has none. */
  async info(): Promise<RegistryInfo | undefined> {
    return this.#document(RegistryInfo, REGISTRY_PATH, () => undefined);
  }

  /** The head of a build, or `undefined` when the registry has no such build. */
  async head(id: string): Promise<Head | undefined> {
    return this.#document(Head, headPath(id), (head, url) => {
      return head.id === id ? this.#pinProblem(head, url) : otherBuild(url, head.id);
    });
  }

  /** The package record that shows `version`, by default the latest one. */
  async record(id: string, version?: string): Promise<PackageRecord | undefined> {
    const path = version === undefined ? recordPath(id) : versionRecordPath(id, version);
    return this.#document(PackageRecord, path, (record, url) => {
      return record.id === id ? undefined : otherBuild(url, record.id);
    });
  }

  /** The list of the shards; `undefined` when the registry has no catalog. */
  async catalog(): Promise<Catalog | undefined> {
    return this.#document(Catalog, CATALOG_PATH, () => undefined);
  }

  /** The next `catalog()` reads again: a missing shard means that there is a newer catalog. */
  forgetCatalog(): void {
    this.#documents.delete(CATALOG_PATH);
  }

  /** A shard of the catalog, or `undefined` when no address has it. */
  async shard(sha256: string): Promise<CatalogShard | undefined> {
    const path = shardPath(sha256);
    const bytes = await this.#fetcher.digested(path, sha256, MAX_DOCUMENT_BYTES, (_, url) =>
      badAnswer(url, 'its digest is not the one in its name'),
    );
    return bytes === undefined ? undefined : this.#parse(CatalogShard, bytes, path);
  }

  /**
   * The bytes of a tarball, which have the requested digest.
   * @throws {ClientError} `ERR_INTEGRITY`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
   */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    const sha256 = Buffer.from(parseIntegrity(integrity)).toString('hex');
    const path = tarballPath(id, version);
    const bytes = await this.#fetcher.digested(path, sha256, MAX_TARBALL_BYTES, (found, url) => {
      const what = isHtml(found) ? 'an HTML page' : integrityOf(found);
      return new ClientError(
        'ERR_INTEGRITY',
        `Cannot use "${id}" ${version}: the tarball from ${url} is ${what}, not ${integrity}`,
        { hint: ALTERED },
      );
    });
    if (bytes !== undefined) return bytes;
    throw badAnswer(`${this.base}/${path}`, 'the head lists it and it is missing');
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  #pinProblem({ id, versions }: Head, url: string): ClientError | undefined {
    const pin = this.#pins.get(id);
    const found = versions.find(({ version }) => version === pin?.version)?.integrity;
    if (pin === undefined || found === undefined || found === pin.integrity) return undefined;
    return new ClientError(
      'ERR_INTEGRITY',
      `Cannot use ${url}: it gives ${found} for "${id}" ${pin.version}, which is installed with ${pin.integrity}`,
      {
        hint: 'a published version never changes: do not trust this address, and report it to the registry',
      },
    );
  }

  #document<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    problemOf: (document: z.infer<Schema>, url: string) => ClientError | undefined,
  ): Promise<z.infer<Schema> | undefined> {
    const known = this.#documents.get(path) as Promise<z.infer<Schema> | undefined> | undefined;
    if (known !== undefined) return known;
    const reading = this.#fetcher.document(path, MAX_DOCUMENT_BYTES, (bytes, url) => {
      const document = this.#parse(schema, bytes, url);
      const problem = problemOf(document, url);
      if (problem !== undefined) throw problem;
      return document;
    });
    this.#documents.set(path, reading);
    return reading;
  }

  #parse<Schema extends z.ZodType>(
    schema: Schema,
    bytes: Uint8Array,
    url: string,
  ): z.infer<Schema> {
    try {
      return parseDocument(schema, bytes, url);
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw new ClientError('ERR_REGISTRY_ANSWER', cause.message, {
        cause,
        hint: `check that ${this.base} is the address of a Stackyard index`,
      });
    }
  }
}

function otherBuild(url: string, id: string): ClientError {
  return badAnswer(url, `it is of "${id}"`);
}

function isHtml(bytes: Uint8Array): boolean {
  return /^\s*<(?:!doctype|html|head|body)/i.test(Buffer.from(bytes.subarray(0, 200)).toString());
}
