/** Reads one registry: its documents, parsed, and its tarballs, verified. */
import type { z } from 'zod';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { Catalog } from '../../format/index/catalog.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { Head } from '../../format/index/head.ts';
import { parseIntegrity } from '../../format/archive/integrity.ts';
import {
  CATALOG_PATH,
  REGISTRY_PATH,
  headPath,
  ownerPath,
  recordPath,
  shardPath,
  tarballPath,
  capabilitiesPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import { PackageRecord } from '../../format/index/record.ts';
import { OwnerInfo, RegistryInfo } from '../../format/index/registry-info.ts';
import { Capabilities } from '../../format/index/capabilities.ts';
import type { LanguageNeed } from '../../format/index/capabilities.ts';
import { ClientError } from '../errors.ts';
import { missingTarball, otherTarball } from './bad-tarball.ts';
import { checkInterface } from './check-interface.ts';
import { HeadBudget } from './head-budget.ts';
import type { Pin } from './head-history.ts';
import { historyProblem, pinProblem } from './head-history.ts';
import type { NetworkMode } from './network/fetcher.ts';
import { Fetcher, badAnswer } from './network/fetcher.ts';
import { Mirrors } from './network/mirrors.ts';
import { NETWORK_LIMITS } from './network/network-limits.ts';
import { isLoopback } from './network/registry-address.ts';
import type { RegistryOptions } from './registry-options.ts';
import { openSource } from './network/open-source.ts';
import { RegistryHeaders } from './network/registry-headers.ts';

export class Registry {
  /** The first address, without `/` at the end. */
  readonly base: string;
  /** Whether the first address is a folder. */
  readonly isFolder: boolean;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  readonly #fetcher: Fetcher;
  /** Whether the network is not used. */
  readonly isOffline: boolean;
  /** Prints what the user should know about it. */
  readonly note: (line: string) => void;
  readonly #mode: NetworkMode;
  readonly #budget: HeadBudget;
  readonly #pins: ReadonlyMap<string, Pin>;
  /** Each document is read once per run, so that all readers get the same one. */
  readonly #documents = new Map<string, Promise<unknown>>();

  /**
   * @param addresses of the same registry, at least one
   * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
   */
  constructor(addresses: readonly string[], signal: AbortSignal, options: RegistryOptions = {}) {
    const { cache, mode = 'online', headers = new RegistryHeaders(''), listener } = options;
    this.note = options.note ?? (() => {});
    const limits = { ...NETWORK_LIMITS, ...options.limits };
    const { isLenient = false } = options;
    const sources = addresses.map((address) => {
      return openSource(address, { headers, limits, signal, isLenient });
    });
    const [first] = sources;
    if (first === undefined) throw new RangeError('A registry has at least one address');
    this.base = first.base;
    this.isFolder = first.isFolder;
    this.isLocal = first.isFolder || (URL.canParse(first.base) && isLoopback(new URL(first.base)));
    [this.#mode, this.isOffline] = [mode, mode === 'offline'];
    this.#budget = new HeadBudget(options.headLimits);
    this.#pins = options.pins ?? new Map();
    const usable = mode === 'offline' ? sources.filter((source) => source.isFolder) : sources;
    const mirrors = new Mirrors(usable, limits, signal, listener);
    this.#fetcher = new Fetcher(sources, mirrors, cache, mode);
  }

  /** Whether it has builds of an owner. @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
  async hasOwner(owner: string): Promise<boolean> {
    const info = await this.document(OwnerInfo, ownerPath(owner), {
      problemOf: (found, url) => {
        return found.owner === owner ? undefined : badAnswer(url, `it is of "${found.owner}"`);
      },
    });
    return info !== undefined && info.builds.length > 0;
  }

  /** The registry's own description; `undefined` if it has none. */
  async info(): Promise<RegistryInfo | undefined> {
    return this.document(RegistryInfo, REGISTRY_PATH, {
      problemOf: () => undefined,
      checkBytes: checkInterface,
    });
  }

  /** The description; `undefined` if it has none, `null` when that is not known without network. */
  knownInfo(): Promise<RegistryInfo | undefined | null> {
    return this.info().catch((error: unknown) => {
      const isUnknown = this.#mode !== 'online' && hasCode(error, 'ERR_NETWORK');
      if (!isUnknown) throw error;
      return null;
    });
  }

  /**
   * Checks that the address holds an index of a known interface. Without network nothing can be checked.
   * @throws {ClientError} `ERR_REGISTRY_ANSWER`, `ERR_NETWORK`
   */
  async checkIndex(): Promise<void> {
    if ((await this.knownInfo()) !== undefined) return;
    throw badAnswer(
      `${this.base}/${REGISTRY_PATH}`,
      'it is missing, so the address holds no index',
      `check that ${this.base} is the address of a Stackyard index`,
    );
  }

  /**
   * Checks that the registry has the installed version of each build, unchanged.
   * @param only the installed builds that come from this registry
   * @throws {ClientError} `ERR_ROLLBACK`, `ERR_INTEGRITY`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
   */
  async checkInstalled(only: Iterable<string> = this.#pins.keys()): Promise<void> {
    const ids = [...only].sort();
    const reading = ids.map((id) =>
      this.head(id).catch((error: unknown) => {
        if (this.#mode !== 'offline' || !hasCode(error, 'ERR_NETWORK')) throw error;
      }),
    );
    // The first in order, whichever failed first.
    const failed = (await Promise.allSettled(reading)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** The head of a build, or `undefined` when the registry has no such build. */
  async head(id: string): Promise<Head | undefined> {
    const path = headPath(id);
    if (!this.#documents.has(path)) this.#budget.begin(id);
    return this.document(Head, path, {
      problemOf: (head, url) => {
        if (head.id !== id) return otherBuild(url, head.id);
        this.#budget.required(id, head.versions);
        return pinProblem(head, this.#pins.get(id), url);
      },
      earlierProblem: historyProblem,
      checkBytes: (bytes) => this.#budget.read(id, bytes.length),
    });
  }

  /** The package record that shows `version`, by default the latest one. */
  async record(id: string, version?: string): Promise<PackageRecord | undefined> {
    const path = version === undefined ? recordPath(id) : versionRecordPath(id, version);
    return this.document(PackageRecord, path, {
      problemOf: (record, url) => (record.id === id ? undefined : otherBuild(url, record.id)),
    });
  }

  /** What the code of `version` needs of its language; empty where the registry did not derive it. */
  async languageNeeds(id: string, version: string): Promise<readonly LanguageNeed[]> {
    const document = await this.document(Capabilities, capabilitiesPath(id, version), {
      problemOf: (found, url) => (found.id === id ? undefined : otherBuild(url, found.id)),
    });
    return document?.language ?? [];
  }

  /** The list of the shards; `undefined` when the registry has no catalog. */
  async catalog(): Promise<Catalog | undefined> {
    return this.document(Catalog, CATALOG_PATH, { problemOf: () => undefined });
  }

  /** The next `catalog()` reads again: a missing shard means that there is a newer catalog. */
  forgetCatalog(): void {
    this.#documents.delete(CATALOG_PATH);
  }

  /** A shard of the catalog, or `undefined` when no address has it; `schema` may leave summaries out. */
  async shard<Shard>(sha256: string, schema: z.ZodType<Shard>): Promise<Shard | undefined> {
    const path = shardPath(sha256);
    const bytes = await this.#fetcher.digested(path, sha256, MAX_DOCUMENT_BYTES, (_, url) =>
      badAnswer(url, 'its digest is not the one in its name'),
    );
    return bytes === undefined ? undefined : this.#parse(schema, bytes, path);
  }

  /**
   * The bytes of a tarball, which have the requested digest.
   * @throws {ClientError} `ERR_INTEGRITY`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`; `ERR_VERSION_NOT_FOUND` when it was withdrawn
   */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    const sha256 = Buffer.from(parseIntegrity(integrity)).toString('hex');
    const path = tarballPath(id, version);
    const bytes = await this.#fetcher.digested(path, sha256, MAX_TARBALL_BYTES, (found, url) =>
      otherTarball({ id, version, integrity }, found, url),
    );
    if (bytes !== undefined) return bytes;
    throw missingTarball(await this.head(id), version, `${this.base}/${path}`);
  }

  /** A file of the log, or `undefined`; all but the checkpoint never change, and are taken from the cache. */
  async logFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const isLasting = path !== 'checkpoint';
    return this.#fetcher.document(`log/${path}`, maxBytes, (bytes) => bytes, { isLasting });
  }

  /** Any file of the index, as it is served; `undefined` where there is none. */
  async indexFile(path: string): Promise<Uint8Array | undefined> {
    return this.#fetcher.document(path, MAX_TARBALL_BYTES, (bytes) => bytes);
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** A JSON document of the index, read once per run. */
  document<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    { problemOf, earlierProblem, checkBytes }: DocumentChecks<z.infer<Schema>>,
  ): Promise<z.infer<Schema> | undefined> {
    const known = this.#documents.get(path) as Promise<z.infer<Schema> | undefined> | undefined;
    if (known !== undefined) return known;
    const check = (bytes: Uint8Array, url: string): z.infer<Schema> => {
      checkBytes?.(bytes, url);
      const document = this.#parse(schema, bytes, url);
      const problem = problemOf(document, url);
      if (problem !== undefined) throw problem;
      return document;
    };
    const checkEarlier = (document: z.infer<Schema>, earlier: Uint8Array, url: string): void => {
      const before = tryParse(schema, earlier);
      const problem = before === undefined ? undefined : earlierProblem?.(document, before, url);
      if (problem !== undefined) throw problem;
    };
    const reading = this.#fetcher.document(path, MAX_DOCUMENT_BYTES, check, { checkEarlier });
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

/** What an answer must fulfil in addition to its schema. */
interface DocumentChecks<Document> {
  readonly problemOf: (document: Document, url: string) => ClientError | undefined;
  /** Compares it with the document that the same address had before. */
  readonly earlierProblem?: (
    document: Document,
    earlier: Document,
    url: string,
  ) => ClientError | undefined;
  /** Called before the bytes are parsed. @throws {ClientError} */
  readonly checkBytes?: (bytes: Uint8Array, url: string) => void;
}

/** A document of the cache; one that this version cannot read counts as missing. */
function tryParse<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.infer<Schema> | undefined {
  try {
    return parseDocument(schema, bytes, '');
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: ClientError['code']): boolean {
  return error instanceof ClientError && error.code === code;
}

function otherBuild(url: string, id: string): ClientError {
  return badAnswer(url, `it is of "${id}"`);
}
