/**
 * Reads one registry: its documents, parsed, and its tarballs, verified. There is a limit to heads, and each only grows.
 *
 *     Source (http, folder, git) -> CachedSource -> ProvedSource -> Registry -> Registries
 */
import type { z } from 'zod';
import { hexOfIntegrity, integrityOf } from '../../format/archive/integrity.ts';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { expandHead, HeadChunk, HeadDocument } from '../../format/index/head-document.ts';
import {
  CATALOG_PATH,
  documentPath,
  headPath,
  ownerPath,
  shardPath,
  tarballPath,
} from '../../format/index/layout.ts';
import { Catalog, type Head, goneProblem } from '../../format/index/record.ts';
import { OwnerInfo, type RegistryInfo, statedOrigin } from '../../format/index/registry-info.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import { CachedSource, type SourceOptions } from './cached.ts';
import type { LogTrust } from './check-log.ts';
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
      const bytes = await this.#ofHead(id, sha256);
      this.#budget.read(id, bytes.length);
      return parse(HeadChunk, bytes, documentPath(sha256));
    });
    const whole = Promise.all(reading).then((chunks) => expandHead(document, chunks));
    this.#heads.set(document, whole);
    return whole;
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
    const bytes = await this.#ofHead(id, sha256);
    return parse(VersionDocument, bytes, `the document of "${id}" ${version}`);
  }

  /** A document that the head of a build names. @throws {ClientError} `ERR_LOG`, `ERR_REGISTRY_ANSWER` */
  async #ofHead(id: string, sha256: string): Promise<Uint8Array> {
    const path = documentPath(sha256);
    const wrong = (_: Uint8Array, url: string): ClientError =>
      logError(`${url} has another digest than the head of "${id}" names`);
    const wanted = { path, sha256, maxBytes: MAX_DOCUMENT_BYTES, wrong };
    const bytes = await this.#cached.digested(wanted);
    if (bytes !== undefined) return bytes;
    throw badAnswer(`${this.base}/${path}`, `the head of "${id}" names it and it is missing`);
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
    const gone = head && goneProblem(head, version);
    if (gone !== undefined) throw new ClientError('ERR_VERSION_NOT_FOUND', gone.text, gone);
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

const MAX_HEADS = 2000;
/** Bytes of all heads of one command. */
const MAX_HEADS_BYTES = 64_000_000;
/** Builds at each end of a chain that a message names. */
const SHOWN = 4;

/** Bounds what one command reads of heads: a hostile registry could name ever more of them. */
class HeadBudget {
  /** By required build: the first build that requires it. */
  readonly #requirers = new Map<string, string>();
  #heads = 0;
  #bytes = 0;

  /** Counts the head of `id`, which is about to be read. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  begin(id: string): void {
    this.#heads += 1;
    if (this.#heads > MAX_HEADS) throw this.#tooMuch(id, `more than ${MAX_HEADS} builds`);
  }

  /** Counts the bytes of the head of `id`. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  read(id: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_HEADS_BYTES) return;
    throw this.#tooMuch(id, `more than ${MAX_HEADS_BYTES} bytes of heads`);
  }

  /** Records what the versions of `id` require, to name the chain. */
  required(id: string, versions: readonly { readonly builds: Readonly<object> }[]): void {
    for (const { builds } of versions) {
      for (const other of Object.keys(builds)) {
        if (!this.#requirers.has(other) && other !== id) this.#requirers.set(other, id);
      }
    }
  }

  #tooMuch(id: string, what: string): ClientError {
    const seen = new Set([id]);
    let at = this.#requirers.get(id);
    for (; at !== undefined && !seen.has(at); at = this.#requirers.get(at)) seen.add(at);
    const chain = [...seen].reverse();
    const cut = chain.length - 2 * SHOWN;
    const shown =
      cut > 0 ? [...chain.slice(0, SHOWN), `${cut} more`, ...chain.slice(-SHOWN)] : chain;
    const problem = `Cannot resolve: this needs ${what}, by the requirements ${shown.join(' > ')}`;
    return new ClientError('ERR_RESOLVE_LIMIT', problem, {
      hint: `report "${chain[0]}" to the registry, or choose another version of it`,
    });
  }
}

const NEVER = 'do not trust this address, and report it to the registry';
const SAME_ADDRESS = `a published version never changes: ${NEVER}; if it serves another registry on purpose, run "stackyard cache clean"`;
const INSTALLED_HINT = `a published version is never removed: ${NEVER}; if you chose another registry on purpose, remove the build and add it again`;

/** An installed version, whose digest no address may change. */
interface Pin {
  readonly version: string;
  readonly integrity: string;
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` contradicts the installed version. */
function pinProblem(
  { id, versions }: Head,
  pin: Pin | undefined,
  url: string,
): ClientError | undefined {
  if (pin === undefined) return undefined;
  const found = versions.find(({ version }) => version === pin.version)?.integrity;
  if (found === pin.integrity) return undefined;
  if (found === undefined) {
    const problem = `Cannot use ${url}: "${id}" ${pin.version}, which is installed, is missing`;
    return new ClientError('ERR_ROLLBACK', problem, { hint: INSTALLED_HINT });
  }
  const problem = `Cannot use ${url}: it gives ${found} for "${id}" ${pin.version}, which is installed with ${pin.integrity}`;
  return new ClientError('ERR_INTEGRITY', problem, {
    hint: `a published version never changes: ${NEVER}`,
  });
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` misses or changes a version of `earlier`. */
function historyProblem(head: Head, earlier: Head, url: string): ClientError | undefined {
  const found = new Map(head.versions.map(({ version, integrity }) => [version, integrity]));
  for (const { version, integrity } of earlier.versions) {
    const now = found.get(version);
    if (now === integrity) continue;
    const isMissing = now === undefined;
    const problem = isMissing ? 'is missing' : `is ${now}, and was ${integrity}`;
    return new ClientError(
      isMissing ? 'ERR_ROLLBACK' : 'ERR_INTEGRITY',
      `Cannot use ${url}: "${head.id}" ${version}, which it had before, ${problem}`,
      { hint: SAME_ADDRESS },
    );
  }
  return undefined;
}
