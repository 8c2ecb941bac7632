/** How the files of an index differ from what a target holds. */
import { createHash } from 'node:crypto';
import { parseIndexPath } from '../../format/index/layout.ts';
import { readLocalFile, sha256Of, type LocalFiles } from './local-files.ts';
import {
  DEPLOY_FOLDER,
  manifestShardPath,
  tryParseShard,
  type FileMark,
  type Manifest,
  type ManifestShard,
} from './manifest.ts';
import { objectHeaders } from './object-headers.ts';
import type { Store } from './store.ts';

export interface Difference {
  /** Files to upload; `before` is their mark at the target, `undefined` when it has none or an unknown one. */
  readonly changed: ReadonlyMap<string, { readonly before: FileMark | undefined }>;
  /** Paths of the target that are not part of the index any more. */
  readonly gone: readonly string[];
  /** Objects of the deployment itself that the new manifest does not name. */
  readonly oldShards: readonly string[];
}

const READS_AT_ONCE = 16;

/** All files that a manifest lists; `undefined` when a shard is missing or damaged. */
export function filesOf(
  store: Store,
  manifest: Manifest,
): Promise<Map<string, FileMark> | undefined> {
  return filesIn(store, manifest, [...manifest.shards.keys()]);
}

async function filesIn(
  store: Store,
  { shards }: Manifest,
  numbers: readonly number[],
): Promise<Map<string, FileMark> | undefined> {
  const found = new Map<string, FileMark>();
  let isWhole = true;
  await atOnce(numbers, READS_AT_ONCE, async (at) => {
    const text = await readShard(store, shards[at] ?? '');
    const files = text === undefined ? undefined : tryParseShard(text);
    if (files === undefined) isWhole = false;
    else for (const [path, mark] of files) found.set(path, mark);
  });
  return isWhole ? found : undefined;
}

/**
 * By the manifest: reads only shards that differ.
 * @returns `undefined` when a shard is missing or damaged
 */
export async function differenceByManifest(
  store: Store,
  marks: ReadonlyMap<string, FileMark>,
  shards: readonly ManifestShard[],
  manifest: Manifest,
): Promise<Difference | undefined> {
  const isSameForm = shards.length === manifest.shards.length;
  const numbers = [...manifest.shards.keys()].filter((at) => {
    return !isSameForm || manifest.shards[at] !== shards[at]?.sha256;
  });
  const theirs = await filesIn(store, manifest, numbers);
  if (theirs === undefined) return undefined;
  const changed = new Map<string, { before: FileMark | undefined }>();
  const ours = isSameForm
    ? numbers.flatMap((at) => [...(tryParseShard(shards[at]?.text ?? '') ?? [])])
    : marks;
  for (const [path, mark] of ours) {
    const before = theirs.get(path);
    if (before !== mark) changed.set(path, { before });
  }
  const current = new Set(shards.map(({ sha256 }) => sha256));
  return {
    changed,
    gone: [...theirs.keys()].filter((path) => !marks.has(path)),
    oldShards: manifest.shards.filter((sha256) => !current.has(sha256)).map(manifestShardPath),
  };
}

/**
 * By a listing of all objects, after a deployment that did not end. Equal are objects with the size and the MD5 of the
 * file; where the store has another digest, all count as changed.
 */
export async function differenceByListing(
  store: Store,
  index: string,
  files: LocalFiles,
  shards: readonly ManifestShard[],
): Promise<Difference> {
  const missing = new Set(files.keys());
  const changed = new Map<string, { before: undefined }>();
  const current = new Set(shards.map(({ sha256 }) => manifestShardPath(sha256)));
  const [gone, oldShards]: [string[], string[]] = [[], []];
  for await (const { path, size, md5 } of store.list()) {
    const sha256 = files.get(path);
    if (sha256 === undefined) {
      if (isShardPath(path) && !current.has(path)) oldShards.push(path);
      else if (parseIndexPath(path) !== undefined) gone.push(path);
      continue;
    }
    missing.delete(path);
    const bytes = readLocalFile(index, path, sha256);
    const isSame = bytes.length === size && createHash('md5').update(bytes).digest('hex') === md5;
    if (!isSame) changed.set(path, { before: undefined });
  }
  for (const path of missing) changed.set(path, { before: undefined });
  return { changed, gone, oldShards };
}

/**
 * By a look at every object: of digest, or of its bytes where the store keeps none, and of headers.
 * @returns the paths of files whose object is missing or another one
 */
export async function differingObjects(
  store: Store,
  files: LocalFiles,
  atATime: number,
): Promise<string[]> {
  const differing: string[] = [];
  await atOnce(files, atATime, async ([path, sha256]) => {
    if (!(await isStored(store, path, sha256))) differing.push(path);
  });
  return differing.sort();
}

/** Whether the target has this object, with these bytes and its headers. */
export async function isStored(store: Store, path: string, sha256: string): Promise<boolean> {
  const facts = await store.inspect(path);
  if (facts === undefined) return false;
  const { cacheControl, contentType } = objectHeaders(path);
  const { headers } = facts;
  const isServedSo =
    headers === undefined ||
    (headers.cacheControl === cacheControl && headers.contentType === contentType);
  if (!isServedSo) return false;
  return (facts.sha256 ?? (await digestAt(store, path))) === sha256;
}

async function digestAt(store: Store, path: string): Promise<string | undefined> {
  const object = await store.read(path);
  return object === undefined ? undefined : sha256Of(object.bytes);
}

/** The text of a shard, which its name is the digest of. */
async function readShard(store: Store, sha256: string): Promise<string | undefined> {
  const object = await store.read(manifestShardPath(sha256));
  if (object === undefined || sha256Of(object.bytes) !== sha256) return undefined;
  return Buffer.from(object.bytes).toString();
}

function isShardPath(path: string): boolean {
  return path.startsWith(`${DEPLOY_FOLDER}/`) && /\/[0-9a-f]{64}\.txt$/.test(path);
}

/**
 * Calls `act` for each item, at most `limit` at a time. After the first failure no other one begins.
 * @throws the first failure, after those under way have ended
 */
export async function atOnce<Item>(
  items: Iterable<Item>,
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = waiting.next();
      if (next.done === true) return;
      await act(next.value).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failures.length > 0) throw failures[0];
}
