/** What one run reads of a registry: the documents of one state of it, which its log proves; each is parsed and read once. */
import type { z } from 'zod';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { type RegistryInfo, statedOrigin } from '../../format/index/registry-info.ts';
import { parseDocument } from '../../format/document/document.ts';
import type { ClientError } from '../errors.ts';
import type { CachedSource } from './cached.ts';
import { checkLog, type LogTrust, type SignedLog } from './check-log.ts';
import {
  isLogError,
  keptName,
  logError,
  parse,
  parseInfo,
  Snapshot,
  tryParse,
  withEvidence,
} from './snapshot.ts';

/** What an answer must fulfil in addition to its schema. */
export interface DocumentChecks<Document> {
  readonly problemOf?: (document: Document, url: string) => Problem | Promise<Problem>;
  /** Compares it with the document that the same address had before. */
  readonly earlierProblem?: (
    document: Document,
    earlier: Document,
    url: string,
  ) => Problem | Promise<Problem>;
  /** Its SHA-256, where another document than the map of the log has it; `undefined` for none. */
  readonly digestOf?: () => Promise<string | undefined>;
  /** Called before the bytes are parsed. @throws {ClientError} */
  readonly checkBytes?: (bytes: Uint8Array) => void;
}

type Problem = ClientError | undefined;

/** What is known once the state is trusted. */
interface Trusted {
  /** `undefined` where nobody signs the log. */
  readonly signed: SignedLog | undefined;
  readonly info: RegistryInfo;
}

export class ProvedSource {
  readonly #cached: CachedSource;
  readonly #trust: LogTrust;
  /** Whether the state is read: without network it is what the cache has, which was proved when it was fetched. */
  readonly isProved: boolean;
  #found: Promise<Snapshot> | undefined;
  #trusted: Promise<Trusted> | undefined;
  /** What contradicts each other, if something does. */
  #sides: Readonly<Record<'origin' | 'served', string> & { kept: string | undefined }> | undefined;
  /** All readers in a run get the same document. */
  readonly #read = new Map<string, Promise<unknown>>();

  constructor(cached: CachedSource, trust: LogTrust, isOffline: boolean) {
    [this.#cached, this.#trust] = [cached, trust];
    this.isProved = !isOffline || cached.source.isFolder;
  }

  /**
   * @returns `undefined` for a document that this state of the registry does not have
   * @throws {ClientError} `ERR_LOG`, `ERR_REGISTRY_ANSWER`, `ERR_NETWORK`
   */
  read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    checks: DocumentChecks<z.infer<Schema>> = {},
  ): Promise<z.infer<Schema> | undefined> {
    const url = this.#cached.source.url(path);
    const check = async (bytes: Uint8Array): Promise<z.infer<Schema>> => {
      checks.checkBytes?.(bytes);
      const document = parse(schema, bytes, url);
      const problem = await checks.problemOf?.(document, url);
      if (problem !== undefined) throw problem;
      return document;
    };
    return this.#once(path, async () => {
      if (!this.isProved) return check(await this.#kept(path));
      return this.guard(async () => {
        const reading = this.#state().then(async (state) => {
          const digest = await (checks.digestOf?.() ?? state.digestOf(path));
          return digest === undefined ? undefined : state.document(path, digest);
        });
        // Whether the state is trusted is the first question.
        reading.catch(() => {});
        const { signed } = await this.#trustedState();
        const found = await reading;
        if (found === undefined) return undefined;
        const document = await check(found.bytes);
        // A log that is signed continues what was seen before.
        const earlier = signed === undefined ? found.earlier : undefined;
        const before = earlier && tryParse(() => parseDocument(schema, earlier, ''));
        const problem = before && (await checks.earlierProblem?.(document, before, url));
        if (problem !== undefined) throw problem;
        await found.keep();
        return document;
      });
    });
  }

  /** `registry.json`, as `read`. */
  info(): Promise<RegistryInfo> {
    return this.#once(REGISTRY_PATH, async () => {
      if (this.isProved) return this.use(async ({ info }) => info);
      return parseInfo(await this.#kept(REGISTRY_PATH), this.#cached.source.url(REGISTRY_PATH));
    });
  }

  has(path: string): boolean {
    return this.#read.has(path);
  }

  /** Calls `use` with what is proved. @throws {ClientError} as `guard` */
  use<Result>(use: (trusted: Trusted) => Promise<Result>): Promise<Result> {
    return this.guard(async () => {
      const result = await use(await this.#trustedState());
      await this.#cached.keepProved();
      return result;
    });
  }

  /** Calls `work`, and keeps the evidence where something contradicts the log. @throws {ClientError} `ERR_LOG` with its place */
  async guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isLogError(error)) throw error;
      const { origin, ...sides } = this.#sides ?? {};
      const evidence = origin && (await this.#trust.kept?.keepEvidence(origin, sides));
      throw withEvidence(error, evidence || undefined);
    }
  }

  /** Of which nothing is proved yet. */
  #state(): Promise<Snapshot> {
    return (this.#found ??= Snapshot.find(this.#cached));
  }

  #trustedState(): Promise<Trusted> {
    return (this.#trusted ??= this.#check());
  }

  async #check(): Promise<Trusted> {
    const state = await this.#state();
    const isInLog = state.requireMapInLog();
    isInLog.catch(() => {});
    const digest = await state.digestOf(REGISTRY_PATH);
    if (digest === undefined) throw logError(`its map has no ${REGISTRY_PATH}`);
    const { bytes, keep } = await state.document(REGISTRY_PATH, digest);
    const { source } = this.#cached;
    const info = parseInfo(bytes, source.url(REGISTRY_PATH));
    const origin = statedOrigin(info, source.base);
    const before = await this.#trust.kept?.read(origin);
    this.#sides = { origin, kept: before?.note, served: state.pointer.note };
    const signed = await checkLog(state, info, {
      trust: this.#trust,
      base: source.base,
      origin,
      before,
    });
    await isInLog;
    await Promise.all([keep(), this.#cached.keepProved()]);
    await signed?.keep(this.#trust.kept, info);
    return { signed, info };
  }

  async #kept(path: string): Promise<Uint8Array> {
    const bytes = await this.#cached.kept(keptName(path));
    if (bytes === undefined) throw this.#cached.notKept(path);
    return bytes;
  }

  #once<Document>(path: string, read: () => Promise<Document>): Promise<Document> {
    const known = this.#read.get(path) as Promise<Document> | undefined;
    const reading = known ?? read();
    this.#read.set(path, reading);
    return reading;
  }
}
