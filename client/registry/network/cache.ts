/**
 * The cache of this user: tarballs and shards by the digest of their bytes alone, documents by address,
 * path and header, so that no registry's document is ever used for another registry.
 *
 *     <cache>/blobs/ab/cdef...            name: SHA-256 of the bytes
 *     <cache>/documents/ab/cdef...        name: SHA-256 of address and path
 *
 * A document is one line of JSON followed by the bytes. Every read verifies the digest again.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { MAX_TARBALL_BYTES } from '../../../format/build/build-files.ts';
import { MAX_DOCUMENT_BYTES } from '../../../format/document/document.ts';
import type { CacheFiles } from './cache-files.ts';
import type { Source, Validators } from './source.ts';

export const BLOBS = 'blobs';
export const DOCUMENTS = 'documents';
const SALT = 'salt';
const SALT_BYTES = 32;
const MAX_LABEL_BYTES = 4096;
export const MAX_ENTRY_BYTES: number =
  Math.max(MAX_TARBALL_BYTES, MAX_DOCUMENT_BYTES) + MAX_LABEL_BYTES;

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
    await this.files.remove(path);
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
    return createHmac('sha256', salt)
      .update(JSON.stringify([address, secret]))
      .digest('hex');
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
export function readEntry(name: string, entry: Uint8Array): CachedDocument | undefined {
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

/** The SHA-256 of `bytes` in lower-case hexadecimal. */
export function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
