/**
 * The map: the digests of all documents that decide what a client does. Its root is the last entry of a signed log, so no
 * host can change, add or hide such a document. It has two levels of files, each named by the SHA-256 of its bytes:
 *
 *     root   the digests of the 2^bits leaves, 32 bytes each
 *     leaf   as `sha256sum` prints it, sorted by path:
 *
 *         9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  heads/alice/web.json
 *
 * A document belongs to the leaf whose number is the first bits of SHA-256(path). The number of leaves grows with the
 * square root of the number of documents, so that root and leaves stay small together. The map depends on the documents
 * alone. TUF's snapshot with hashed bins (PEP 458) has the same form.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { INTEGRITY_PATTERN } from '../archive/integrity.ts';
import { FormatError } from '../errors.ts';
import type { Checkpoint } from './checkpoint.ts';
import { HASH_BYTES } from './hash.ts';

/** 4,096 leaves, for 22 million documents. */
const MAX_BITS = 12;
/** No root is larger. */
export const MAX_MAP_ROOT_BYTES: number = HASH_BYTES * 2 ** MAX_BITS;
/** No leaf is larger: the digests of a hundred thousand documents. */
export const MAX_MAP_LEAF_BYTES = 16_000_000;

/** Path of a document to the SHA-256 of its bytes, lower-case hexadecimal. */
export type MapDocuments = ReadonlyMap<string, string>;

/** The line of a checkpoint that nobody signs by which it names its map. @param integrity of the root */
export function mapLine(integrity: string): string {
  return `map ${integrity}`;
}

/** The integrity of the root of the map in such a line; `undefined` where no line names one. */
export function mapIn({ extensions = [] }: Pick<Checkpoint, 'extensions'>): string | undefined {
  const line = extensions.find((one) => one.startsWith('map '))?.slice('map '.length);
  return line !== undefined && INTEGRITY_PATTERN.test(line) ? line : undefined;
}

/** How many bits of a path's hash choose the leaf, in a map of this many documents: 4^bits is at most three times as many. */
export function mapBits(documents: number): number {
  let bits = 0;
  while (bits < MAX_BITS && 4 ** (bits + 1) <= 3 * documents) bits += 1;
  return bits;
}

/** The first 32 bits of SHA-256(path), from which `mapLeafAt` takes the number of the leaf. */
export function mapKey(path: string): number {
  return Buffer.from(sha256(new TextEncoder().encode(path)).subarray(0, 4)).readUInt32BE(0);
}

/** The number of the leaf that has a document. */
export function mapLeafAt(path: string, bits: number): number {
  return bits === 0 ? 0 : mapKey(path) >>> (32 - bits);
}

/** The bytes of a leaf. */
export function formatMapLeaf(documents: MapDocuments): Uint8Array {
  const paths = [...documents.keys()].sort();
  const lines = paths.map((path) => `${documents.get(path)!}  ${path}\n`);
  return new TextEncoder().encode(lines.join(''));
}

/** The inverse of `formatMapLeaf`. @throws {FormatError} `ERR_LOG_MAP` */
export function parseMapLeaf(bytes: Uint8Array): MapDocuments {
  const text = new TextDecoder().decode(bytes);
  const documents = new Map<string, string>();
  let last = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}([^\s].*)$/.exec(line) ?? [];
    if (digest === undefined || path === undefined || path <= last) {
      throw damaged(`the line ${JSON.stringify(line.slice(0, 120))} is not expected in a leaf`);
    }
    documents.set(path, digest);
    last = path;
  }
  if (text !== '' && !text.endsWith('\n')) throw damaged('a leaf ends in the middle of a line');
  return documents;
}

/** The bytes of the root. @param leaves the SHA-256 of each leaf; their number is a power of two */
export function formatMapRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const root = new Uint8Array(leaves.length * HASH_BYTES);
  for (const [at, digest] of leaves.entries()) root.set(digest, at * HASH_BYTES);
  return root;
}

/** A root: how many bits choose a leaf, and the digest of each leaf, lower-case hexadecimal. */
interface MapRoot {
  readonly bits: number;
  readonly leaves: readonly string[];
}

/** The inverse of `formatMapRoot`. @throws {FormatError} `ERR_LOG_MAP` */
export function parseMapRoot(bytes: Uint8Array): MapRoot {
  const bits = Math.log2(bytes.length / HASH_BYTES);
  if (!Number.isInteger(bits) || bits < 0 || bits > MAX_BITS) {
    throw damaged(`its root has ${bytes.length} bytes`);
  }
  const leaves = Array.from({ length: 2 ** bits }, (_, at) =>
    Buffer.from(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)).toString('hex'),
  );
  return { bits, leaves };
}

function damaged(problem: string): FormatError {
  return new FormatError('ERR_LOG_MAP', `Cannot read the map of the log: ${problem}`);
}
