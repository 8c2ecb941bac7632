/** The state of a registry that one run reads, and what its log proves. */
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import type { Fetcher } from './cached.ts';
import { parseInfo, Snapshot, keptName, parse, tryDocument } from './snapshot.ts';
import { checkLog, type LogTrust, type Sides, type SignedLog } from './check-log.ts';
import { isLogError, logError, withEvidence } from './kept-logs.ts';
import type { z } from 'zod';
import type { ClientError } from '../errors.ts';

/** What is known once the state is trusted. */
interface Trusted {
  /** `undefined` where nobody signs the log. */
  readonly signed: SignedLog | undefined;
  readonly info: RegistryInfo;
}

export class RegistryLog {
  readonly #trust: LogTrust;
  readonly #fetcher: Fetcher;
  #found: Promise<Snapshot> | undefined;
  #trusted: Promise<Trusted> | undefined;
  /** What contradicts each other, if something does. */
  #sides: Sides | undefined;

  constructor(trust: LogTrust, fetcher: Fetcher) {
    [this.#trust, this.#fetcher] = [trust, fetcher];
  }

  /** The state, of which nothing is proved yet. @throws {ClientError} as `Snapshot.find` */
  found(): Promise<Snapshot> {
    return (this.#found ??= Snapshot.find(this.#fetcher));
  }

  /** What is proved, for callers within `guard`. @throws {ClientError} `ERR_LOG`, and those of `found` */
  trusted(): Promise<Trusted> {
    return (this.#trusted ??= this.#check());
  }

  /** Calls `use` with what is proved. @throws {ClientError} as `guard` */
  use<Result>(use: (log: Trusted) => Promise<Result>): Promise<Result> {
    return this.guard(async () => {
      const result = await use(await this.trusted());
      await this.#fetcher.keepProved();
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

  async #check(): Promise<Trusted> {
    const state = await this.found();
    const isInLog = state.requireMapInLog();
    isInLog.catch(() => {});
    const digest = await state.digestOf(REGISTRY_PATH);
    if (digest === undefined) throw logError(`its map has no ${REGISTRY_PATH}`);
    const { bytes, keep } = await state.document(REGISTRY_PATH, digest);
    const info = parseInfo(bytes, this.#fetcher.url(REGISTRY_PATH));
    const { base } = this.#fetcher;
    const onRead = (sides: Sides): void => void (this.#sides = sides);
    const signed = await checkLog({ trust: this.#trust, base, state, info, onRead });
    await isInLog;
    await Promise.all([keep(), this.#fetcher.keepProved()]);
    await signed?.keep(this.#trust.kept, info);
    return { signed, info };
  }
}
/** What an answer must fulfil in addition to its schema. */
export interface DocumentChecks<Document> {
  readonly problemOf: (document: Document, url: string) => Problem | Promise<Problem>;
  /** Compares it with the document that the same address had before. */
  readonly earlierProblem?: (
    document: Document,
    earlier: Document,
    url: string,
  ) => Problem | Promise<Problem>;
  /** Its SHA-256, where another document than the map of the log has it; `undefined` for none. */
  readonly digestOf?: () => Promise<string | undefined>;
  /** Called before the bytes are parsed. @throws {ClientError} */
  readonly checkBytes?: (bytes: Uint8Array, url: string) => void;
}

type Problem = ClientError | undefined;

export class Documents {
  readonly #fetcher: Fetcher;
  readonly #log: RegistryLog;
  /** Whether they are read without the address: what the cache has was proved when it was fetched. */
  readonly #isOffline: boolean;
  /** All readers in a run get the same one. */
  readonly #read = new Map<string, Promise<unknown>>();

  constructor(fetcher: Fetcher, log: RegistryLog, isOffline: boolean) {
    [this.#fetcher, this.#log, this.#isOffline] = [fetcher, log, isOffline];
  }

  /** @returns `undefined` for a document that this state of the registry does not have */
  read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    { problemOf, earlierProblem, checkBytes, digestOf }: DocumentChecks<z.infer<Schema>>,
  ): Promise<z.infer<Schema> | undefined> {
    const url = this.#fetcher.url(path);
    const check = async (bytes: Uint8Array): Promise<z.infer<Schema>> => {
      checkBytes?.(bytes, url);
      const document = parse(schema, bytes, url);
      const problem = await problemOf(document, url);
      if (problem !== undefined) throw problem;
      return document;
    };
    return this.#once(path, async () => {
      if (this.#isOffline) return check(await this.#kept(path));
      const log = this.#log;
      return log.guard(async () => {
        const reading = log.found().then(async (state) => {
          const digest = await (digestOf === undefined ? state.digestOf(path) : digestOf());
          return digest === undefined ? undefined : state.document(path, digest);
        });
        // Whether the state is trusted is the first question.
        reading.catch(() => {});
        const { signed } = await log.trusted();
        const found = await reading;
        if (found === undefined) return undefined;
        const document = await check(found.bytes);
        // A log that is signed continues what was seen before.
        const earlier = signed === undefined ? found.earlier : undefined;
        const before = earlier && tryDocument(schema, earlier);
        const problem = before && (await earlierProblem?.(document, before, url));
        if (problem !== undefined) throw problem;
        await found.keep();
        return document;
      });
    });
  }

  /** `registry.json`, as `read`. */
  info(): Promise<RegistryInfo> {
    const url = this.#fetcher.url(REGISTRY_PATH);
    return this.#once(REGISTRY_PATH, async () => {
      if (!this.#isOffline) return this.#log.use(async ({ info }) => info);
      return parseInfo(await this.#kept(REGISTRY_PATH), url);
    });
  }

  async #kept(path: string): Promise<Uint8Array> {
    const bytes = await this.#fetcher.kept(keptName(path));
    if (bytes === undefined) throw this.#fetcher.notKept(path);
    return bytes;
  }

  has(path: string): boolean {
    return this.#read.has(path);
  }

  #once<Document>(path: string, read: () => Promise<Document>): Promise<Document> {
    const known = this.#read.get(path) as Promise<Document> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    this.#read.set(path, reading);
    return reading;
  }
}
