/**
 * Limits the size of the cache, checks it, empties it. Changes only files that have the form of an entry:
 * the folder may also contain other files.
 */
import { lstat, readFile, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../../format/archive/integrity.ts';
import { type CacheFiles, isOwn } from './cache-files.ts';
import { BLOBS, DOCUMENTS, MAX_ENTRY_BYTES, readEntry } from './cache.ts';
import { HOUR_MS } from '../../../format/duration.ts';

/** The maximum size after an upkeep; the entries not used for longest are removed first. */
const MAX_CACHE_BYTES = 1_000_000_000;
/** Upkeep removes entries down to this share, so that not every run has to. */
const KEPT_SHARE = 0.8;
const UPKEEP_MARK = 'upkeep';

interface Entry {
  readonly path: string;
  readonly kind: typeof BLOBS | typeof DOCUMENTS | 'temporary';
  /** The digest in the name; empty for a temporary file. */
  readonly name: string;
  readonly size: number;
  readonly usedMs: number;
}

/** The result of an upkeep or a check. */
interface CacheCount {
  readonly entries: number;
  readonly bytes: number;
  readonly removed: number;
}

/**
 * Removes the entries not used for longest, once a day and after a run that wrote a lot. Also removes
 * temporary files of killed processes.
 */
export async function keepSmall(
  files: CacheFiles,
  now: number,
  maxBytes: number = MAX_CACHE_BYTES,
): Promise<void> {
  if (files.written === 0) return;
  const mark = await lstat(join(files.root, UPKEEP_MARK)).catch(() => undefined);
  const isDue = mark === undefined || now - mark.mtimeMs > 24 * HOUR_MS;
  if (!isDue && files.written < maxBytes / 20) return;
  await files.write(UPKEEP_MARK, Buffer.from('\n'));
  const entries = await listEntries(files.root);
  const stale = entries.filter((e) => e.kind === 'temporary' && now - e.usedMs > HOUR_MS);
  let total = entries.reduce((sum, { size }) => sum + size, 0);
  const doomed = total > maxBytes ? entries.sort((a, b) => a.usedMs - b.usedMs) : [];
  for (const { path } of stale) await remove(files.root, path);
  for (const { path, size } of doomed) {
    if (total <= maxBytes * KEPT_SHARE) return;
    await remove(files.root, path);
    total -= size;
  }
}

/** Reads every entry and removes those that are altered. */
export async function checkCache(root: string): Promise<CacheCount> {
  const entries = (await listEntries(root)).filter(({ kind }) => kind !== 'temporary');
  let [bytes, removed] = [0, 0];
  for (const entry of entries) {
    bytes += entry.size;
    if (await isRight(root, entry)) continue;
    await remove(root, entry.path);
    removed += 1;
  }
  return { entries: entries.length, bytes, removed };
}

/** Removes all entries. */
export async function emptyCache(root: string): Promise<CacheCount> {
  const entries = await listEntries(root);
  for (const { path } of entries) await remove(root, path);
  for (const room of [BLOBS, DOCUMENTS]) {
    for (const name of await names(join(root, room))) {
      await rmdir(join(root, room, name)).catch(() => {});
    }
  }
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  return { entries: entries.length, bytes, removed: entries.length };
}

async function isRight(root: string, { path, kind, name, size }: Entry): Promise<boolean> {
  if (size > MAX_ENTRY_BYTES) return false;
  const bytes = await readFile(join(root, path)).catch(() => undefined);
  if (bytes === undefined) return false;
  return kind === BLOBS ? sha256Hex(bytes) === name : readEntry(name, bytes) !== undefined;
}

async function listEntries(root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const room of [BLOBS, DOCUMENTS] as const) {
    for (const start of await names(join(root, room))) {
      if (!/^[0-9a-f]{2}$/.test(start)) continue;
      for (const rest of await names(join(root, room, start))) {
        const isTemporary = /^\.[0-9a-f-]{36}\.tmp$/.test(rest);
        if (!isTemporary && !/^[0-9a-f]{62}$/.test(rest)) continue;
        const path = `${room}/${start}/${rest}`;
        const stats = await lstat(join(root, path)).catch(() => undefined);
        if (stats?.isFile() !== true || !isOwn(stats.uid)) continue;
        const { size, mtimeMs } = stats;
        entries.push({
          path,
          kind: isTemporary ? 'temporary' : room,
          name: isTemporary ? '' : start + rest,
          size,
          usedMs: mtimeMs,
        });
      }
    }
  }
  return entries;
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).then(
    (found) => found.sort(),
    () => [],
  );
}

async function remove(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true }).catch(() => {});
}
