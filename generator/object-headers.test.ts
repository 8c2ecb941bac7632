import { describe, expect, it } from 'vitest';
import { objectHeaders } from './object-headers.ts';

describe('objectHeaders()', () => {
  it.each([
    ['builds/a/b/1.0.0.tgz', 'public, max-age=31536000, immutable', 'application/gzip'],
    [`catalog/${'0'.repeat(64)}.json`, 'public, max-age=31536000, immutable', 'application/json'],
    ['log/checkpoint', 'public, max-age=5', 'text/plain; charset=utf-8'],
    ['log/tile/0/000', 'public, max-age=31536000, immutable', 'application/octet-stream'],
    ['schema/head.schema.json', 'public, max-age=86400', 'application/json'],
    ['index.html', 'public, max-age=60, s-maxage=60', 'text/html; charset=utf-8'],
    ['builds/a/b/index.md', 'public, max-age=60, s-maxage=60', 'text/markdown; charset=utf-8'],
    ['builds/a/b/screenshot.png', 'public, max-age=60, s-maxage=60', 'image/png'],
    [
      'assets/style-0123456789abcdef.css',
      'public, max-age=31536000, immutable',
      'text/css; charset=utf-8',
    ],
    ['_headers', 'public, max-age=60, s-maxage=60', 'text/plain; charset=utf-8'],
  ])('%s', (path, cacheControl, contentType) => {
    expect(objectHeaders(path)).toEqual({ cacheControl, contentType });
  });
});
