/** Proofs about a log, made from tiles that a host serves. The host may lie: who uses a proof verifies it. */
import { hashesFromTiles, tilesReadBy } from '../../../format/log/append.ts';
import { MAX_ENTRY_BYTES, parseBundle } from '../../../format/log/bundle.ts';
import { HASH_BYTES } from '../../../format/log/hash.ts';
import { type SubtreeHash } from '../../../format/log/proof.ts';
import { bundlePath, type Tile, TILE_WIDTH, tilePath } from '../../../format/log/tile.ts';
import { logError } from './log-error.ts';

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
