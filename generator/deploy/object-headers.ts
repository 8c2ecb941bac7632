/** The headers of an object of the index. */
import { extname } from 'node:path';
import {
  CHECKPOINT_PATH,
  HEADERS_PATH,
  MAP_ENTRY_PATH,
  cacheControl,
  parseIndexPath,
} from '../../format/index/layout.ts';
import type { ObjectHeaders } from './store.ts';

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
const TEXTS = [HEADERS_PATH, CHECKPOINT_PATH, MAP_ENTRY_PATH];

/**
 * The headers of the file at `path` of an index.
 * @param parsed what the path holds, where that is known
 */
export function objectHeaders(path: string, parsed = parseIndexPath(path)): ObjectHeaders {
  const contentType = TEXTS.includes(path)
    ? `text/plain${UTF8}`
    : (TYPES[extname(path)] ?? 'application/octet-stream');
  return { cacheControl: cacheControl(path, parsed), contentType };
}

/**
 * Whether the bytes at `path` never change: readers keep them for a year. They also keep the items of versions for
 * shadcn, but a newer generator, or another address of the registry, may write the same files in another form.
 */
export function isImmutable(path: string): boolean {
  const isDerived = parseIndexPath(path)?.kind === 'shadcn-version';
  return !isDerived && cacheControl(path).endsWith(', immutable');
}
