/** Reads one registry: its documents, parsed, and its tarballs, verified. */
import type { z } from 'zod';
import { hexOfIntegrity, integrityOf } from '../../format/archive/integrity.ts';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { withFindings } from '../../format/finding/finding.ts';
import { expandHead, HeadChunk, HeadDocument } from '../../format/index/head-document.ts';
import {
  CATALOG_PATH,
  documentPath,
  headPath,
  ownerPath,
  recordPath,
  shardPath,
  tarballPath,
} from '../../format/index/layout.ts';
import {
  Catalog,
  type Head,
  type HeadVersion,
  PackageRecord,
  withdrawnProblem,
} from '../../format/index/record.ts';
import { OwnerInfo, type RegistryInfo, statedOrigin } from '../../format/index/registry-info.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import { CachedSource, type SourceOptions } from './cached.ts';
import type { LogTrust } from './check-log.ts';
import { HeadBudget, historyProblem, type Pin, pinProblem } from './heads.ts';
import { ProvedSource } from './proved.ts';
import { logError, parse, readNamed } from './snapshot.ts';
import { badAnswer, parseRegistryAddress } from './source.ts';

const OTHER_TARBALL =
  'the download was altered or cut, or a login page answers instead; try again, and report it to the registry if it happens again';

/** How a registry is read. */
export interface RegistryOptions extends SourceOptions {
  /** By build id. */
  readonly pins?: ReadonlyMap<string, Pin>;
  /** Tells the user what to know about it. */
  readonly note?: (line: string) => void;
  /** Whom the user trusts about its log; without it whoever signs it. */
  readonly log?: LogTrust | undefined;
}

export class Registry {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  /** Whether the network is not used. */
  readonly #isOffline: boolean;
  readonly note: (line: string) => void;
  /** The state of it that this run reads. */
  readonly proved: ProvedSource;
  readonly #cached: CachedSource;
  readonly #budget = new HeadBudget();
  readonly #pins: ReadonlyMap<string, Pin>;
  /** Heads by the document that they were read from. */
  readonly #heads = new WeakMap<HeadDocument, Promise<Head>>();
  readonly #versions = new Map<string, Promise<VersionDocument | undefined>>();

  /** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL` */
  constructor(address: string, signal: AbortSignal, options: RegistryOptions = {}) {
    this.note = options.note ?? (() => {});
    this.#isOffline = options.isOffline ?? false;
    this.#pins = options.pins ?? new Map();
    this.#cached = new CachedSource(address, signal, options);
    this.proved = new ProvedSource(this.#cached, options.log ?? {}, this.#isOffline);
    this.base = this.#cached.source.base;
    this.isLocal =
      this.base.startsWith('file:') || (URL.canParse(this.base) && isLoopback(new URL(this.base)));
  }

  /** Whether it has builds of an owner. @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
  async hasOwner(owner: string): Promise<boolean> {
    const info = await this.proved.read(OwnerInfo, ownerPath(owner), {
      problemOf: (found, url) => otherThan(owner, found.owner, url),
    });
    return info !== undefined && info.builds.length > 0;
  }

  /** The registry's own description. @throws {ClientError} `ERR_REGISTRY_ANSWER`, `ERR_LOG`, `ERR_NETWORK` */
  info(): Promise<RegistryInfo> {
    return this.proved.info();
  }

  /** The same; `null` when it is not known without network. */
  knownInfo(): Promise<RegistryInfo | null> {
    return this.info().catch((error: unknown) => {
      const isUnknown = this.#isOffline && hasCode(error, 'ERR_NETWORK');
      if (!isUnknown) throw error;
      return null;
    });
  }

  /**
   * Its name at all addresses: the one that it states, otherwise host and path of its address; `undefined` when
   * it is not known without network.
   * @throws {ClientError} as `info`
   */
  async origin(): Promise<string | undefined> {
    const info = await this.knownInfo();
    return info === null ? undefined : statedOrigin(info, this.base);
  }

  /**
   * The address for a lock: the first one. A folder exists on this machine only: it gets the public address that
   * its index states.
   * @throws {ClientError} as `info`
   */
  async lockAddress(): Promise<string> {
    if (!this.base.startsWith('file:')) return this.base;
    const published = (await this.knownInfo())?.base_url ?? '';
    return published.startsWith('https:') ? parseRegistryAddress(published).base : this.base;
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
        if (!this.#isOffline || !hasCode(error, 'ERR_NETWORK')) throw error;
      }),
    );
    // The first in order, whichever failed first.
    const failed = (await Promise.allSettled(reading)).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** The head of a build, or `undefined` when the registry has no such build. */
  async head(id: string): Promise<Head | undefined> {
    const path = headPath(id);
    if (!this.proved.has(path)) this.#budget.begin(id);
    const document = await this.proved.read(HeadDocument, path, {
      problemOf: async (found, url) => {
        const other = otherThan(id, found.id, url);
        if (other !== undefined) return other;
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
    const bytes = await this.#cached.digested({ path, sha256, maxBytes, wrong });
    if (bytes !== undefined) return bytes;
    throw badAnswer(`${this.base}/${path}`, `${by} names it and it is missing`);
  }

  /** The package record that shows a version; README and guide of others than the latest are in the tarball. */
  async record(id: string, listed: HeadVersion): Promise<PackageRecord | undefined> {
    const latest = await this.about(PackageRecord, recordPath(id), id, 'record');
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

  /**
   * A document about `id`: a build, whose head may name the digest of it, or an advisory.
   * @returns `undefined` where there is none
   * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`, `ERR_LOG`
   */
  about<Schema extends z.ZodType<{ readonly id: string }>>(
    schema: Schema,
    path: string,
    id: string,
    named?: keyof NonNullable<Head['documents']>,
  ): Promise<z.infer<Schema> | undefined> {
    const digestOf = async (): Promise<string | undefined> => {
      const integrity = named && (await this.head(id))?.documents?.[named];
      return integrity && hexOfIntegrity(integrity);
    };
    return this.proved.read(schema, path, {
      problemOf: (found, url) => otherThan(id, found.id, url),
      ...(named === undefined ? {} : { digestOf }),
    });
  }

  /** The list of the shards; `undefined` when the registry has no catalog. */
  async catalog(): Promise<Catalog | undefined> {
    return this.proved.read(Catalog, CATALOG_PATH);
  }

  /** A shard of the catalog; `schema` may leave summaries out. @throws {ClientError} `ERR_LOG`, `ERR_REGISTRY_ANSWER` */
  async shard<Shard>(sha256: string, schema: z.ZodType<Shard>): Promise<Shard> {
    const path = shardPath(sha256);
    const bytes = await this.proved.guard(() =>
      readNamed(this.#cached, { path, sha256, maxBytes: MAX_DOCUMENT_BYTES }),
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
    const wrong = (found: Uint8Array, url: string): ClientError => {
      const what = isHtml(found) ? 'an HTML page' : integrityOf(found);
      const problem = `Cannot use "${id}" ${version}: the tarball from ${url} is ${what}, not ${integrity}`;
      return new ClientError('ERR_INTEGRITY', problem, { hint: OTHER_TARBALL });
    };
    const maxBytes = MAX_TARBALL_BYTES;
    const bytes = await this.#cached.digested({ path, sha256, maxBytes, wrong });
    if (bytes !== undefined) return bytes;
    const head = await this.head(id);
    // That of a withdrawn version is gone permanently.
    const withdrawn = head && withdrawnProblem(head, version);
    if (withdrawn !== undefined)
      throw new ClientError('ERR_VERSION_NOT_FOUND', withdrawn.text, withdrawn);
    throw badAnswer(`${this.base}/${path}`, 'the head lists it and it is missing');
  }

  /** Any file of the index, as it is served, which the caller proves; `undefined` where there is none. */
  async indexFile(path: string): Promise<Uint8Array | undefined> {
    return this.#cached.file(path, MAX_TARBALL_BYTES);
  }

  /** Whether its log is signed. @throws {ClientError} as `info` */
  isSigned(): Promise<boolean> {
    return this.proved.use(async ({ signed }) => signed !== undefined);
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await this.#cached.close();
  }
}

function hasCode(error: unknown, code: ClientError['code']): boolean {
  return error instanceof ClientError && error.code === code;
}

function otherThan(wanted: string, found: string, url: string): ClientError | undefined {
  return found === wanted ? undefined : badAnswer(url, `it is of "${found}"`);
}

/** `undefined` where it is not known: what is optional never keeps the rest from being shown. */
export async function optional<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'ERR_LOG') throw error;
    return undefined;
  }
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
