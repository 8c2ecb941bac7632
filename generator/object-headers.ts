/** The headers with which a file of the index is served, the same on every host. */
import { CHECKPOINT_PATH, HEADERS_PATH, cacheControl } from '../format/index/layout.ts';
const UTF8 = '; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  '.css': `text/css${UTF8}`,
  '.html': `text/html${UTF8}`,
  '.ico': 'image/x-icon',
  '.js': `text/javascript${UTF8}`,
  '.json': 'application/json',
  '.md': `text/markdown${UTF8}`,
  '.mjs': `text/javascript${UTF8}`,
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.txt': `text/plain${UTF8}`,
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': `application/xml${UTF8}`,
  '.yaml': 'application/yaml',
};

/** Files without an ending that readers show as text. */
const TEXTS = [HEADERS_PATH, CHECKPOINT_PATH];

interface ObjectHeaders {
  readonly cacheControl: string;
  readonly contentType: string;
}

/** The headers of the file at `path` of an index. */
export function objectHeaders(path: string): ObjectHeaders {
  const end = path.slice(path.lastIndexOf('.'));
  const type = TEXTS.includes(path) ? `text/plain${UTF8}` : TYPES[end];
  return { cacheControl: cacheControl(path), contentType: type ?? 'application/octet-stream' };
}
