/** The JSON documents of one registry in one run: of one state, parsed, and each read once. */
import type { z } from 'zod';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import type { ClientError } from '../errors.ts';
import type { RegistryLog } from './log/registry-log.ts';
import { keptName } from './log/snapshot.ts';
import type { Fetcher } from './network/fetcher.ts';
import { parse, parseInfo, tryParse } from './parse-document.ts';

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
        const before = earlier && tryParse(schema, earlier);
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
