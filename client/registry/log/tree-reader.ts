/** Proofs about a log, made from tiles that a host serves. The host may lie: who uses a proof verifies it. */
import { type MapEntry } from '../../../format/log/entry.ts';
import { MAX_ENTRY_BYTES, parseBundle } from '../../../format/log/bundle.ts';
import { type SubtreeHash } from '../../../format/log/proof.ts';
import { HASH_BYTES } from '../../../format/log/hash.ts';
import { hashesFromTiles, tilesReadBy } from '../../../format/log/append.ts';
import { TILE_WIDTH, bundlePath, tilePath, type Tile } from '../../../format/log/tile.ts';
import { FormatError, type StackyardError } from '../../../format/errors.ts';
import { ClientError } from '../../errors.ts';
import { parseIntegrity } from '../../../format/archive/integrity.ts';
import { mapFilePath } from '../../../format/index/layout.ts';
import {
  MAX_MAP_LEAF_BYTES,
  MAX_MAP_ROOT_BYTES,
  mapLeafAt,
  parseMapLeaf,
  parseMapRoot,
  type MapDocuments,
} from '../../../format/log/map.ts';
import { contentDigest } from '../network/cache.ts';
import type { LogPolicy } from '../../../format/project/lock.ts';
import { parseNoteKey } from '../../../format/log/note-key.ts';
import { parseNote } from '../../../format/log/note.ts';
import { cosignaturesOf } from '../../../format/log/cosignature.ts';

/** Reads a file below the log's prefix; `undefined` where there is none. */
type ReadLogFile = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>;

export class TreeReader {
  readonly #size: number;
  readonly #read: ReadLogFile;
  readonly #tiles = new Map<string, Uint8Array>();
  readonly #loading = new Map<string, Promise<void>>();

  /** @param size of the tree, from a verified checkpoint: no other tile is requested */
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

  /** The entries `[from, to)`. @throws {ClientError} `ERR_LOG`, and `FormatError` for a damaged bundle */
  async entries(from: number, to: number): Promise<Uint8Array[]> {
    if (from >= to) return [];
    const first = Math.floor(from / TILE_WIDTH);
    const count = Math.ceil(to / TILE_WIDTH) - first;
    const bundles = await Promise.all(
      Array.from({ length: count }, (_, at) => this.#bundle(first + at)),
    );
    return bundles.flat().slice(from - first * TILE_WIDTH, to - first * TILE_WIDTH);
  }

  async #bundle(index: number): Promise<Uint8Array[]> {
    const width = Math.min(TILE_WIDTH, this.#size - index * TILE_WIDTH);
    const maxBytes = TILE_WIDTH * (MAX_ENTRY_BYTES + 2);
    const found = await this.#readTile((one) => bundlePath({ index, width: one }), width, maxBytes);
    return parseBundle(found.bytes, found.width).slice(0, width);
  }

  /** Proofs that are made at the same time need the same tiles. */
  #loadOnce(tile: Tile): Promise<void> {
    const path = tilePath(tile);
    const loading = this.#loading.get(path) ?? this.#load(path, tile);
    this.#loading.set(path, loading);
    return loading;
  }

  async #load(path: string, tile: Tile): Promise<void> {
    const pathOf = (width: number): string => tilePath({ ...tile, width });
    const { bytes, width } = await this.#readTile(pathOf, tile.width, TILE_WIDTH * HASH_BYTES);
    if (bytes.length !== width * HASH_BYTES) {
      throw logError(
        `its file "${pathOf(width)}" has ${bytes.length} bytes, not ${width * HASH_BYTES}`,
      );
    }
    this.#tiles.set(path, bytes.subarray(0, tile.width * HASH_BYTES));
  }

  /** A full tile takes the place of the partial ones that it had: a cache may serve the checkpoint from before. */
  async #readTile(
    pathOf: (width: number) => string,
    width: number,
    maxBytes: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly width: number }> {
    for (const one of new Set([width, TILE_WIDTH])) {
      const bytes = await this.#read(pathOf(one), maxBytes);
      if (bytes !== undefined) return { bytes, width: one };
    }
    const what =
      width === TILE_WIDTH ? 'is missing' : `of a log with ${this.#size} entries is missing`;
    throw logError(`its file "${pathOf(width)}" ${what}`);
  }
}

/** The error for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

/** Where the key that must sign did not: the host may lie, or the registry ran without its key. */
const KEY_HINT = `${HINT}. Its admins find in docs/operate.md, "When something happened", how to correct a run without the right key, and how a new key is announced`;

class LogError extends ClientError {
  readonly problem: string;

  constructor(problem: string, where: string, cause: unknown, hint: string) {
    super('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, { hint, cause });
    this.problem = problem;
  }
}

export function logError(problem: string): ClientError {
  return new LogError(problem, '', undefined, HINT);
}

/** The error for a checkpoint without the signature that it must have. */
export function unsignedError(problem: string): ClientError {
  return new LogError(problem, '', undefined, KEY_HINT);
}

/** Whether an error is one of those, or about the form of a file of the log; of several addresses that of the first. */
export function isLogError(error: unknown): error is StackyardError {
  if (error instanceof FormatError) return LOG_FORM.test(error.code);
  return (
    error instanceof LogError || (error instanceof ClientError && error.cause instanceof LogError)
  );
}

const LOG_FORM = /^ERR_(?:LOG_|NOTE|CHECKPOINT)/;

/** The error for `cause` with the place of both sides. @param evidence the file that has them, if any */
export function withEvidence(cause: StackyardError, evidence: string | undefined): ClientError {
  const problem = cause instanceof LogError ? cause.problem : cause.message;
  const hint = (cause instanceof LogError && cause.hint) || HINT;
  return new LogError(
    problem,
    evidence === undefined ? '' : `; evidence: ${evidence}`,
    cause,
    hint,
  );
}

/** Reads the file at `path` with the digest `sha256`; `undefined` where there is none. */
type ReadDigested = (
  path: string,
  sha256: string,
  maxBytes: number,
) => Promise<Uint8Array | undefined>;

/** A leaf without documents has no file. */
const NOTHING = contentDigest(new Uint8Array());

export class MapReader {
  readonly #read: ReadDigested;
  readonly #root: Promise<ReturnType<typeof parseMapRoot>>;
  readonly #leaves = new Map<string, Promise<MapDocuments>>();

  /** Begins to read the root that `entry` names. */
  constructor({ integrity }: MapEntry, read: ReadDigested) {
    this.#read = read;
    const digest = Buffer.from(parseIntegrity(integrity)).toString('hex');
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

  async #file(sha256: string, maxBytes: number): Promise<Uint8Array> {
    const path = mapFilePath(sha256);
    const bytes = await this.#read(path, sha256, maxBytes);
    if (bytes !== undefined) return bytes;
    throw logError(`its file "${path}" is missing`);
  }
}

/**
 * Requires that enough of the named witnesses signed the checkpoint.
 * @param text of the whole note
 * @throws {ClientError} `ERR_LOG`
 */
export function requireWitnesses(text: string, witnesses: LogPolicy['witnesses']): void {
  if (witnesses === undefined) return;
  const keys = [...new Set(witnesses.keys)];
  const note = parseNote(new TextEncoder().encode(text));
  const { length: confirmed } = cosignaturesOf(note, keys.map(parseNoteKey));
  const { count } = witnesses;
  if (confirmed >= count) return;
  throw logError(
    `of its ${keys.length} witnesses ${confirmed} confirmed this state, and ${count} must`,
  );
}
