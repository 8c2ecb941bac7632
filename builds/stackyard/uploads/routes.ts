// The routes below `/files`: uploads, lists, bytes, deletion.

import { createHash, randomUUID } from 'node:crypto';
import {
  type Authenticate, type Call, checkConditions, type Chunks, identify, json, readChunks, readLength, readPage,
  readRange, readRequestKey, RequestError, type RouteTable, takeHead, type User, type UserHandler, withUser,
} from '../module-routes/index.js';
import { cleanName, detectType, disposition, HEAD_BYTES, isInline } from './content.js';
import type { FileRow, FileTable, StoredFile } from './files.js';
import { ID, type Storage } from './storage.js';

export interface Limits {
  /** Of one file. */
  readonly maxBytes: number;
  /** Of all files of one user together. */
  readonly userBytes: number;
  readonly types: ReadonlySet<string>;
}

/** What the routes work with. */
export interface Parts {
  readonly files: FileTable;
  readonly storage: Storage;
  readonly limits: Limits;
  readonly authenticate: Authenticate;
  mayRead(user: User | undefined, file: StoredFile): boolean | Promise<boolean>;
  now(): number;
}

/** Uploads that one user may have running in this process. */
const MAX_RUNNING = 5;
const DOWNLOAD_SECONDS = 900;
const YEAR_SECONDS = 31_536_000;

/** The routes, with the parts that `open` gives for each request. */
export function uploadRoutes(open: () => Parts): RouteTable {
  const running = new Map<string, number>();

  const own = (handle: UserHandler<Parts>) => withUser(open, handle);
  const upload = own(async (parts, user, call) => {
    const count = running.get(user.id) ?? 0;
    if (count >= MAX_RUNNING) {
      const headers = { 'Retry-After': '1' };
      throw new RequestError(429, 'too_many_uploads', `At most ${MAX_RUNNING} uploads can run at once`, { headers });
    }
    running.set(user.id, count + 1);
    const chunks = readChunks(call.request);
    try {
      return await receive(parts, user, call, chunks);
    } finally {
      await chunks.return();
      const left = (running.get(user.id) ?? 1) - 1;
      if (left > 0) running.set(user.id, left);
      else running.delete(user.id);
    }
  });

  return {
    '/': { GET: own(listFiles), POST: upload },
    '/:id': { GET: own(showFile), DELETE: own(deleteOwn) },
    '/:id/content': { GET: (call) => sendContent(open(), call) },
  };
}

async function listFiles({ files }: Parts, user: User, { query }: Call): Promise<Response> {
  const page = await files.list(user.id, readPage(query));
  return json(200, { files: page.files.map(describe), next: page.next });
}

async function receive(parts: Parts, user: User, { request, query }: Call, chunks: Chunks): Promise<Response> {
  const { files, storage, limits, now } = parts;
  const name = cleanName(query.get('name') ?? '');
  const requestKey = readRequestKey(request);
  const size = readLength(request);
  if (size !== undefined && size > limits.maxBytes) throw tooLarge(limits.maxBytes);
  if (size === undefined && storage.needsSize) {
    throw new RequestError(411, 'length_required', 'Expected a Content-Length');
  }
  await files.checkSpace(user.id, size ?? 0, limits.userBytes);
  const { head, all } = await takeHead(chunks, HEAD_BYTES);
  if (head.length === 0) throw new RequestError(400, 'empty_file', 'The file is empty');
  const type = allowedType(head, head.length < HEAD_BYTES, limits);
  const id = randomUUID();
  const hash = createHash('sha256');
  let bytes = 0;
  const count = async function* (): Chunks {
    for await (const chunk of all()) {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  };
  const drop = (answer: Response): Promise<Response> => storage.remove(id).then(() => answer);
  try {
    await storage.put(id, count(), size);
    // Long uploads outlive accounts and sessions.
    const owner = await identify(parts.authenticate, request);
    if (!('email' in owner)) return await drop(owner);
    const row: FileRow = {
      id,
      userId: owner.id,
      name,
      type,
      size: bytes,
      sha256: hash.digest('hex'),
      createdAt: now(),
      requestKey,
    };
    const kept = await files.add(row, limits.userBytes);
    if (kept.id === id) return json(201, { file: describe(kept) });
    if (kept.sha256 !== row.sha256 || kept.name !== name) throw keyReused();
    return await drop(json(200, { file: describe(kept) }));
  } catch (error) {
    // Also where the upload ended in the middle: some servers of S3 keep what had come by then.
    await storage.remove(id).catch(() => {});
    throw error;
  }
}

async function showFile({ files }: Parts, user: User, { params }: Call): Promise<Response> {
  return json(200, { file: describe(await findOwn(files, user, params['id'])) });
}

async function deleteOwn(parts: Parts, user: User, { params }: Call): Promise<Response> {
  await removeFile(parts, (await findOwn(parts.files, user, params['id'])).id);
  return new Response(null, { status: 204 });
}

/** Whether it was there. */
export async function removeFile({ files, storage }: Pick<Parts, 'files' | 'storage'>, id: string): Promise<boolean> {
  // The row first: where this ends in the middle, a file is left that nobody can read, and the sweep removes it.
  const isRemoved = await files.remove(id);
  if (isRemoved) await storage.remove(id);
  return isRemoved;
}

async function sendContent(parts: Parts, call: Call): Promise<Response> {
  const { storage } = parts;
  const { request, query } = call;
  const id = call.params['id'] ?? '';
  const file = ID.test(id) ? await parts.files.find(id) : undefined;
  const user = await identify(parts.authenticate, request);
  const isAnonymous = !('email' in user);
  if (!file || !(await parts.mayRead(isAnonymous ? undefined : user, file))) {
    if (isAnonymous) return user;
    throw notFound();
  }
  const etag = `"${file.id}"`;
  // The bytes of an id never change. A shared cache forgets those that everybody may read within an hour of their
  // deletion.
  const isPublic = isAnonymous || (await parts.mayRead(undefined, file));
  const headers: Record<string, string> = {
    ETag: etag,
    'Cache-Control': isPublic ? 'public, max-age=3600, immutable' : `private, max-age=${YEAR_SECONDS}, immutable`,
    Vary: 'Authorization, Cookie',
  };
  const condition = checkConditions(request.headers, etag);
  if (condition === 'unchanged') return new Response(null, { status: 304, headers });
  if (condition === 'failed') {
    throw new RequestError(412, 'precondition_failed', 'The file is another one than that of If-Match');
  }
  const type = file.type === 'text/plain' ? 'text/plain; charset=utf-8' : file.type;
  const shown = disposition(isInline(file.type) && !query.has('download') ? 'inline' : 'attachment', file.name);
  if (storage.signDownload) {
    const location = storage.signDownload(file.id, type, shown, DOWNLOAD_SECONDS);
    return new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } });
  }
  const ifRange = request.headers.get('If-Range');
  const range = ifRange === null || ifRange === etag ? readRange(request.headers.get('Range'), file.size) : undefined;
  if (range === 'unsatisfiable') {
    const end = { 'Content-Range': `bytes */${file.size}` };
    throw new RequestError(416, 'range_not_satisfiable', `The file has ${file.size} bytes`, { headers: end });
  }
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  const body = await storage.read(file.id, first, last);
  if (!body) throw notFound();
  Object.assign(headers, {
    'Accept-Ranges': 'bytes',
    'Content-Type': type,
    'Content-Length': String(last - first + 1),
    'Content-Disposition': shown,
    'X-Content-Type-Options': 'nosniff',
    // Even where a browser shows it as a page, nothing in it runs, and it has no origin.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(range && { 'Content-Range': `bytes ${first}-${last}/${file.size}` }),
  });
  return new Response(body, { status: range ? 206 : 200, headers });
}

function describe({ id, name, type, size, createdAt }: StoredFile) {
  return { id, name, type, size, created_at: new Date(createdAt).toISOString(), url: `/files/${id}/content` };
}

async function findOwn(files: FileTable, user: User, id = ''): Promise<FileRow> {
  const row = ID.test(id) ? await files.find(id) : undefined;
  // That of another user is not there for this one.
  if (row?.userId !== user.id) throw notFound();
  return row;
}

const notFound = (): RequestError => new RequestError(404, 'file_not_found', 'There is no such file');
const tooLarge = (bytes: number): RequestError =>
  new RequestError(413, 'file_too_large', `The file is larger than ${bytes} bytes`);
const keyReused = (): RequestError =>
  new RequestError(409, 'idempotency_key_reused', 'Another upload has had this Idempotency-Key: use a new one');

function allowedType(head: Uint8Array, isWhole: boolean, { types }: Limits): string {
  const type = detectType(head, isWhole);
  if (types.has(type)) return type;
  const message = `The file is ${type}, by its content: allowed are ${[...types].join(', ')}`;
  throw new RequestError(415, 'type_not_allowed', message);
}
