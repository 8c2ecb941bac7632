/** Serves an index as a static host would, with the cache rules of the interface, ETags and ranges. For local use, not for production. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { cacheControl } from '../../format/index/layout.ts';
import { SITE_HOME } from '../../format/index/site-path.ts';
import { ANSWER_HEADERS } from '../site/headers.ts';
import { compress } from './compression.ts';
import type { LiveReload } from './live-reload.ts';

/**
 * A server of the index at `out` on loopback; port 0 takes a free one.
 * @param live reloads the pages that browsers show
 */
export async function serveIndex(out: string, port: number, live?: LiveReload): Promise<Server> {
  const serve = sirv(out, {
    // Reads the disk for every request, so that a new index is served at once.
    dev: true,
    etag: true,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', cacheControl(indexPath(path)));
      if (path.endsWith('.tgz')) response.setHeader('Content-Type', 'application/gzip');
      // Without it browsers guess another one.
      if (path.endsWith('.txt')) response.setHeader('Content-Type', 'text/plain;charset=utf-8');
    },
  });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      answer(response, 405, 'Only GET and HEAD are answered');
      return;
    }
    if (live === undefined) compress(request, response);
    else if (live.answer(request, response)) return;
    // sirv decodes everything but reserved characters, of which versions may hold one.
    request.url = (request.url ?? '/').replaceAll(/%2b/gi, '+');
    serve(request, response, () => answerMissing(response, out));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

function indexPath(path: string): string {
  return path === '/' ? SITE_HOME : path.slice(1);
}

/** With the page of the index for it, if there is one. */
function answerMissing(response: ServerResponse, out: string): void {
  const page = join(out, '404.html');
  if (!existsSync(page)) {
    answer(response, 404, 'The index has no such file');
    return;
  }
  response.statusCode = 404;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(readFileSync(page));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
