/** Reads one registry: its documents, parsed, and its tarballs, verified. */
import type { z } from 'zod';
import { integrityOf, hexOfIntegrity } from '../../format/archive/integrity.ts';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import {
  CATALOG_PATH,
  documentPath,
  headPath,
  ownerPath,
  recordPath,
  shardPath,
  tarballPath,
} from '../../format/index/layout.ts';
import { expandHead, HeadChunk, HeadDocument } from '../../format/index/head-document.ts';
import {
  Catalog,
  type Head,
  type HeadVersion,
  PackageRecord,
  withdrawnProblem,
} from '../../format/index/record.ts';
import { OwnerInfo, type RegistryInfo } from '../../format/index/registry-info.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import { type DocumentChecks, Documents, RegistryLog } from './proved.ts';
import { HeadBudget, historyProblem, type Pin, pinProblem } from './heads.ts';
import type { LogTrust } from './check-log.ts';
import { readNamed, parse } from './snapshot.ts';
import { logError } from './kept-logs.ts';
import type { Cache } from './cache.ts';
import { Credentials } from './credentials.ts';
import { badAnswer, Fetcher, type NetworkMode, openSource } from './cached.ts';
import { Requests, type TransferListener } from './http.ts';
import { NETWORK_LIMITS, type NetworkLimits } from './source.ts';
import { withFindings } from '../../format/finding/finding.ts';

export class Registry {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether its files are on this machine. */
  readonly isFolder: boolean;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  readonly #fetcher: Fetcher;
  /** Whether the network is not used. */
  readonly isOffline: boolean;
  /** Prints what the user should know about it. */
  readonly note: (line: string) => void;
  /** The state of it that this run reads. */
  readonly log: RegistryLog;
  /** Whether that state is read: without network it is what the cache has, which was proved when it was fetched. */
  readonly isProved: boolean;
  readonly #budget: HeadBudget;
  readonly #pins: ReadonlyMap<string, Pin>;
  readonly #documents: Documents;
  /** Heads by the document that they were read from. */
  readonly #heads = new WeakMap<HeadDocument, Promise<Head>>();
  readonly #versions = new Map<string, Promise<VersionDocument | undefined>>();

  /** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
  constructor(address: string, signal: AbortSignal, options: RegistryOptions = {}) {
    const { cache, mode = 'online', credentials = new Credentials(), listener } = options;
    this.note = options.note ?? (() => {});
    const limits = { ...NETWORK_LIMITS, ...options.limits };
    const { isLenient = false } = options;
    const source = openSource(address, { credentials, limits, signal, isLenient, mode });
    this.base = source.base;
    this.isFolder = source.isFolder;
    this.isLocal =
      source.base.startsWith('file:') ||
      (URL.canParse(source.base) && isLoopback(new URL(source.base)));
    this.isOffline = mode === 'offline';
    this.#budget = new HeadBudget(options.headLimits);
    this.#pins = options.pins ?? new Map();
    const requests = new Requests(source, limits, signal, listener);
    this.#fetcher = new Fetcher(source, requests, cache, mode);
    this.log = new RegistryLog(options.log ?? {}, this.#fetcher);
    this.isProved = !this.isOffline || this.isFolder;
    this.#documents = new Documents(this.#fetcher, this.log, !this.isProved);
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

  /** The registry's own description. @throws {ClientError} `ERR_REGISTRY_ANSWER`, `ERR_LOG`, `ERR_NETWORK` */
  async info(): Promise<RegistryInfo> {
    return this.#documents.info();
  }

  /** The same; `null` when it is not known without network. */
  knownInfo(): Promise<RegistryInfo | null> {
    return this.info().catch((error: unknown) => {
      const isUnknown = this.isOffline && hasCode(error, 'ERR_NETWORK');
      if (!isUnknown) throw error;
      return null;
    });
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
        if (!this.isOffline || !hasCode(error, 'ERR_NETWORK')) throw error;
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
    const document = await this.document(HeadDocument, path, {
      problemOf: async (found, url) => {
        if (found.id !== id) return otherBuild(url, found.id);
        const head = await this.#whole(found);
        this.#budget.required(id, head.versions);
        return pinProblem(head, this.#pins.get(id), url);
      },
      earlierProblem: async (found, earlier, url) => {
        const before = await this.#whole(earlier).catch((error: unknown) => {
          // A registry keeps older documents for a while.
          if (!hasCode(error, 'ERR_REGISTRY_ANSWER')) throw error;
          return expandHead(earlier, []);
        });
        return historyProblem(await this.#whole(found), before, url);
      },
      checkBytes: (bytes) => this.#budget.read(id, bytes.length),
    });
    return document && this.#whole(document);
  }

  /** A head with the versions that have documents of their own. */
  #whole(document: HeadDocument): Promise<Head> {
    const known = this.#heads.get(document);
    if (known !== undefined) return known;
    const { id, older = [] } = document;
    const reading = older.map(async (sha256) => {
      const bytes = await this.#digested(sha256, `the head of "${id}"`);
      this.#budget.read(id, bytes.length);
      return parse(HeadChunk, bytes, documentPath(sha256));
    });
    const whole = Promise.all(reading).then((chunks) => expandHead(document, chunks));
    this.#heads.set(document, whole);
    return whole;
  }

  /** The document with the digest that `by` names. @throws {ClientError} `ERR_LOG`, `ERR_REGISTRY_ANSWER` */
  async #digested(sha256: string, by: string): Promise<Uint8Array> {
    const path = documentPath(sha256);
    const wrong = (_: Uint8Array, url: string): ClientError =>
      logError(`${url} has another digest than ${by} names`);
    const maxBytes = MAX_DOCUMENT_BYTES;
    const bytes = await this.#fetcher.digested({ path, sha256, maxBytes, wrong });
    if (bytes !== undefined) return bytes;
    throw badAnswer(`${this.base}/${path}`, `${by} names it and it is missing`);
  }

  /** The package record that shows a version; README and guide of others than the latest are in the tarball. */
  async record(id: string, listed: HeadVersion): Promise<PackageRecord | undefined> {
    const latest = await this.document(PackageRecord, recordPath(id), {
      problemOf: (record, url) => (record.id === id ? undefined : otherBuild(url, record.id)),
      digestOf: this.inHead(id, (head) => head.documents?.record),
    });
    if (latest === undefined || listed.version === latest.version) return latest;
    const shown = await this.version(id, listed.version);
    return shown && recordOfVersion(latest, shown, listed);
  }

  /** What is fixed with the publication of `version`; `undefined` for one that the head does not list. */
  async version(id: string, version: string): Promise<VersionDocument | undefined> {
    const key = `${id}@${version}`;
    const reading = this.#versions.get(key) ?? this.#readVersion(id, version);
    this.#versions.set(key, reading);
    return reading;
  }

  async #readVersion(id: string, version: string): Promise<VersionDocument | undefined> {
    const listed = (await this.head(id))?.versions.find((one) => one.version === version);
    if (listed?.document === undefined) return undefined;
    const sha256 = hexOfIntegrity(listed.document);
    const bytes = await this.#digested(sha256, `the head of "${id}"`);
    return parse(VersionDocument, bytes, `the document of "${id}" ${version}`);
  }

  /** Finds the digest of a document about a build in its head. */
  inHead(id: string, pick: (head: Head) => string | undefined): () => Promise<string | undefined> {
    return async () => {
      const head = await this.head(id);
      const integrity = head === undefined ? undefined : pick(head);
      return integrity && hexOfIntegrity(integrity);
    };
  }

  /** The list of the shards; `undefined` when the registry has no catalog. */
  async catalog(): Promise<Catalog | undefined> {
    return this.document(Catalog, CATALOG_PATH, { problemOf: () => undefined });
  }

  /** A shard of the catalog; `schema` may leave summaries out. @throws {ClientError} `ERR_LOG`, `ERR_REGISTRY_ANSWER` */
  async shard<Shard>(sha256: string, schema: z.ZodType<Shard>): Promise<Shard> {
    const path = shardPath(sha256);
    const bytes = await this.log.guard(() =>
      readNamed(this.#fetcher, { path, sha256, maxBytes: MAX_DOCUMENT_BYTES }),
    );
    return parse(schema, bytes, path);
  }

  /**
   * The bytes of a tarball, which have the requested digest.
   * @throws {ClientError} `ERR_INTEGRITY`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`; `ERR_VERSION_NOT_FOUND` when it was withdrawn
   */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    const sha256 = hexOfIntegrity(integrity);
    const path = tarballPath(id, version);
    const wrong = (found: Uint8Array, url: string): ClientError =>
      otherTarball({ id, version, integrity }, found, url);
    const maxBytes = MAX_TARBALL_BYTES;
    const bytes = await this.#fetcher.digested({ path, sha256, maxBytes, wrong });
    if (bytes !== undefined) return bytes;
    throw missingTarball(await this.head(id), version, `${this.base}/${path}`);
  }

  /** Any file of the index, as it is served, which the caller proves; `undefined` where there is none. */
  async indexFile(path: string): Promise<Uint8Array | undefined> {
    return this.#fetcher.file(path, MAX_TARBALL_BYTES);
  }

  /** Whether its log is signed. @throws {ClientError} as `info` */
  async isSigned(): Promise<boolean> {
    return this.log.use(async ({ signed }) => signed !== undefined);
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** A JSON document of the index, read once per run. */
  document<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    checks: DocumentChecks<z.infer<Schema>>,
  ): Promise<z.infer<Schema> | undefined> {
    return this.#documents.read(schema, path, checks);
  }
}

function hasCode(error: unknown, code: ClientError['code']): boolean {
  return error instanceof ClientError && error.code === code;
}

function otherBuild(url: string, id: string): ClientError {
  return badAnswer(url, `it is of "${id}"`);
}

/** How a registry is read. */
export interface RegistryOptions {
  readonly limits?: Partial<NetworkLimits>;
  readonly cache?: Cache | undefined;
  readonly mode?: NetworkMode;
  readonly credentials?: Credentials;
  /** By build id. */
  readonly pins?: ReadonlyMap<string, Pin>;
  /** Prints a line that the user should know. */
  readonly note?: (line: string) => void;
  readonly listener?: TransferListener | undefined;
  readonly headLimits?: NonNullable<ConstructorParameters<typeof HeadBudget>[0]>;
  /** Whom the user trusts about its log; without it whoever signs it. */
  readonly log?: LogTrust | undefined;
  /** Whether an address that cannot be used fails only when it is read. */
  readonly isLenient?: boolean;
}

/** The bytes `found` at `url` are not those that the head lists. */
function otherTarball(
  { id, version, integrity }: Readonly<Record<'id' | 'version' | 'integrity', string>>,
  found: Uint8Array,
  url: string,
): ClientError {
  const what = isHtml(found) ? 'an HTML page' : integrityOf(found);
  return new ClientError(
    'ERR_INTEGRITY',
    `Cannot use "${id}" ${version}: the tarball from ${url} is ${what}, not ${integrity}`,
    {
      hint: 'the download was altered or cut, or a login page answers instead; try again, and report it to the registry if it happens again',
    },
  );
}

/** The tarball at `url` is missing: that of a withdrawn version is gone permanently. */
function missingTarball(head: Head | undefined, version: string, url: string): ClientError {
  const withdrawn = head && withdrawnProblem(head, version);
  if (withdrawn === undefined) return badAnswer(url, 'the head lists it and it is missing');
  return new ClientError('ERR_VERSION_NOT_FOUND', withdrawn.text, { hint: withdrawn.hint });
}

/** Whether an answer is a page for people, such as that of a login, and not a file of an index. */
function isHtml(bytes: Uint8Array): boolean {
  return /^\s*<(?:!doctype|html|head|body)/i.test(Buffer.from(bytes.subarray(0, 200)).toString());
}
/**
 * The record that shows another version than the latest, without its texts.
 * @param record of the build
 * @param listed the version in the head, which has what was found later
 */
export function recordOfVersion(
  record: PackageRecord,
  shown: VersionDocument,
  { risk, findings = [] }: HeadVersion,
): PackageRecord {
  const { capabilities: _, provenance, size: _size, ...fixed } = shown;
  const { kind, description, keywords = [], license, stack, repository } = fixed.manifest;
  const isOfRegistry =
    record.manifest.repository === undefined && !record.repository.startsWith(TREE);
  const source = isOfRegistry ? record.repository : `${TREE}${provenance.predicate.entry.tree}`;
  return {
    ...record,
    ...fixed,
    readme: '',
    integration: '',
    kind,
    description,
    keywords,
    requires: stack?.requires ?? {},
    provides: stack?.provides ?? [],
    license,
    repository: repository ?? source,
    risk,
    quality: fixed.checks.quality,
    checks: { ...fixed.checks, risk, findings: [...withFindings(fixed.checks.findings, findings)] },
  };
}

/** The SWHID of a folder (ISO/IEC 18670) begins so. */
const TREE = 'swh:1:dir:';
