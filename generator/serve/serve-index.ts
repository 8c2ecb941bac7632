/**
 * Serves an index as a static host would, with the cache rules of the interface, ETags and ranges (RFC 9110). For local use, not for
 * production. Requests are hostile: other programs, and pages in a browser, reach the port; no page of another origin reads an answer.
 */
import { open, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { RETIRED_FOLDER } from '../../format/index/layout.ts';
import { objectHeaders } from '../object-headers.ts';
import { GeneratorError } from '../errors.ts';
import { ANSWER_HEADERS } from '../site/headers.ts';

const NOT_HERE = 'Only localhost, 127.0.0.1 and [::1] are answered';
/** A page whose name is made to lead here, to read a private index (DNS rebinding), asks for that name. */
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d*)?$/i;
/** The absolute form of a target, which names the host instead of the header (RFC 9112, section 3.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;
const { 'Access-Control-Allow-Origin': _, ...HEADERS } = ANSWER_HEADERS;

interface ServeOptions {
  /** Reloads the pages that browsers show. */
  readonly live?: LiveReload;
  /** What the index waits for; `undefined` when it is there. */
  readonly waitingFor?: () => string | undefined;
}

/**
 * A server of the index at `out` on loopback; port 0 takes a free one.
 * @throws {GeneratorError} `ERR_PORT_IN_USE`
 */
export async function serveIndex(
  out: string,
  port: number,
  { live, waitingFor }: ServeOptions = {},
): Promise<Server> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const named = ABSOLUTE.exec(request.url ?? '')?.[1] ?? request.headers.host ?? '';
    if (!OWN_HOST.test(named)) return answer(response, 421, NOT_HERE);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return answer(response, 405, 'Only GET and HEAD are answered');
    }
    const waiting = waitingFor?.();
    if (waiting !== undefined) return answerLater(response, waiting);
    if (live === undefined) compress(request, response);
    else if (live.answer(request, response)) return;
    answerFile(out, request, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else answer(response, 500, 'The file cannot be read');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portInUse(port) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

function portInUse(port: number): GeneratorError {
  return new GeneratorError('ERR_PORT_IN_USE', `Port ${port} of this machine is in use`, {
    hint: 'choose another one with --port',
  });
}

/** Reads the disk for every request, so that a new index is served at once. */
async function answerFile(
  out: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target === undefined) return answerMissing(out, response);
  const { path, query } = target;
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  const isGone = (await stat(join(out, file)).catch(missing)) === undefined;
  // A reader may have the checkpoint of an earlier state.
  const place = join(out, isGone ? RETIRED_FOLDER : '', file);
  const found = await stat(place).catch(missing);
  if (found?.isDirectory() === true) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const page = await stat(join(place, 'index.html')).catch(missing);
    if (page === undefined) return answerMissing(out, response);
    // Relative, so that it never names another host.
    response.setHeader('Location', `./${encodeURIComponent(name)}/${query}`);
    return answer(response, 301, 'The address of the page ends with a slash');
  }
  const handle = found?.isFile() === true ? await open(place).catch(missing) : undefined;
  if (handle === undefined) return answerMissing(out, response);
  try {
    const { size, mtime } = await handle.stat();
    const { contentType, cacheControl: rule } = objectHeaders(file);
    const etag = `W/"${size}-${mtime.getTime()}"`;
    response.setHeader('Cache-Control', rule);
    response.setHeader('ETag', etag);
    response.setHeader('Last-Modified', mtime.toUTCString());
    response.setHeader('Accept-Ranges', 'bytes');
    if (isKnown(request.headers, etag, mtime)) {
      response.writeHead(304).end();
      return;
    }
    const range = rangeOf(request, size);
    if (range === 'unsatisfiable') {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
      return;
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const part = range && { 'Content-Range': `bytes ${start}-${end}/${size}` };
    const length = { 'Content-Length': end - start + 1, 'Content-Type': contentType };
    response.writeHead(range === undefined ? 200 : 206, { ...length, ...part });
    if (request.method === 'HEAD' || size === 0) {
      response.end();
      return;
    }
    const stream = handle.createReadStream({ start, end, autoClose: false });
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject);
      response.once('close', resolve);
      stream.pipe(response);
    });
    stream.destroy();
  } finally {
    await handle.close();
  }
}

/**
 * The path below the index, decoded, and the query with its question mark. `undefined` for what names no file: other than a path
 * or an absolute form (RFC 9112, section 3.2), broken escapes, segments that leave a folder, and what a run is about to write.
 */
function parseTarget(url: string): { readonly path: string; readonly query: string } | undefined {
  const origin = ABSOLUTE.exec(url)?.[0] ?? '';
  const parts = /^(?:\/([^?#]*))?(\?[^#]*)?(?:#.*)?$/.exec(url.slice(origin.length));
  if (parts === null) return undefined;
  const [, written = '', query = ''] = parts;
  let segments: string[];
  try {
    segments = written.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const isRefused = segments.some(
    (one, at) =>
      one === '.' ||
      one === '..' ||
      (one === '' && at < segments.length - 1) ||
      // oxlint-disable-next-line no-control-regex -- no file system has it in a name
      /[/\\\u0000]/.test(one),
  );
  return isRefused || segments[0]?.startsWith('.') === true
    ? undefined
    : { path: segments.join('/'), query };
}

/** Whether the reader has the file: by `If-None-Match`, weakly, or else by `If-Modified-Since` (RFC 9110, 13.2.2). */
function isKnown(headers: IncomingMessage['headers'], etag: string, mtime: Date): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags !== undefined) return tags.includes('*') || tags.includes(etag.slice(2));
  // Times in headers have no parts of seconds.
  return (
    Date.parse(headers['if-modified-since'] ?? '') >= Math.floor(mtime.getTime() / 1000) * 1000
  );
}

/**
 * The one part of the file that the request names, both ends included; `undefined` for the whole file. RFC 9110, section 14: only a GET has
 * parts; a range that is invalid (such as `5-1`), of another unit, or several ranges may be ignored; tags are weak, so that no
 * `If-Range` matches.
 */
function rangeOf(
  { method, headers }: IncomingMessage,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  if (method !== 'GET' || headers['if-range'] !== undefined) return undefined;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  if (from === '') {
    if (Number(to) === 0) return 'unsatisfiable';
    return size === 0 ? undefined : { start: Math.max(0, size - Number(to)), end: size - 1 };
  }
  const [start, end] = [Number(from), to === '' ? Infinity : Number(to)];
  if (start > end) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** With the page of the index for it, if there is one. */
async function answerMissing(out: string, response: ServerResponse): Promise<void> {
  const page = await readFile(join(out, '404.html')).catch(missing);
  if (page === undefined) return answer(response, 404, 'The index has no such file');
  response.statusCode = 404;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page);
}

/** For people, who see it go on; programs read when to come again (RFC 9110, 10.2.3). */
function answerLater(response: ServerResponse, waiting: string): void {
  response.statusCode = 503;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Retry-After', '1');
  response.end(`<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="1">
<title>The index is being generated</title>
<h1>The index is being generated</h1>
<p>Now: ${waiting}. This page shows the index when it is there.</p>
`);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}

/** A file that went away, and a name that no file can have. @throws every other error */
function missing(error: NodeJS.ErrnoException): undefined {
  const codes = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'];
  if (!codes.includes(error.code ?? '')) throw error;
  return undefined;
}

/** Chooses what a body passes through, and may change the headers; nothing for a body that stays as it is. */
type ChooseTransform = (headers: OutgoingHttpHeaders) => Transform | undefined;

/** Of whole answers only: parts of a file and answers without a body stay as they are. */
function transformBody(response: ServerResponse, choose: ChooseTransform): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    response.writeHead = writeHead;
    const changed = { ...headers };
    const transform = status === 200 && response.req.method === 'GET' ? choose(changed) : undefined;
    if (transform === undefined) return writeHead(status, headers);
    // Set as a header of the answer, it would be sent as well.
    delete changed['Content-Length'];
    response.removeHeader('Content-Length');
    pass(response, transform);
    return writeHead(status, changed);
  }) as typeof response.writeHead;
}

function pass(response: ServerResponse, transform: Transform): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  transform.on('data', (chunk: Buffer) => write(chunk));
  transform.on('end', () => end());
  // Who writes waits for it when the stream is full.
  transform.on('drain', () => response.emit('drain'));
  response.write = ((chunk: Buffer) => transform.write(chunk)) as typeof response.write;
  response.end = ((chunk?: Buffer) => {
    if (chunk === undefined) transform.end();
    else transform.end(chunk);
    return response;
  }) as typeof response.end;
}

const TYPES = /^(?:text\/(?:html|css|javascript|markdown)|image\/svg\+xml)\b/;

function compress(request: IncomingMessage, response: ServerResponse): void {
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return;
  transformBody(response, (headers) => {
    if (!TYPES.test(String(headers['Content-Type'] ?? ''))) return undefined;
    headers['Content-Encoding'] = 'gzip';
    headers['Vary'] = 'Accept-Encoding';
    return createGzip();
  });
}

const EVENTS = '/@dev/events';
const MODULE = '/@dev/reload.js';
/** The server that a page came from may have ended: another one has another start. */
const SCRIPT = `let start;
const events = new EventSource('${EVENTS}');
events.addEventListener('start', ({ data }) => {
  if (start !== undefined && start !== data) location.reload();
  start = data;
});
events.addEventListener('reload', () => location.reload());
`;

export class LiveReload {
  readonly #start = String(Date.now());
  readonly #open = new Set<ServerResponse>();

  /** Whether it has answered. */
  answer({ url }: IncomingMessage, response: ServerResponse): boolean {
    if (url === MODULE) {
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
      response.end(SCRIPT);
      return true;
    }
    if (url === EVENTS) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`event: start\ndata: ${this.#start}\n\n`);
      this.#open.add(response);
      response.on('close', () => this.#open.delete(response));
      return true;
    }
    // Nothing stays in a browser: the next build of the same page may differ.
    transformBody(response, (headers) => {
      headers['Cache-Control'] = 'no-store';
      const isPage = String(headers['Content-Type'] ?? '').startsWith('text/html');
      return isPage ? withModule() : undefined;
    });
    return false;
  }

  reload(): void {
    for (const response of this.#open) response.write('event: reload\ndata:\n\n');
  }
}

/** A parser puts a script after the end of the document into it. */
function withModule(): Transform {
  return new Transform({
    transform: (chunk, _, done) => done(null, chunk),
    flush: (done) => done(null, `<script type="module" src="${MODULE}"></script>\n`),
  });
}
