// Where the bytes are: the interface, and a local folder. A file has the name of its id, which this build has made. It
// is written under another name, made safe on the disk, and renamed: so there is no half file, whatever ends the
// process.

import { constants, createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError, toStream } from '../module-routes/index.js';

/** Complete files, or what is on its way. */
export type Place = 'files' | 'incoming';

export interface Storage {
  /** Stores a file as a whole or not at all. Throws `RequestError` where the storage is full or unavailable. */
  put(id: string, chunks: AsyncIterable<Uint8Array>, size: number | undefined): Promise<void>;
  /** Whether `put` has to know the size before. */
  readonly needsSize: boolean;
  /** The bytes from `first` to `last`, read as they are asked for; `undefined` where there is no such file. */
  read(id: string, first: number, last: number): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Removes what there is of a file. */
  remove(id: string): Promise<void>;
  /** Names behind `after` in their order, at most `limit`. Those that are no ids are left out. */
  list(place: Place, after: string, limit: number): Promise<string[]>;
  /** Removes what was written last before `time`. Returns whether it did. */
  removeOlder(place: Place, id: string, time: number): Promise<boolean>;
  /** Rejects where it cannot be used. */
  check(): Promise<void>;
  /** The mark in the storage, which becomes `id` where there is none and `id` is given. */
  mark(id?: string): Promise<string | undefined>;
  /** An address from which a client reads the bytes without this server. */
  readonly signDownload?: (id: string, type: string, disposition: string, seconds: number) => string;
  close(): Promise<void>;
}

export const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MARK = 'store-id';

/** A folder of this machine, by default a temporary one that is removed at the end. */
export async function openFolder(given?: string): Promise<Storage> {
  const root = given ?? (await mkdtemp(join(tmpdir(), 'uploads-')));
  await mkdir(join(root, 'files'), { recursive: true, mode: 0o700 });
  await mkdir(join(root, 'incoming'), { recursive: true, mode: 0o700 });
  const shardOf = (id: string): string => join(root, 'files', id.slice(0, 2));
  const pathOf = (place: Place, id: string): string => join(place === 'files' ? shardOf(id) : join(root, place), id);

  async function put(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const part = pathOf('incoming', id);
    try {
      const file = await open(part, 'wx', 0o600);
      try {
        for await (const chunk of chunks) await file.appendFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await mkdir(shardOf(id), { recursive: true, mode: 0o700 });
      await rename(part, pathOf('files', id));
      await syncFolder(shardOf(id));
    } catch (error) {
      await rm(part, { force: true });
      throw explain(error);
    }
  }

  return {
    put,
    needsSize: false,
    async read(id, first, last) {
      const path = pathOf('files', id);
      const found = await stat(path).catch(absent);
      return found && toStream(readPieces(path, first, last));
    },
    async remove(id) {
      await rm(pathOf('files', id), { force: true });
      await rm(pathOf('incoming', id), { force: true });
    },
    async list(place, after, limit) {
      if (place === 'incoming') return pick(await readdir(join(root, 'incoming')), after, limit);
      const ids: string[] = [];
      for (const shard of (await readdir(join(root, 'files'))).sort()) {
        if (ids.length >= limit) break;
        if (shard < after.slice(0, 2)) continue;
        ids.push(...pick(await readdir(join(root, 'files', shard)), after, limit - ids.length));
      }
      return ids;
    },
    async removeOlder(place, id, time) {
      const found = await stat(pathOf(place, id)).catch(absent);
      if (!found || found.mtimeMs >= time) return false;
      await rm(pathOf(place, id), { force: true });
      return true;
    },
    check: () => access(join(root, 'incoming'), constants.W_OK),
    async mark(id) {
      const path = join(root, MARK);
      if (id !== undefined) await writeFile(path, id, { flag: 'wx', mode: 0o600 }).catch(() => {});
      return readFile(path, 'utf8').catch(absent);
    },
    async close() {
      if (given === undefined) await rm(root, { recursive: true, force: true });
    },
  };
}

/** The ids behind `after`, in their order. */
export function pick(names: readonly string[], after: string, limit: number): string[] {
  return names
    .filter((name) => name > after && ID.test(name))
    .sort()
    .slice(0, limit);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

// Opened with the first piece: an answer to HEAD, whose body nobody reads, opens nothing.
async function* readPieces(path: string, first: number, last: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = last - first + 1;
  for await (const chunk of createReadStream(path, { start: first, end: last })) {
    left -= (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
  if (left > 0) throw new Error('A file is shorter than its row says');
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const isFull = /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(String((error as NodeJS.ErrnoException).code));
  return isFull ? storageFull(error) : storageUnavailable(error);
}

export function storageFull(cause: unknown): RequestError {
  return new RequestError(507, 'storage_full', 'The storage of files is full', { cause });
}

export function storageUnavailable(cause: unknown): RequestError {
  return new RequestError(503, 'storage_unavailable', 'The storage of files is unavailable. Try again later', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}
