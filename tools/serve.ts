/**
 * `npm start`: generates `index/` from this repository and serves it as a static host would, with
 * the cache rules of the interface, ETags and ranges. For local use, not for production.
 */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sirv from 'sirv';
import { StackyardError } from '../format/errors.ts';
import { CLIENT_PATH, HOME_PATH, cacheControl } from '../format/index/layout.ts';
import { clientPackage } from '../generator/client-package/client-package.ts';
import { generate } from '../generator/pipeline/pipeline.ts';
import { formatProblem, formatSummary } from '../generator/pipeline/report.ts';
import { ANSWER_HEADERS } from '../generator/site/headers.ts';

const ROOT = join(import.meta.dirname, '..');
const DEFAULT_PORT = 4173;

/** A server of the index at `out` on loopback; port 0 takes a free one. */
export async function serveIndex(out: string, port: number): Promise<Server> {
  const serve = sirv(out, {
    // Reads the disk for every request, so that a new index is served at once.
    dev: true,
    etag: true,
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', cacheControl(indexPath(path)));
      if (path.endsWith('.tgz')) response.setHeader('Content-Type', 'application/gzip');
    },
  });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      answer(response, 405, 'Only GET and HEAD are answered');
      return;
    }
    // sirv decodes everything but reserved characters, of which versions may hold one.
    request.url = (request.url ?? '/').replaceAll(/%2b/gi, '+');
    serve(request, response, () => answer(response, 404, 'The index has no such file'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

if (import.meta.main) process.exitCode = await main();

async function main(): Promise<number> {
  const port = Number(process.env['PORT'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error(`error: Variable "PORT" is "${process.env['PORT']}": it must be 0 to 65535`);
    return 2;
  }
  const out = join(ROOT, 'index');
  try {
    const started = performance.now();
    const report = await generate({ repo: ROOT, out, client: await clientPackage() });
    console.log(formatSummary(report, (performance.now() - started) / 1000));
    for (const problem of report.problems.failing) console.error(formatProblem(problem));
    if (report.isViolated) return 1;
    const server = await serveIndex(out, port);
    const { port: bound } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${bound}`;
    console.log(`Serving the index on ${url}`);
    console.log(`In a project: npx --yes ${url}/${CLIENT_PATH} add stackyard/sqlite`);
    return 0;
  } catch (error) {
    if (error instanceof StackyardError) {
      console.error(`error: ${error.message} [${error.code}]`);
      if (error.hint !== undefined) console.error(`hint: ${error.hint}`);
      return 1;
    }
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      console.error(`error: Port ${port} is in use`);
      console.error('hint: choose another one: PORT=4174 npm start');
      return 1;
    }
    throw error;
  }
}

function indexPath(path: string): string {
  return path === '/' ? HOME_PATH : path.slice(1);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
