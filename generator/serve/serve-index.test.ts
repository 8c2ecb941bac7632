import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveIndex } from './serve-index.ts';

/** More than streams keep at once. */
const LARGE_PAGE = Array.from({ length: 100_000 }, (_, at) => `<p>${at}`).join('');

async function serve(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'stackyard-serve-'));
  mkdirSync(join(out, 'builds/a/x'), { recursive: true });
  writeFileSync(join(out, 'index.html'), '<!doctype html>');
  writeFileSync(join(out, 'large.html'), LARGE_PAGE);
  writeFileSync(join(out, 'builds/a/x.json'), '{}');
  writeFileSync(join(out, 'builds/a/x/1.0.0+b.tgz'), '0123456789');
  const server = await serveIndex(out, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(out, { recursive: true });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('serveIndex()', () => {
  it('answers with the cache rule and type of each path', async () => {
    const base = await serve();
    const cases = [
      ['/', 'text/html;charset=utf-8', 'public, max-age=60, s-maxage=60'],
      ['/builds/a/x.json', 'application/json', 'public, max-age=60, s-maxage=60'],
      ['/builds/a/x/1.0.0%2Bb.tgz', 'application/gzip', 'public, max-age=31536000, immutable'],
    ];
    for (const [path, type, cache] of cases) {
      const { status, headers } = await fetch(base + path);
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        path,
        200,
        type,
        cache,
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('compresses what pages load, and leaves documents as they are', async () => {
    const base = await serve();
    const answer = async (path: string, init?: RequestInit): Promise<unknown[]> => {
      const response = await fetch(base + path, init);
      const length = response.headers.get('content-length');
      return [response.headers.get('content-encoding'), length, await response.text()];
    };
    const page = '<!doctype html>';
    expect(await answer('/')).toEqual(['gzip', null, page]);
    expect(await answer('/large.html')).toEqual(['gzip', null, LARGE_PAGE]);
    expect(await answer('/builds/a/x.json')).toEqual([null, '2', '{}']);
    const plain = { headers: { 'accept-encoding': 'identity' } };
    expect(await answer('/', plain)).toEqual([null, String(page.length), page]);
    expect((await answer('/', { method: 'HEAD' }))[1]).toBe(String(page.length));
  });

  it('honours ETags and ranges', async () => {
    const base = await serve();
    const etag = (await fetch(`${base}/builds/a/x.json`)).headers.get('etag') ?? '';
    const again = { headers: { 'if-none-match': etag } };
    expect((await fetch(`${base}/builds/a/x.json`, again)).status).toBe(304);
    const part = await fetch(`${base}/builds/a/x/1.0.0%2Bb.tgz`, {
      headers: { range: 'bytes=2-4' },
    });
    expect([part.status, await part.text()]).toEqual([206, '234']);
  });

  it.each(['/nothing', '/%', '/builds', '/.stage/x', '/..%2f..%2fetc/passwd'])(
    'answers 404 to %s and lives on',
    async (path) => {
      const base = await serve();
      expect((await fetch(base + path)).status).toBe(404);
      expect((await fetch(`${base}/`)).status).toBe(200);
    },
  );

  it('answers 405 to what is not a read', async () => {
    const answer = await fetch(await serve(), { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
