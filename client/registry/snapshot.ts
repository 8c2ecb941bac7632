/**
 * The one state of a registry that a run reads. Each file names the next one, so that nothing is of another state:
 *
 *     log/checkpoint -> log/map-entries/<root> -> log/map/<sha256> -> documents/<sha256>.json
 *
 * The checkpoint of a log that nobody signs names the map itself. Who vouches for a checkpoint: `check-log.ts`.
 */
import type { z } from 'zod';
import { hexOfIntegrity } from '../../format/archive/integrity.ts';
import { field } from '../../format/document/canonical-json.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { FormatError, type StackyardError } from '../../format/errors.ts';
import {
  CHECKPOINT_PATH,
  documentPath,
  LOG_FOLDER,
  mapEntryPath,
  mapFilePath,
  REGISTRY_PATH,
} from '../../format/index/layout.ts';
import { INTERFACE_VERSION, RegistryInfo } from '../../format/index/registry-info.ts';
import { hashesFromTiles, tilesReadBy } from '../../format/log/append.ts';
import { MAX_ENTRY_BYTES } from '../../format/log/bundle.ts';
import { type Checkpoint, parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { HASH_BYTES, leafHash } from '../../format/log/hash.ts';
import {
  type MapDocuments,
  mapIn,
  mapLeafAt,
  MAX_MAP_LEAF_BYTES,
  MAX_MAP_ROOT_BYTES,
  parseMapLeaf,
  parseMapRoot,
} from '../../format/log/map.ts';
import { isSigned, MAX_NOTE_BYTES } from '../../format/log/note.ts';
import { inclusionProof, type SubtreeHash, verifyInclusion } from '../../format/log/proof.ts';
import { type Tile, TILE_WIDTH, tilePath } from '../../format/log/tile.ts';
import { ClientError } from '../errors.ts';
import { contentDigest } from './cache.ts';
import type { CachedSource } from './cached.ts';
import { badAnswer } from './source.ts';

const NO_POINTER = 'it is missing, so nothing names the newest state of the registry';
const NOT_YET =
  'the registry is published for the first time, or its host is incomplete; try again later';
/** A leaf of the map without documents has no file. */
const NOTHING = contentDigest(new Uint8Array());

/** A document as this state has it. */
interface FoundDocument {
  readonly bytes: Uint8Array;
  /** What the cache has of the same path, where that is something else. */
  readonly earlier: Uint8Array | undefined;
  /** Keeps the bytes for later runs, once they are proved. */
  readonly keep: () => Promise<void>;
}

/** The name by which the cache has a document: by its path, for runs without network and to compare with later states. */
export function keptName(path: string): string {
  return `state/${path}`;
}

/** What leads to the map. */
interface Pointer {
  /** The checkpoint with its signatures, of which none is verified. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** The last entry of a signed log, as the host serves it. */
  readonly entry: Uint8Array | undefined;
  /** Integrity of the root of the map. */
  readonly map: string;
  /** When this run began to read it, ISO 8601 in UTC. */
  readonly begunAt: string;
}

export class Snapshot {
  readonly pointer: Pointer;
  readonly tree: TreeReader;
  readonly #cached: CachedSource;
  readonly #root: Promise<ReturnType<typeof parseMapRoot>>;
  readonly #leaves = new Map<string, Promise<MapDocuments>>();

  /**
   * Reads checkpoint and entry.
   * @throws {ClientError} `ERR_REGISTRY_ANSWER` for an address without an index, `ERR_LOG`, `ERR_NETWORK`
   */
  static async find(cached: CachedSource): Promise<Snapshot> {
    const begunAt = new Date().toISOString();
    const bytes = await cached.file(CHECKPOINT_PATH, MAX_NOTE_BYTES);
    const url = cached.source.url(CHECKPOINT_PATH);
    if (bytes === undefined) throw await unreadable(cached, badAnswer(url, NO_POINTER, NOT_YET));
    const note = new TextDecoder().decode(bytes);
    const checkpoint = tryParse(() => parseUnverifiedNote(note));
    let map = checkpoint && mapIn(checkpoint);
    let entry: Uint8Array | undefined;
    if (checkpoint !== undefined && isSigned(note)) {
      const path = mapEntryPath(Buffer.from(checkpoint.root).toString('hex'));
      entry = await cached.lasting(path, MAX_ENTRY_BYTES);
      if (entry === undefined) throw await unreadable(cached, missingFile(cached.source.url(path)));
      map = mapOf(entry);
    }
    if (checkpoint === undefined || map === undefined) {
      throw await unreadable(cached, logError(`${url} names no map`));
    }
    return new Snapshot(cached, { note, checkpoint, entry, map, begunAt });
  }

  private constructor(cached: CachedSource, pointer: Pointer) {
    [this.#cached, this.pointer] = [cached, pointer];
    this.tree = this.treeOf(pointer.checkpoint.size);
    const [sha256, maxBytes] = [hexOfIntegrity(pointer.map), MAX_MAP_ROOT_BYTES];
    const path = mapFilePath(sha256);
    this.#root = readNamed(cached, { path, sha256, maxBytes }).then(parseMapRoot);
    // The one who asks for a digest gets the error.
    this.#root.catch(() => {});
  }

  /** The log with this many entries, as the host serves it. */
  treeOf(size: number): TreeReader {
    return new TreeReader(size, this.#cached);
  }

  /** Requires that the map of a signed log is its last entry. @throws {ClientError} `ERR_LOG` */
  async requireMapInLog(): Promise<void> {
    const { entry, checkpoint } = this.pointer;
    const { size } = checkpoint;
    if (entry === undefined) return;
    if (size === 0) throw logError('it is empty, and a map is served');
    const leaf = { hash: leafHash(entry), index: size - 1 };
    const proof = await this.tree.compute((subtree) => inclusionProof(leaf.index, size, subtree));
    if (verifyInclusion(leaf, checkpoint, proof)) return;
    throw logError('the map that is served is not its last entry');
  }

  /**
   * The SHA-256 of a document, lower-case hexadecimal; `undefined` for one that this state does not have.
   * @throws {ClientError} `ERR_LOG` for a file of the map that is missing or altered; {FormatError} `ERR_LOG_MAP`
   */
  async digestOf(path: string): Promise<string | undefined> {
    const { bits, leaves } = await this.#root;
    const sha256 = leaves[mapLeafAt(path, bits)]!;
    if (sha256 === NOTHING) return undefined;
    let leaf = this.#leaves.get(sha256);
    if (leaf === undefined) {
      const wanted = { path: mapFilePath(sha256), sha256, maxBytes: MAX_MAP_LEAF_BYTES };
      leaf = readNamed(this.#cached, wanted).then(parseMapLeaf);
      this.#leaves.set(sha256, leaf);
    }
    return (await leaf).get(path);
  }

  /**
   * @param path its name in the cache
   * @throws {ClientError} `ERR_LOG` for one that is missing or altered, `ERR_NETWORK`
   */
  async document(path: string, sha256: string): Promise<FoundDocument> {
    const cached = this.#cached;
    const name = keptName(path);
    const kept = await cached.kept(name);
    if (kept !== undefined && contentDigest(kept) === sha256) {
      return { bytes: kept, earlier: undefined, keep: async () => {} };
    }
    const wanted = { path: documentPath(sha256), sha256, maxBytes: MAX_DOCUMENT_BYTES };
    const bytes = await readNamed(cached, { ...wanted, isPassing: true });
    return { bytes, earlier: kept, keep: () => cached.keep(name, bytes) };
  }
}

/** Proofs about a log, made from tiles that a host serves. The host may lie: who uses a proof verifies it. */
export class TreeReader {
  readonly #size: number;
  readonly #cached: CachedSource;
  readonly #tiles = new Map<string, Uint8Array>();
  readonly #loading = new Map<string, Promise<void>>();

  /** @param size of the tree */
  constructor(size: number, cached: CachedSource) {
    [this.#size, this.#cached] = [size, cached];
  }

  /**
   * What `compute` returns with the hashes of the tree, after the tiles that it needs were read.
   * @throws {ClientError} `ERR_LOG` when one is missing or too short
   */
  async compute<Result>(compute: (subtree: SubtreeHash) => Result): Promise<Result> {
    const tiles = tilesReadBy(this.#size, (subtree) => void compute(subtree));
    await Promise.all(tiles.map((tile) => this.#loadOnce(tile)));
    return compute(hashesFromTiles(this.#size, (tile) => this.#tiles.get(tilePath(tile))!));
  }

  /** Proofs that are made at the same time need the same tiles. */
  #loadOnce(tile: Tile): Promise<void> {
    const path = tilePath(tile);
    const loading = this.#loading.get(path) ?? this.#load(path, tile);
    this.#loading.set(path, loading);
    return loading;
  }

  /** A full tile takes the place of the partial ones that it had: the checkpoint may be the one from before. */
  async #load(path: string, tile: Tile): Promise<void> {
    for (const width of new Set([tile.width, TILE_WIDTH])) {
      const file = tilePath({ ...tile, width });
      const wanted = width * HASH_BYTES;
      const bytes = await this.#cached.lasting(`${LOG_FOLDER}/${file}`, TILE_WIDTH * HASH_BYTES);
      if (bytes === undefined) continue;
      if (bytes.length !== wanted) {
        throw logError(`its file "${file}" has ${bytes.length} bytes, not ${wanted}`);
      }
      this.#tiles.set(path, bytes.subarray(0, tile.width * HASH_BYTES));
      return;
    }
    throw logError(`its file "${path}" of a log with ${this.#size} entries is missing`);
  }
}

/**
 * Reads a file that has its digest for a name.
 * @throws {ClientError} `ERR_LOG` for one that is missing or altered, `ERR_NETWORK`
 */
export async function readNamed(
  cached: CachedSource,
  wanted: Omit<Parameters<CachedSource['digested']>[0], 'wrong'>,
): Promise<Uint8Array> {
  const wrong = (_: Uint8Array, url: string): ClientError =>
    logError(`${url} has another digest than in its name`);
  const bytes = await cached.digested({ ...wanted, wrong });
  if (bytes === undefined) throw missingFile(cached.source.url(wanted.path));
  return bytes;
}

/** The integrity of the root of the map in an entry; `undefined` for another entry. */
function mapOf(entry: Uint8Array): string | undefined {
  const parsed = tryParse(() => parseLogEntry(entry));
  return parsed?.type === 'map' ? parsed.integrity : undefined;
}

/** Why nothing can be read: there is no index, or one of another interface, or `otherwise`. */
async function unreadable(cached: CachedSource, otherwise: ClientError): Promise<ClientError> {
  const url = cached.source.url(REGISTRY_PATH);
  const bytes = await cached.file(REGISTRY_PATH, MAX_DOCUMENT_BYTES);
  if (bytes !== undefined) {
    parseInfo(bytes, url);
    return otherwise;
  }
  const hint = `check that ${cached.source.base} is the address of a Stackyard index`;
  return badAnswer(url, 'it is missing, so the address holds no index', hint);
}

/** Parses a document. @throws {ClientError} `ERR_REGISTRY_ANSWER` */
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

/** `undefined` for what does not have its form. */
export function tryParse<Parsed>(read: () => Parsed): Parsed | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Parses `registry.json`. @throws {ClientError} `ERR_REGISTRY_ANSWER`, also for another interface */
export function parseInfo(bytes: Uint8Array, url: string): RegistryInfo {
  checkInterface(bytes, url);
  return parse(RegistryInfo, bytes, url);
}

/** Checks the bytes before the schema does: another interface may have another form. */
function checkInterface(bytes: Uint8Array, url: string): void {
  let found: unknown;
  try {
    found = field(JSON.parse(Buffer.from(bytes).toString()), 'interface');
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

const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

const MISSING_HINT =
  'run the same command again: the registry may have removed this file after a newer publication; if it is missing again, its host is incomplete or hides it: report it to the registry';

/** Where the key that must sign did not: the host may lie, or the registry ran without its key. */
const KEY_HINT = `${HINT}. Its admins find in docs/operate.md, "When something happened", how to correct a run without the right key, and how a new key is announced`;

class LogError extends ClientError {
  readonly problem: string;

  constructor(problem: string, hint: string, where = '', cause?: unknown) {
    super('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, { hint, cause });
    this.problem = problem;
  }
}

/** The error for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
export function logError(problem: string): ClientError {
  return new LogError(problem, HINT);
}

/** The error for a checkpoint without the signature that it must have. */
export function unsignedError(problem: string): ClientError {
  return new LogError(problem, KEY_HINT);
}

/** The error for a file that the state which is read names, and that `url` does not have. */
function missingFile(url: string): ClientError {
  const problem = `Cannot read ${url}: it is missing, and the newest state of the registry names it`;
  return new ClientError('ERR_LOG', problem, { hint: MISSING_HINT });
}

/** Whether an error is about a log that cannot be trusted, or about the form of a file of it. */
export function isLogError(error: unknown): error is StackyardError {
  if (error instanceof FormatError) return /^ERR_(?:LOG_|NOTE|CHECKPOINT)/.test(error.code);
  return error instanceof LogError;
}

/** The error for `cause` with the place of both sides. @param evidence the file that has them, if any */
export function withEvidence(cause: StackyardError, evidence: string | undefined): ClientError {
  const [problem, hint] = cause instanceof LogError ? [cause.problem, cause.hint] : [cause.message];
  const where = evidence === undefined ? '' : `; evidence: ${evidence}`;
  return new LogError(problem, hint ?? HINT, where, cause);
}
