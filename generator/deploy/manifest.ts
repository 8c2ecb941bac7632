/**
 * What a store holds, as the last deployment left it, in objects below `.deploy/` of the target. `manifest.json` names
 * shards by their digests; a shard has one line for each file:
 *
 *     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 5d41402a builds/alice/web.json
 *
 * the SHA-256 of the bytes, the first digits of that of the headers, and the path. The files of one build are in one
 * shard, so a publication changes few shards, and a deployment from a new machine reads only those that differ.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import type { IndexPath } from '../../format/index/layout.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { isMadeBy, macOf } from './mac.ts';
import { objectHeaders } from './object-headers.ts';

/** Everything of a deployment that is not part of the index. */
export const DEPLOY_FOLDER = '.deploy';
export const MANIFEST_PATH = `${DEPLOY_FOLDER}/manifest.json`;

/** How many files a shard has on average, at most. */
const SHARD_FILES = 256;
const MAX_BITS = 16;
const LINE = /^([0-9a-f]{64}) ([0-9a-f]{8}) ([^\0\n]{1,1000})$/;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const ManifestSchema = z.object({
  /** The version of this form. */
  format: z.literal(1),
  /** Of the registry, where it has one. */
  origin: z.string().optional(),
  /** The digest of the `registry.json` that belongs to it. */
  registry: Sha256,
  /** Of lists that older versions of this software wrote. */
  conditions: z.object({ absent: z.boolean(), tag: z.boolean() }).optional(),
  /** Shard n has the files whose group has a digest that begins with n in so many bits. */
  bits: z.int().min(0).max(MAX_BITS),
  shards: z.array(Sha256),
  /** Paths that are not part of the index any more, with the time in milliseconds since which. */
  removed: z.record(z.string(), z.number()),
  /** How many versions were taken down when nothing of them was left here. */
  taken_down: z.int().optional(),
  /** Made with the key of the log, so that a run on another machine can rely on the list. */
  mac: Sha256.optional(),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** The line of a file without its path: equal for equal bytes and headers. */
export type FileMark = string;

/** The files of a target: path to mark. */
export type FileMarks = ReadonlyMap<string, FileMark>;

/** The text of a shard with its digest. */
export interface ManifestShard {
  readonly sha256: string;
  readonly text: string;
}

/**
 * The mark of a file with this digest.
 * @param sha256 in hexadecimal
 * @param parsed what the path holds, where that is known
 */
export function fileMark(path: string, sha256: string, parsed?: IndexPath): FileMark {
  return `${sha256} ${headersDigest(path, parsed)}`;
}

/** The digest of the bytes in a mark. */
export function digestOfMark(mark: FileMark): string {
  return mark.slice(0, 64);
}

/** Into how many shards files go: two to the power of the result. */
export function manifestBits(files: number): number {
  return Math.min(MAX_BITS, Math.max(0, Math.ceil(Math.log2(files / SHARD_FILES))));
}

/** The shards of all files, in their order. */
export function makeShards(files: FileMarks, bits: number): ManifestShard[] {
  const paths: string[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const path of files.keys()) paths[shardOf(path, bits)]?.push(path);
  return paths.map((own) => {
    // By UTF-16 code units, as `<` compares.
    const text = own
      .sort()
      .map((path) => `${files.get(path)} ${path}\n`)
      .join('');
    return { sha256: createHash('sha256').update(text).digest('hex'), text };
  });
}

/** The path of the object with a shard. */
export function manifestShardPath(sha256: string): string {
  return `${DEPLOY_FOLDER}/${sha256}.txt`;
}

/** The files of a shard; `undefined` for a text that is none. */
export function tryParseShard(text: string): Map<string, FileMark> | undefined {
  const files = new Map<string, FileMark>();
  if (text === '') return files;
  if (!text.endsWith('\n')) return undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, digest, headers, path] = LINE.exec(line) ?? [];
    if (path === undefined) return undefined;
    files.set(path, `${digest} ${headers}`);
  }
  return files;
}

/** @param signer of the log of this registry, if the log is signed */
export function formatManifest(manifest: Manifest, signer?: NoteSigner): string {
  if (signer === undefined) return canonicalJson(manifest);
  return canonicalJson({ ...manifest, mac: macOf('manifest', manifest, signer) });
}

/** Whether a holder of one of the keys wrote the manifest. */
export function isAuthentic(
  { mac, ...manifest }: Manifest,
  signers: readonly NoteSigner[],
): boolean {
  return mac !== undefined && isMadeBy(mac, 'manifest', manifest, signers);
}

/** The inverse of `formatManifest`. @throws {FormatError} `ERR_DOCUMENT` */
export function parseManifest(bytes: Uint8Array, place: string): Manifest {
  return parseDocument(ManifestSchema, bytes, place);
}

/** The number of the shard that a file is in. */
export function shardOf(path: string, bits: number): number {
  if (bits === 0) return 0;
  const group = groupOf(path);
  let start = starts.get(group);
  if (start === undefined) {
    start = createHash('sha256').update(group).digest().readUInt32BE();
    starts.set(group, start);
  }
  return start >>> (32 - bits);
}

/** The first bits of the digests of groups: a run needs each several times. */
const starts = new Map<string, number>();

/** All files of a build have one group, and all of an owner; what remains has one together. */
function groupOf(path: string): string {
  const first = path.indexOf('/') + 1;
  const room = path.slice(0, Math.max(0, first - 1));
  const second = path.indexOf('/', first) + 1;
  if (room === 'owners')
    return withoutJson(path.slice(first, second === 0 ? undefined : second - 1));
  if (second === 0 || !BUILD_ROOMS.has(room)) return '';
  const third = path.indexOf('/', second);
  const name = path.slice(second, third === -1 ? undefined : third);
  if (name === '') return '';
  // A document beside the folders of builds, or a folder.
  const plain = name.endsWith('.json') ? name.replace(/(?:@.*)?\.json$/, '') : name;
  return path.slice(first, second) + plain;
}

const BUILD_ROOMS: ReadonlySet<string> = new Set(['builds', 'heads', 'r']);

function withoutJson(name: string): string {
  return name.endsWith('.json') ? name.slice(0, -5) : name;
}

const digests = new Map<string, string>();

function headersDigest(path: string, parsed?: IndexPath): string {
  const { cacheControl, contentType } = objectHeaders(path, parsed);
  const text = `${cacheControl}\n${contentType}`;
  let digest = digests.get(text);
  if (digest === undefined) {
    digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    digests.set(text, digest);
  }
  return digest;
}
