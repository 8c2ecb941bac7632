/**
 * The cache of this user: tarballs and shards by the digest of their bytes alone, documents by address,
 * path and header, so that no registry's document is ever used for another registry.
 *
 *     <cache>/blobs/ab/cdef...            name: SHA-256 of the bytes
 *     <cache>/documents/ab/cdef...        name: SHA-256 of address and path
 *
 * A document is one line of JSON followed by the bytes. Every read verifies the digest again. Upkeep changes only files that have
 * the form of an entry: the folder may also contain other files.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { DAY_MS, HOUR_MS } from '../../format/duration.ts';
import type { Source, Validators } from './source.ts';

/**
 * Files that are read only if this user owns them, written under another name and renamed. Nothing here fails: a folder that
 * cannot be used is reported once and not used.
 */
export class CacheFiles {
  readonly root: string;
  readonly #note: (problem: string) => void;
  #usable: Promise<boolean> | undefined;
  #isNoted = false;
  #written = 0;

  /** @param note called once with the reason why the cache is not used */
  constructor(root: string, note: (problem: string) => void = () => {}) {
    [this.root, this.#note] = [root, note];
  }

  /** Bytes written so far. */
  get written(): number {
    return this.#written;
  }

  /** The content of a file of at most `maxBytes`, or `undefined`; marks it as used. */
  async read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.#isUsable())) return undefined;
    try {
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const handle = await fs.open(join(this.root, path), flags);
      try {
        const stats = await handle.stat();
        if (!stats.isFile() || !isOwn(stats.uid) || stats.size > maxBytes) return undefined;
        const bytes = await handle.readFile();
        // The time of last use decides what is removed first; a day is precise enough.
        const now = Date.now();
        if (now - stats.mtimeMs > DAY_MS) {
          await handle.utimes(now / 1000, now / 1000).catch(() => {});
        }
        return bytes;
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Writes a file completely, or not at all. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    if (!(await this.#isUsable())) return;
    const file = join(this.root, path);
    const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
    try {
      await fs.mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await fs.writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
      await fs.rename(temporary, file);
      this.#written += bytes.length;
    } catch (error) {
      this.#report(error);
      await removeFile(temporary);
    }
  }

  /** A folder of another user is neither read nor written. */
  #isUsable(): Promise<boolean> {
    this.#usable ??= fs.stat(this.root).then(
      (stats) => {
        const isRight = stats.isDirectory() && isOwn(stats.uid);
        if (!stats.isDirectory()) this.#noteOnce('it is not a folder');
        else if (!isRight) this.#noteOnce('it belongs to another user');
        return isRight;
      },
      (error: unknown) => {
        this.#report(error);
        return isMissing(error);
      },
    );
    return this.#usable;
  }

  #report(error: unknown): void {
    if (isMissing(error)) return;
    this.#noteOnce(error instanceof Error ? error.message : String(error));
  }

  #noteOnce(problem: string): void {
    if (!this.#isNoted) this.#note(`The cache in "${this.root}" is not used: ${problem}`);
    this.#isNoted = true;
  }
}

/** Whether this user owns a file with this owner; Windows has no such number. */
function isOwn(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function removeFile(file: string): Promise<void> {
  await fs.rm(file, { force: true }).catch(() => {});
}

const BLOBS = 'blobs';
const DOCUMENTS = 'documents';
const SALT = 'salt';
const SALT_BYTES = 32;
const MAX_LABEL_BYTES = 4096;
const MAX_ENTRY_BYTES = Math.max(MAX_TARBALL_BYTES, MAX_DOCUMENT_BYTES) + MAX_LABEL_BYTES;

const Label = z.object({
  name: z.string(),
  sha256: z.string(),
  etag: z.string().max(256).optional(),
  lastModified: z.string().max(256).optional(),
});

/** A cached document with the validators to ask whether it is still current. */
interface CachedDocument {
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/** The address of a document, and the header that it was requested with. */
type Place = Pick<Source, 'base' | 'secret'>;

export class Cache {
  readonly files: CacheFiles;
  #salt: Promise<Uint8Array | undefined> | undefined;

  constructor(files: CacheFiles) {
    this.files = files;
  }

  /** @param sha256 lower-case hexadecimal */
  async blob(sha256: string): Promise<Uint8Array | undefined> {
    const path = entryPath(BLOBS, sha256);
    const bytes = await this.files.read(path, MAX_TARBALL_BYTES);
    if (bytes === undefined || contentDigest(bytes) === sha256) return bytes;
    await removeFile(join(this.files.root, path));
    return undefined;
  }

  async keepBlob(sha256: string, bytes: Uint8Array): Promise<void> {
    await this.files.write(entryPath(BLOBS, sha256), bytes);
  }

  async document(place: Place, path: string): Promise<CachedDocument | undefined> {
    const name = await this.#name(place, path);
    if (name === undefined) return undefined;
    const bytes = await this.files.read(entryPath(DOCUMENTS, name), MAX_ENTRY_BYTES);
    return bytes === undefined ? undefined : readEntry(name, bytes);
  }

  async keepDocument(place: Place, path: string, document: CachedDocument): Promise<void> {
    const name = await this.#name(place, path);
    if (name === undefined) return;
    const label = { name, sha256: contentDigest(document.bytes), ...document.validators };
    const entry = Buffer.concat([Buffer.from(`${JSON.stringify(label)}\n`), document.bytes]);
    await this.files.write(entryPath(DOCUMENTS, name), entry);
  }

  /** A plain digest of a header could be guessed, so it is salted with a secret of this cache. */
  async #name({ base, secret }: Place, path: string): Promise<string | undefined> {
    const address = JSON.stringify([base, path]);
    if (secret === '') return contentDigest(Buffer.from(address));
    this.#salt ??= this.#readSalt();
    const salt = await this.#salt;
    if (salt === undefined) return undefined;
    const hmac = createHmac('sha256', salt).update(JSON.stringify([address, secret]));
    return hmac.digest('hex');
  }

  async #readSalt(): Promise<Uint8Array | undefined> {
    let salt = await this.files.read(SALT, SALT_BYTES);
    if (salt?.length !== SALT_BYTES) {
      await this.files.write(SALT, randomBytes(SALT_BYTES));
      // Read again: another process may have written later, and its salt is the one that stays.
      salt = await this.files.read(SALT, SALT_BYTES);
    }
    return salt?.length === SALT_BYTES ? salt : undefined;
  }
}

/** The document of an entry, or `undefined` when it has another name or was altered. */
function readEntry(name: string, entry: Uint8Array): CachedDocument | undefined {
  const end = entry.subarray(0, MAX_LABEL_BYTES).indexOf(0x0a);
  if (end === -1) return undefined;
  const label = tryLabel(Buffer.from(entry.subarray(0, end)).toString());
  const bytes = entry.subarray(end + 1);
  if (label?.name !== name || label.sha256 !== contentDigest(bytes)) return undefined;
  return { bytes, validators: { etag: label.etag, lastModified: label.lastModified } };
}

function tryLabel(text: string): z.infer<typeof Label> | undefined {
  try {
    return Label.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function entryPath(room: string, digest: string): string {
  return `${room}/${digest.slice(0, 2)}/${digest.slice(2)}`;
}

/** The SHA-256 of `bytes` in lower-case hexadecimal; faster than the one of `format/` for large ones. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The maximum size after an upkeep; the entries not used for longest are removed first. */
const MAX_CACHE_BYTES = 1_000_000_000;
/** Upkeep removes entries down to this share, so that not every run has to. */
const KEPT_SHARE = 0.8;
const UPKEEP_MARK = 'upkeep';

interface Entry {
  readonly file: string;
  readonly room: typeof BLOBS | typeof DOCUMENTS;
  /** The digest in the name; empty for a temporary file. */
  readonly name: string;
  readonly size: number;
  readonly usedMs: number;
}

/** The result of a check, or of emptying. */
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
  const mark = await fs.lstat(join(files.root, UPKEEP_MARK)).catch(() => undefined);
  const isDue = mark === undefined || now - mark.mtimeMs > 24 * HOUR_MS;
  if (!isDue && files.written < maxBytes / 20) return;
  await files.write(UPKEEP_MARK, Buffer.from('\n'));
  const entries = await listEntries(files.root);
  for (const { file, name, usedMs } of entries) {
    if (name === '' && now - usedMs > HOUR_MS) await removeFile(file);
  }
  let total = sizeOf(entries);
  if (total <= maxBytes) return;
  for (const { file, size } of entries.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= maxBytes * KEPT_SHARE) return;
    await removeFile(file);
    total -= size;
  }
}

/** Reads every entry and removes those that are altered. */
export async function checkCache(root: string): Promise<CacheCount> {
  const entries = (await listEntries(root)).filter(({ name }) => name !== '');
  let removed = 0;
  for (const { file, room, name, size } of entries) {
    const bytes =
      size > MAX_ENTRY_BYTES ? undefined : await fs.readFile(file).catch(() => undefined);
    const isRight =
      bytes !== undefined &&
      (room === BLOBS ? contentDigest(bytes) === name : readEntry(name, bytes) !== undefined);
    if (isRight) continue;
    await removeFile(file);
    removed += 1;
  }
  return { entries: entries.length, bytes: sizeOf(entries), removed };
}

/** Removes all entries. */
export async function emptyCache(root: string): Promise<CacheCount> {
  const entries = await listEntries(root);
  for (const { file } of entries) await removeFile(file);
  for (const folder of new Set(entries.map(({ file }) => dirname(file)))) {
    await fs.rmdir(folder).catch(() => {});
  }
  return { entries: entries.length, bytes: sizeOf(entries), removed: entries.length };
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

async function listEntries(root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const room of [BLOBS, DOCUMENTS] as const) {
    for (const start of await names(join(root, room))) {
      if (!/^[0-9a-f]{2}$/.test(start)) continue;
      for (const rest of await names(join(root, room, start))) {
        const isTemporary = /^\.[0-9a-f-]{36}\.tmp$/.test(rest);
        if (!isTemporary && !/^[0-9a-f]{62}$/.test(rest)) continue;
        const file = join(root, room, start, rest);
        const stats = await fs.lstat(file).catch(() => undefined);
        if (stats?.isFile() !== true || !isOwn(stats.uid)) continue;
        const name = isTemporary ? '' : start + rest;
        entries.push({ file, room, name, size: stats.size, usedMs: stats.mtimeMs });
      }
    }
  }
  return entries;
}

async function names(folder: string): Promise<string[]> {
  return fs.readdir(folder).then(
    (found) => found.sort(),
    () => [],
  );
}
