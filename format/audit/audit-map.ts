/**
 * Compares what an index serves with the map of its log, in both directions, and the other documents about builds with
 * their heads: each under its digest, where clients read it, and at its plain address. A host does not list its files: a document that the map does not have is looked for where the log, the
 * documents or the interface name it. Also what an audit reads and finds.
 */
import type { z } from 'zod';
import { AdvisoryList } from '../advisory/advisory.ts';
import { integrityOf, hexOfIntegrity, sha256Hex } from '../archive/integrity.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { HeadDocument } from '../index/head-document.ts';
import {
  ADVISORIES_PATH,
  advisoryPath,
  CATALOG_PATH,
  CLIENT_PATH,
  compatibilityPath,
  documentPath,
  waiversPath,
  headPath,
  isMapped,
  LOG_FOLDER,
  mapEntryPath,
  mapFilePath,
  ownerPath,
  parseIndexPath,
  recordPath,
  REGISTRY_PATH,
} from '../index/layout.ts';
import { RegistryInfo } from '../index/registry-info.ts';
import { formatLogEntry, type LogEntry, type MapEntry } from '../log/entry.ts';
import { isSameHash } from '../log/hash.ts';
import { mapLeafAt, parseMapLeaf, parseMapRoot } from '../log/map.ts';

/** A leaf without documents has no file. */
const NOTHING = sha256Hex(new Uint8Array());

/**
 * What the index serves otherwise than the newest map has it; nothing for a log without maps.
 * @param log its entries, verified, and the root over them, lower-case hexadecimal
 * @param builds ids that the log has
 */
export async function auditMap(
  read: ReadIndexFile,
  { entries, root }: { readonly entries: readonly LogEntry[]; readonly root: string },
  builds: Iterable<string>,
): Promise<AuditProblem[]> {
  const at = entries.findLastIndex(({ type }) => type === 'map');
  const entry = entries[at];
  if (entry?.type !== 'map') return [];
  return new MapAudit(read).run(entry, root, entries.length - at - 1, [...builds]);
}

class MapAudit {
  readonly #read: ReadIndexFile;
  readonly #problems: AuditProblem[] = [];

  constructor(read: ReadIndexFile) {
    this.#read = read;
  }

  async run(
    entry: MapEntry,
    root: string,
    later: number,
    builds: readonly string[],
  ): Promise<AuditProblem[]> {
    if (later > 0) {
      this.#add(LOG_FOLDER, `has ${later} entries after its last map: it must end with one`);
    }
    const where = mapEntryPath(root);
    const served = await this.#read(where);
    if (served === undefined) this.#add(where, 'is missing');
    else if (!isSameHash(served, formatLogEntry(entry))) {
      this.#add(where, 'is not the last map of the log');
    }
    const map = await this.#documents(entry);
    if (map === undefined) return this.#problems;
    const contents = await forAll([...map], ([path, digest]) => this.#document(path, digest));
    const named = [REGISTRY_PATH, CATALOG_PATH, ADVISORIES_PATH, CLIENT_PATH];
    for (const id of builds) named.push(headPath(id), ownerPath(id.split('/')[0]!));
    for (const more of contents) named.push(...more);
    await forAll([...new Set(named)], async (path) => {
      if (map.has(path) || (await this.#read(path)) === undefined) return;
      this.#add(path, 'is served, and the map does not have it');
    });
    return this.#problems.toSorted((a, b) => (a.where < b.where ? -1 : 1));
  }

  /** The lines of all leaves; `undefined` where the root cannot be read. */
  async #documents({ integrity }: MapEntry): Promise<Map<string, string> | undefined> {
    const root = await this.#file(hexOfIntegrity(integrity), parseMapRoot);
    if (root === undefined) return undefined;
    const documents = new Map<string, string>();
    await forAll([...root.leaves.entries()], async ([at, leaf]) => {
      if (leaf === NOTHING) return;
      for (const [path, sha256] of (await this.#file(leaf, parseMapLeaf)) ?? []) {
        const parsed = parseIndexPath(path);
        const isPlaced = mapLeafAt(path, root.bits) === at;
        if (!isPlaced) this.#add(path, 'is in a leaf of the map that is not its own');
        else if (parsed === undefined || !isMapped(parsed)) {
          this.#add(path, 'is in the map, and no map has such a document');
        } else documents.set(path, sha256);
      }
    });
    return documents;
  }

  async #file<File>(
    sha256: string,
    parse: (bytes: Uint8Array) => File,
    where = mapFilePath(sha256),
  ): Promise<File | undefined> {
    const bytes = await this.#read(where);
    if (bytes === undefined) this.#add(where, 'is missing');
    else if (sha256Hex(bytes) !== sha256) this.#add(where, 'has another digest than in its name');
    else return this.#parsed(where, () => parse(bytes));
    return undefined;
  }

  /** Compares a document with its line. @returns paths of the documents that it names */
  async #document(path: string, sha256: string): Promise<string[]> {
    const parsed = parseIndexPath(path);
    if (parsed?.kind !== 'client') await this.#named(sha256);
    const bytes = await this.#read(path);
    if (bytes === undefined) {
      this.#add(path, 'is missing, and the map has it');
      return [];
    }
    if (sha256Hex(bytes) !== sha256) {
      this.#add(path, 'is not what the map has');
      return [];
    }
    const parse = <Schema extends z.ZodType>(schema: Schema): z.infer<Schema> | undefined =>
      this.#parsed(path, () => parseDocument(schema, bytes, path));
    if (parsed?.kind === 'head') {
      const head = parse(HeadDocument);
      if (head !== undefined) await this.#ofHead(head);
    }
    if (parsed?.kind === 'advisories')
      return (parse(AdvisoryList)?.advisories ?? []).map(({ id }) => advisoryPath(id));
    if (parsed?.kind !== 'registry') return [];
    const { client } = parse(RegistryInfo) ?? {};
    if (client === undefined) return [];
    for (const place of [client.path, CLIENT_PATH]) await this.#compare(place, client.integrity);
    return [client.path];
  }

  /** Compares the documents about a build with their digests in its head; those of versions are compared with the log. */
  async #ofHead({ id, documents }: HeadDocument): Promise<void> {
    const { record, compatibility, waivers } = documents;
    await this.#compare(recordPath(id), record);
    await this.#compare(compatibilityPath(id), compatibility);
    await this.#compare(waiversPath(id), waivers);
    for (const integrity of [record, compatibility, waivers]) {
      if (integrity === undefined) continue;
      await this.#compare(documentPath(hexOfIntegrity(integrity)), integrity);
    }
  }

  /** Compares a document with the digest in its name. */
  async #named(sha256: string): Promise<void> {
    await this.#file(sha256, () => {}, documentPath(sha256));
  }

  /** @param integrity `undefined` for a document that must not be served */
  async #compare(path: string, integrity: string | undefined): Promise<void> {
    const bytes = await this.#read(path);
    if (integrity === (bytes === undefined ? undefined : integrityOf(bytes))) return;
    const served = bytes === undefined ? 'is missing' : `has the digest ${integrityOf(bytes)}`;
    this.#add(
      path,
      `${served}, published ${integrity === undefined ? 'is none' : `with ${integrity}`}`,
    );
  }

  #parsed<File>(where: string, parse: () => File): File | undefined {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#add(where, error.message);
      return undefined;
    }
  }

  #add(where: string, problem: string): void {
    this.#problems.push({ where, problem });
  }
}

/** Reads a file of the index; `undefined` where there is none. Bytes come from a host that may be hostile. */
export type ReadIndexFile = (path: string) => Promise<Uint8Array | undefined>;

/** Something that is not as the log has it. */
export interface AuditProblem {
  /** The file of the index, or the build. */
  readonly where: string;
  readonly problem: string;
}

/**
 * Calls `work` for all items, up to `limit` at a time; results in their order. After a failure no other one begins.
 * @throws a failure, after those under way have ended
 */
export async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  limit = 16,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]!).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  return results;
}
