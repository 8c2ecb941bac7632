// The pages of a front end, below the routes of the API, so that both have one origin: cookies work, and CORS is not
// needed. In production they are files in `dist/web`; in development the dev server of the front end in `web` has them.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { HttpError } from './errors.js';

/** Where `vite build` of the front end writes. */
const FOLDER = fileURLToPath(new URL('../web', import.meta.url));
const DEV_SERVER = 'http://localhost:5173';

/** Pages may load what this server has, and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'";

interface WebAnswer {
  readonly status: number;
  /** A content type, or the ending of a file. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What is asked for: the path with its query, and what the client accepts. */
export type Web = (url: string, accept: string) => Promise<WebAnswer | undefined>;

/** The front end of this project, `undefined` where it has none. */
export function openWeb(isDevelopment: boolean): Web | undefined {
  if (isDevelopment && existsSync('web/package.json')) return passOn(DEV_SERVER);
  return existsSync(join(FOLDER, 'index.html')) ? serveFolder(FOLDER) : undefined;
}

/** Answers from the files of a folder, which are read now: requests name keys of a map, and no files. */
export function serveFolder(folder: string): Web {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile() || entry.name.endsWith('.map')) return [];
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length).replaceAll('\\', '/');
      return [[path, readAnswer(file, path)] as const];
    }),
  );
  return async (url, accept) => {
    const path = decode(url);
    const index = path === '/' || isPage(path, accept) ? files.get('/index.html') : undefined;
    return files.get(path) ?? index;
  };
}

function readAnswer(file: string, path: string): WebAnswer {
  const body = readFileSync(file);
  // Vite puts the digest of these files into their names.
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = {
    'Cache-Control': cache,
    'Content-Security-Policy': POLICY,
    ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  };
  return { status: 200, type: extname(file), headers, body };
}

/** Asks the dev server, for pages and modules of the front end. */
function passOn(server: string): Web {
  return async (url, accept) => {
    const path = decode(url);
    if (path !== '/' && !path.startsWith('/@') && extname(path) === '' && !isPage(path, accept)) return undefined;
    const answer = await fetch(server + url, { headers: { accept } }).catch((cause: unknown) => {
      const text = `The dev server of the front end does not answer at ${server}: "npm run dev" starts it`;
      throw new HttpError(503, text, { code: 'web_not_ready', expose: true, cause });
    });
    // Its modules run in the page itself, which the policy for production forbids.
    const headers = { 'Content-Security-Policy': "frame-ancestors 'none'" };
    const type = answer.headers.get('Content-Type') ?? '';
    return { status: answer.status, type, headers, body: Buffer.from(await answer.arrayBuffer()) };
  };
}

// Paths of pages are for the router in the page. Programs that ask for JSON get the 404 of the API.
function isPage(path: string, accept: string): boolean {
  return accept.includes('text/html') && extname(path) === '';
}

function decode(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Middleware after all routes. */
export function webPages(web: Web): RequestHandler {
  return async (req, res, next) => {
    const answer =
      req.method === 'GET' || req.method === 'HEAD' ? await web(req.originalUrl, req.get('Accept') ?? '') : undefined;
    if (!answer) return next();
    // Answers 304 and HEAD as well.
    res.status(answer.status).type(answer.type).set(answer.headers).send(answer.body);
  };
}
