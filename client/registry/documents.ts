/** The JSON documents of one registry in one run: parsed, proved by its log, and each read once. */
import type { z } from 'zod';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo, INTERFACE_VERSION } from '../../format/index/registry-info.ts';
import { ClientError } from '../errors.ts';
import type { RegistryLog } from './log/registry-log.ts';
import { badAnswer, type DocumentOptions, type Fetcher } from './network/fetcher.ts';

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
  readonly digestOf?: ((isFresh: boolean) => Promise<string | undefined>) | undefined;
  /** Called before the bytes are parsed. @throws {ClientError} */
  readonly checkBytes?: (bytes: Uint8Array, url: string) => void;
}

type Problem = ClientError | undefined;

export class Documents {
  readonly #fetcher: Fetcher;
  /** All readers in a run get the same one. */
  readonly #read = new Map<string, Promise<unknown>>();

  constructor(fetcher: Fetcher) {
    this.#fetcher = fetcher;
  }

  /** @param log compared with what is read; `undefined` for what nothing proves */
  read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    { problemOf, earlierProblem, checkBytes, digestOf }: DocumentChecks<z.infer<Schema>>,
    log: RegistryLog | undefined,
  ): Promise<z.infer<Schema> | undefined> {
    const check = async (bytes: Uint8Array, url: string): Promise<z.infer<Schema>> => {
      checkBytes?.(bytes, url);
      const document = parse(schema, bytes, url);
      const problem = await problemOf(document, url);
      if (problem !== undefined) throw problem;
      return document;
    };
    const checkEarlier: DocumentOptions<z.infer<Schema>>['checkEarlier'] = async (
      document,
      earlier,
      url,
    ) => {
      const before = tryParse(schema, earlier);
      const problem = before && (await earlierProblem?.(document, before, url));
      if (problem !== undefined) throw problem;
    };
    const read = (
      options: DocumentOptions<z.infer<Schema>> = {},
    ): Promise<z.infer<Schema> | undefined> =>
      this.#fetcher.document(path, MAX_DOCUMENT_BYTES, check, { checkEarlier, ...options });
    return this.#once(path, () => {
      if (log === undefined) return read();
      return log.proved(async (opening, isFresh) => {
        const isInHead = digestOf !== undefined && (await opening).signed?.hasMap === true;
        // Read beside the document; a head before it, because requests in the pool must not wait for each other.
        const digest = isInHead
          ? Promise.resolve(await digestOf(isFresh))
          : opening.then(({ signed }) => signed?.digestOf(path));
        digest.catch(() => {});
        const prove = async (bytes: Uint8Array | undefined, url: string): Promise<void> => {
          const { signed, info } = await opening;
          await Promise.all([info, signed?.requireDocument(bytes, url, digest)]);
        };
        return read({ isFresh, prove });
      });
    });
  }

  /** `registry.json`, as `read`. */
  info(log: RegistryLog | undefined): Promise<RegistryInfo | undefined> {
    return this.#once(REGISTRY_PATH, () => {
      if (log !== undefined) return log.info();
      return this.#fetcher.document(REGISTRY_PATH, MAX_DOCUMENT_BYTES, parseInfo);
    });
  }

  has(path: string): boolean {
    return this.#read.has(path);
  }

  /** The next reader gets a newer one. */
  forget(path: string): void {
    this.#read.delete(path);
  }

  #once<Document>(path: string, read: () => Promise<Document>): Promise<Document> {
    const known = this.#read.get(path) as Promise<Document> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    this.#read.set(path, reading);
    return reading;
  }
}

/** Parses `registry.json`. @throws {ClientError} `ERR_REGISTRY_ANSWER`, also for another interface */
export function parseInfo(bytes: Uint8Array, url: string): RegistryInfo {
  checkInterface(bytes, url);
  return parse(RegistryInfo, bytes, url);
}

/** @throws {ClientError} `ERR_REGISTRY_ANSWER` */
export function parse<Schema extends z.ZodType>(
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
      hint: 'check that the address is that of a Stackyard index',
    });
  }
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

/**
 * Checks the bytes of `registry.json` before the schema does: another interface may have another form.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER`
 */
function checkInterface(bytes: Uint8Array, url: string): void {
  let found: unknown;
  try {
    found = (JSON.parse(Buffer.from(bytes).toString()) as { readonly interface?: unknown } | null)
      ?.interface;
  } catch {
    return;
  }
  if (typeof found !== 'number' || found === INTERFACE_VERSION) return;
  throw badAnswer(
    url,
    `it has interface ${found}, and this client reads interface ${INTERFACE_VERSION}`,
    found > INTERFACE_VERSION
      ? 'use a newer stackyard'
      : 'the registry must be generated again with a newer stackyard',
  );
}
