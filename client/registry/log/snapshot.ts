/**
 * The one state of a registry that a run reads. Each file names the next one, so that nothing is of another state:
 *
 *     log/checkpoint -> log/map-entries/<root> -> log/map/<sha256> -> documents/<sha256>.json
 *
 * The checkpoint of a log that nobody signs names the map itself. Who vouches for a checkpoint: `check-log.ts`.
 */
import { hexOfIntegrity } from '../../../format/archive/integrity.ts';
import { MAX_DOCUMENT_BYTES } from '../../../format/document/document.ts';
import { FormatError } from '../../../format/errors.ts';
import {
  CHECKPOINT_PATH,
  LOG_FOLDER,
  REGISTRY_PATH,
  documentPath,
  mapEntryPath,
} from '../../../format/index/layout.ts';
import { MAX_ENTRY_BYTES } from '../../../format/log/bundle.ts';
import { type Checkpoint, parseUnverifiedNote } from '../../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../../format/log/entry.ts';
import { leafHash } from '../../../format/log/hash.ts';
import { mapIn } from '../../../format/log/map.ts';
import { isSigned, MAX_NOTE_BYTES } from '../../../format/log/note.ts';
import { inclusionProof, verifyInclusion } from '../../../format/log/proof.ts';
import type { ClientError } from '../../errors.ts';
import { contentDigest } from '../network/cache.ts';
import { badAnswer, type Fetcher } from '../network/fetcher.ts';
import { parseInfo } from '../parse-document.ts';
import { logError, missingFile } from './log-error.ts';
import { MapReader } from './map-reader.ts';
import { readNamed } from './named-file.ts';
import { TreeReader } from './tree-reader.ts';

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
