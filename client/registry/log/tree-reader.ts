/** Proofs about a log, made from tiles that a host serves. The host may lie: who uses a proof verifies it. */
import { hashesFromTiles, tilesReadBy } from '../../../format/log/append.ts';
import { HASH_BYTES } from '../../../format/log/hash.ts';
import { type SubtreeHash } from '../../../format/log/proof.ts';
import { type Tile, TILE_WIDTH, tilePath } from '../../../format/log/tile.ts';
import { logError } from './log-error.ts';

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
