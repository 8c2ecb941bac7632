/** The map of a log: which documents the registry published, by the digests of its files. */
import { mapFilePath } from '../../../format/index/layout.ts';
import {
  type MapDocuments,
  mapLeafAt,
  MAX_MAP_LEAF_BYTES,
  MAX_MAP_ROOT_BYTES,
  parseMapLeaf,
  parseMapRoot,
} from '../../../format/log/map.ts';
import { contentDigest } from '../network/cache.ts';
import type { Fetcher } from '../network/fetcher.ts';
import { readNamed } from './named-file.ts';

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
