/** The map of a log: which documents the registry published, by the digests of its files. */
import { parseIntegrity } from '../../../format/archive/integrity.ts';
import { mapFilePath } from '../../../format/index/layout.ts';
import type { MapEntry } from '../../../format/log/entry.ts';
import {
  type MapDocuments,
  mapLeafAt,
  MAX_MAP_LEAF_BYTES,
  MAX_MAP_ROOT_BYTES,
  parseMapLeaf,
  parseMapRoot,
} from '../../../format/log/map.ts';
import { contentDigest } from '../network/cache.ts';
import { logError } from './log-error.ts';

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
