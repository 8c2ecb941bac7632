/**
 * The one state of a registry that a run reads. Each file names the next one, so that nothing is of another state:
 *
 *     log/checkpoint -> log/map-entries/<root> -> log/map/<sha256> -> documents/<sha256>.json
 *
 * The checkpoint of a log that nobody signs names the map itself. Who vouches for a checkpoint: `check-log.ts`.
 */
import { hexOfIntegrity } from '../../format/archive/integrity.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import {
  CHECKPOINT_PATH,
  LOG_FOLDER,
  REGISTRY_PATH,
  documentPath,
  mapEntryPath,
  mapFilePath,
} from '../../format/index/layout.ts';
import { MAX_ENTRY_BYTES } from '../../format/log/bundle.ts';
import { type Checkpoint, parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { leafHash, HASH_BYTES } from '../../format/log/hash.ts';
import {
  mapIn,
  type MapDocuments,
  mapLeafAt,
  MAX_MAP_LEAF_BYTES,
  MAX_MAP_ROOT_BYTES,
  parseMapLeaf,
  parseMapRoot,
} from '../../format/log/map.ts';
import { isSigned, MAX_NOTE_BYTES } from '../../format/log/note.ts';
import { inclusionProof, verifyInclusion, type SubtreeHash } from '../../format/log/proof.ts';
import { ClientError } from '../errors.ts';
import { contentDigest } from './cache.ts';
import { badAnswer, type Fetcher } from './cached.ts';
import { logError, missingFile } from './kept-logs.ts';
import { hashesFromTiles, tilesReadBy } from '../../format/log/append.ts';
import { type Tile, TILE_WIDTH, tilePath } from '../../format/log/tile.ts';
import type { z } from 'zod';
import { INTERFACE_VERSION, RegistryInfo } from '../../format/index/registry-info.ts';

const NO_POINTER = 'it is missing, so nothing names the newest state of the registry';
const NOT_YET =
  'the registry is published for the first time, or its host is incomplete; try again later';

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
  readonly #fetcher: Fetcher;
  readonly #map: MapReader;

  /**
   * Reads checkpoint and entry.
   * @throws {ClientError} `ERR_REGISTRY_ANSWER` for an address without an index, `ERR_LOG`, `ERR_NETWORK`
   */
  static async find(fetcher: Fetcher): Promise<Snapshot> {
    const begunAt = new Date().toISOString();
    const bytes = await fetcher.file(CHECKPOINT_PATH, MAX_NOTE_BYTES);
    const url = fetcher.url(CHECKPOINT_PATH);
    if (bytes === undefined) throw await unreadable(fetcher, badAnswer(url, NO_POINTER, NOT_YET));
    const note = new TextDecoder().decode(bytes);
    const checkpoint = tryParse(() => parseUnverifiedNote(note));
    let map = checkpoint && mapIn(checkpoint);
    let entry: Uint8Array | undefined;
    if (checkpoint !== undefined && isSigned(note)) {
      const path = mapEntryPath(Buffer.from(checkpoint.root).toString('hex'));
      entry = await fetcher.lasting(path, MAX_ENTRY_BYTES);
      if (entry === undefined) throw await unreadable(fetcher, missingFile(fetcher.url(path)));
      map = mapOf(entry);
    }
    if (checkpoint === undefined || map === undefined) {
      throw await unreadable(fetcher, logError(`${url} names no map`));
    }
    return new Snapshot(fetcher, { note, checkpoint, entry, map, begunAt });
  }

  private constructor(fetcher: Fetcher, pointer: Pointer) {
    [this.#fetcher, this.pointer] = [fetcher, pointer];
    this.tree = this.treeOf(pointer.checkpoint.size);
    this.#map = new MapReader(hexOfIntegrity(pointer.map), fetcher);
  }

  /** The log with this many entries, as the host serves it. */
  treeOf(size: number): TreeReader {
    return new TreeReader(size, (path, maxBytes) =>
      this.#fetcher.lasting(`${LOG_FOLDER}/${path}`, maxBytes),
    );
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

  /** The SHA-256 of a document, lower-case hexadecimal; `undefined` for one that this state does not have. */
  digestOf(path: string): Promise<string | undefined> {
    return this.#map.digestOf(path);
  }

  /**
   * @param path its name in the cache
   * @throws {ClientError} `ERR_LOG` for one that is missing or altered, `ERR_NETWORK`
   */
  async document(path: string, sha256: string): Promise<FoundDocument> {
    const fetcher = this.#fetcher;
    const name = keptName(path);
    const kept = await fetcher.kept(name);
    if (kept !== undefined && contentDigest(kept) === sha256) {
      return { bytes: kept, earlier: undefined, keep: async () => {} };
    }
    const wanted = { path: documentPath(sha256), sha256, maxBytes: MAX_DOCUMENT_BYTES };
    const bytes = await readNamed(fetcher, { ...wanted, isPassing: true });
    return { bytes, earlier: kept, keep: () => fetcher.keep(name, bytes) };
  }
}

/** The integrity of the root of the map in an entry; `undefined` for another entry. */
function mapOf(entry: Uint8Array): string | undefined {
  const parsed = tryParse(() => parseLogEntry(entry));
  return parsed?.type === 'map' ? parsed.integrity : undefined;
}

function tryParse<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Why nothing can be read: there is no index, or one of another interface, or `otherwise`. */
async function unreadable(fetcher: Fetcher, otherwise: ClientError): Promise<ClientError> {
  const url = fetcher.url(REGISTRY_PATH);
  const bytes = await fetcher.file(REGISTRY_PATH, MAX_DOCUMENT_BYTES);
  if (bytes !== undefined) {
    parseInfo(bytes, url);
    return otherwise;
  }
  const hint = `check that ${fetcher.base} is the address of a Stackyard index`;
  return badAnswer(url, 'it is missing, so the address holds no index', hint);
}
/** A leaf without documents has no file. */
const NOTHING = contentDigest(new Uint8Array());

export class MapReader {
  readonly #fetcher: Fetcher;
  readonly #root: Promise<ReturnType<typeof parseMapRoot>>;
  readonly #leaves = new Map<string, Promise<MapDocuments>>();

  /** Begins to read the root. @param digest of it, lower-case hexadecimal */
  constructor(digest: string, fetcher: Fetcher) {
    this.#fetcher = fetcher;
    this.#root = this.#file(digest, MAX_MAP_ROOT_BYTES).then(parseMapRoot);
    // The one who asks for a digest gets the error.
    this.#root.catch(() => {});
  }

  /**
   * The SHA-256 of a document, lower-case hexadecimal; `undefined` for one that the registry does not have.
   * @throws {ClientError} `ERR_LOG` for a file of the map that is missing or altered; {FormatError} `ERR_LOG_MAP`
   */
  async digestOf(path: string): Promise<string | undefined> {
    const { bits, leaves } = await this.#root;
    const digest = leaves[mapLeafAt(path, bits)]!;
    if (digest === NOTHING) return undefined;
    const leaf =
      this.#leaves.get(digest) ?? this.#file(digest, MAX_MAP_LEAF_BYTES).then(parseMapLeaf);
    this.#leaves.set(digest, leaf);
    return (await leaf).get(path);
  }

  #file(sha256: string, maxBytes: number): Promise<Uint8Array> {
    return readNamed(this.#fetcher, { path: mapFilePath(sha256), sha256, maxBytes });
  }
}
/** Reads a file below the log's prefix; `undefined` where there is none. */
type ReadLogFile = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>;

export class TreeReader {
  readonly #size: number;
  readonly #read: ReadLogFile;
  readonly #tiles = new Map<string, Uint8Array>();
  readonly #loading = new Map<string, Promise<void>>();

  /** @param size of the tree */
  constructor(size: number, read: ReadLogFile) {
    this.#size = size;
    this.#read = read;
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

  async #load(path: string, tile: Tile): Promise<void> {
    const { bytes, width } = await this.#readTile(tile);
    if (bytes.length !== width * HASH_BYTES) {
      throw logError(
        `its file "${tilePath({ ...tile, width })}" has ${bytes.length} bytes, not ${width * HASH_BYTES}`,
      );
    }
    this.#tiles.set(path, bytes.subarray(0, tile.width * HASH_BYTES));
  }

  /** A full tile takes the place of the partial ones that it had: the checkpoint may be the one from before. */
  async #readTile(tile: Tile): Promise<{ readonly bytes: Uint8Array; readonly width: number }> {
    for (const width of new Set([tile.width, TILE_WIDTH])) {
      const bytes = await this.#read(tilePath({ ...tile, width }), TILE_WIDTH * HASH_BYTES);
      if (bytes !== undefined) return { bytes, width };
    }
    throw logError(`its file "${tilePath(tile)}" of a log with ${this.#size} entries is missing`);
  }
}
/** @throws {ClientError} `ERR_LOG` for one that is missing or altered, `ERR_NETWORK` */
export async function readNamed(
  fetcher: Fetcher,
  wanted: Omit<Parameters<Fetcher['digested']>[0], 'wrong'>,
): Promise<Uint8Array> {
  const wrong = (_: Uint8Array, url: string): ReturnType<typeof logError> =>
    logError(`${url} has another digest than in its name`);
  const bytes = await fetcher.digested({ ...wanted, wrong });
  if (bytes === undefined) throw missingFile(fetcher.url(wanted.path));
  return bytes;
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
export function tryDocument<Schema extends z.ZodType>(
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
